"""Whether votes changed from period to period: all together, and judge by judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from askpoint.errors import InputError
from askpoint.judges.sketch.vote_sketch import VoteSketch

__all__ = ["VoteDrift", "drift_test"]

_LEAST_EXPECTED = 5.0  # Cochran's rule for the chi-square approximation


@dataclass(frozen=True)
class VoteDrift:
    """p-values of the hypothesis that votes are distributed alike in all periods.

    Attributes
    ----------
    patterns : float or None
        For the patterns of all judges together; None if there is too little to compare.
    judges : mapping of str to float or None
        For each judge's own votes, missing ones included, by Holm's method: small where that
        judge, or the items, changed.
    """

    patterns: float | None
    judges: Mapping[str, float | None]


def drift_test(sketches: Sequence[VoteSketch]) -> VoteDrift:
    """Compare the votes of periods by chi-square tests of homogeneity.

    References
    ----------
    Pearson, Philosophical Magazine 50 (1900); Holm, Scandinavian J. of Statistics 6 (1979).
    """
    if len(sketches) < 2:
        raise InputError(f"drift needs at least two periods to compare, got {len(sketches)}")
    total = VoteSketch(sketches[0].judges, sketches[0].labels)
    for sketch in sketches:
        total.merge(sketch)
    parts = [sketch.cells() for sketch in sketches]
    period = np.repeat(np.arange(len(parts)), [len(part.counts) for part in parts])
    votes = np.concatenate([part.votes for part in parts])
    counts = np.concatenate([part.counts for part in parts])
    _, pattern = np.unique(votes, axis=0, return_inverse=True)

    def compare(kind: NDArray[np.integer]) -> float | None:
        table = np.zeros((len(parts), int(kind.max(initial=0)) + 1))
        np.add.at(table, (period, kind), counts)
        return _homogeneity(table)

    alone = [compare(votes[:, i] + 1) for i in range(len(total.judges))]
    return VoteDrift(compare(pattern.ravel()), dict(zip(total.judges, _holm(alone), strict=True)))


def _homogeneity(table: NDArray[np.float64]) -> float | None:
    """p-value of the chi-square test that all rows have one distribution."""
    table = table[table.sum(axis=1) > 0]
    table = table[:, np.argsort(table.sum(axis=0), kind="stable")]
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    if len(rows) < 2:
        return None
    least = _LEAST_EXPECTED * rows.sum() / rows.min()
    kept = (columns >= least) & (columns > 0)
    pooled = table[:, ~kept].sum(axis=1)
    table = table[:, kept]
    if pooled.sum() >= least or not table.shape[1]:
        table = np.column_stack([table, pooled])
    else:
        table[:, 0] += pooled  # too few even together: with the rarest that is kept
    if table.shape[1] < 2:
        return None
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    statistic = ((table - expected) ** 2 / expected).sum()
    return float(special.chdtrc((len(table) - 1) * (table.shape[1] - 1), statistic))


def _holm(values: Sequence[float | None]) -> list[float | None]:
    known = sorted((p, i) for i, p in enumerate(values) if p is not None)
    adjusted: list[float | None] = [None] * len(values)
    greatest = 0.0
    for rank, (p, i) in enumerate(known):
        greatest = max(greatest, min(1.0, p * (len(known) - rank)))
        adjusted[i] = greatest
    return adjusted
