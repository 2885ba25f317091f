"""Who leans to items of a kind: how often judges give a label there, beside how often it is true."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import sparse, special

from askpoint.judges.gold.item_covariates import ItemCovariate
from askpoint.judges.gold.labelled_patterns import LabelledPatterns
from askpoint.judges.gold.residual_totals import LabelTotals, totals_of
from askpoint.judges.gold.uncertain_shares import student_quantile
from askpoint.measures.inputs import FloatArray
from askpoint.measures.intervals import Interval
from askpoint.measures.multiple_tests import adjust_by_holm

__all__ = ["CovariateLean", "explain_residuals", "measure_leans"]

_FEWEST = 5  # labels on either side
_LEVEL = 0.01  # of what explains residuals, spec J21


@dataclass(frozen=True, kw_only=True)
class CovariateLean:
    """How much commoner a label is among items of some kind than among others, and who says so.

    Attributes
    ----------
    covariate : str
    there, elsewhere : str
        The kind, and what it is compared with.
    difference : float
        Share of the label there less elsewhere, from labels and votes.
    interval : Interval
        Those of all kinds together hold at the level.
    judges : mapping of str to float
        By how much more often a judge gives the label there than elsewhere, less `difference`.
    leaning : tuple of str
        Judges of whom that is not 0, whatever the difference is within its interval.
    """

    covariate: str
    there: str
    elsewhere: str
    difference: float
    interval: Interval
    judges: Mapping[str, float]
    leaning: tuple[str, ...]

    def interval_of(self, judge: str) -> Interval:
        """Return between what a judge's lean lies."""
        shift = self.judges[judge] + self.difference
        return Interval(shift - self.interval.upper, shift - self.interval.lower)


def measure_leans(
    known: LabelledPatterns, totals: LabelTotals, level: float = 0.95
) -> tuple[CovariateLean, ...]:
    """Compare the ends of each covariate of numbers, and each level of texts with all others.

    Kinds of items with fewer than 5 labels, or fewer than 5 elsewhere, are left out.
    """
    kinds = [
        (of.name, *kind)
        for place, of in enumerate(known.covariates)
        for kind in _kinds(of, known.levels[:, place])
        if all(known.drawn[side].sum() >= _FEWEST for side in kind[2:])
    ]
    one = 1 - (1 - level) / max(len(kinds), 1)
    return tuple(_lean(known, totals, one, *kind) for kind in kinds)


def explain_residuals(known: LabelledPatterns, label: str) -> dict[str, float]:
    """Return the covariates by which the votes' errors differ, with p of an F test (Holm, .01)."""
    plain = replace(known, covariates=())
    of = totals_of(plain.as_drawn("as proposed"))[known.labels.index(label)]
    columns = known.levels.T
    tested = {
        one.name: _f_test(of, one, codes)
        for one, codes in zip(known.covariates, columns, strict=True)
    }
    adjusted = zip(tested, adjust_by_holm(list(tested.values())), strict=True)
    return {name: p for name, p in adjusted if p < _LEVEL}


def _kinds(
    of: ItemCovariate, codes: NDArray[np.int16]
) -> Iterator[tuple[str, str, NDArray[np.bool_], NDArray[np.bool_]]]:
    n = of.n_valued
    valued = codes < n
    if of.is_number and n > 1:
        low, high = valued & (2 * codes < n - 1), valued & (2 * codes > n - 1)
        first = n - 1 - (n - 2) // 2 if n > 2 else n - 1  # the least level of the upper end
        yield _end_words(of, first, n), _end_words(of, 0, n - first), high, low
        return
    for code in range(n if n > 2 else min(n - 1, 1)):
        yield of.levels[code], "elsewhere", codes == code, valued & (codes != code)


def _end_words(of: ItemCovariate, start: int, stop: int) -> str:
    """Write successive levels of numbers as one range."""
    first, last = of.levels[start], of.levels[stop - 1]
    if first == last:
        return first
    if start == 0:
        return f"up to {last.split(' to ')[-1].removeprefix('up to ')}"
    if " to " in first:
        return f"above {first.split(' to ')[0]}"
    return f"{first} or more"


def _lean(
    known: LabelledPatterns,
    totals: LabelTotals,
    level: float,
    covariate: str,
    there: str,
    elsewhere: str,
    inside: NDArray[np.bool_],
    outside: NDArray[np.bool_],
) -> CovariateLean:
    counts = known.cells.counts
    sizes = [float(counts[side].sum()) for side in (inside, outside)]
    value = float(
        totals.expected[inside].sum() / sizes[0] - totals.expected[outside].sum() / sizes[1]
    )
    spread = totals.spread_of(
        (sparse.csr_array(inside[:, None] * 1.0), np.array([1 / sizes[0]])),
        (sparse.csr_array(outside[:, None] * 1.0), np.array([-1 / sizes[1]])),
    )
    reach = (
        student_quantile(float(spread.freedom[0]), level, None) * float(spread.variance[0]) ** 0.5
    )
    interval = Interval(max(value - reach, -1.0), min(value + reach, 1.0))
    rates = _vote_rates(known, totals.label, inside) - _vote_rates(known, totals.label, outside)
    judges = {
        judge: rate - value
        for judge, rate in zip(known.judges, rates.tolist(), strict=True)
        if np.isfinite(rate)
    }
    leaning = tuple(
        judge
        for judge, lean in judges.items()
        if not interval.lower <= lean + value <= interval.upper
    )
    return CovariateLean(
        covariate=covariate,
        there=there,
        elsewhere=elsewhere,
        difference=value,
        interval=interval,
        judges=judges,
        leaning=leaning,
    )


def _vote_rates(known: LabelledPatterns, label: int, side: NDArray[np.bool_]) -> FloatArray:
    """Return how often each judge gives the label on some of the patterns' items."""
    votes, counts = known.cells.votes[side], known.cells.counts[side]
    cast, given = counts @ (votes >= 0), counts @ (votes == label)
    rates: FloatArray = np.divide(given, cast, out=np.full(len(cast), np.nan), where=cast > 0)
    return rates


def _f_test(of: LabelTotals, one: ItemCovariate, codes: NDArray[np.int16]) -> float:
    """Return p of residuals of labelled items by level: of a line through numbers, or of any differences."""
    labelled = (
        (of.negatives, of.curve.residuals(0)),
        (of.positives, of.curve.residuals(1)),
    )
    codes = np.concatenate([codes, codes])
    counts, residuals = (np.concatenate(pair) for pair in zip(*labelled, strict=True))
    keep = (counts > 0) & ((codes < one.n_valued) | (not one.is_number))
    codes, counts, residuals = codes[keep], counts[keep], residuals[keep]
    design = codes[:, None] == np.unique(codes)
    if one.is_number:
        design = np.column_stack([np.ones(len(codes)), codes])
    root = np.sqrt(counts)[:, None]
    fitted, _, rank, _ = np.linalg.lstsq(design * root, residuals * root[:, 0], rcond=None)
    mean = float(counts @ residuals / max(counts.sum(), 1))
    within = float(counts @ (residuals - design @ fitted) ** 2)
    between = float(counts @ (residuals - mean) ** 2) - within
    of_levels, of_items = int(rank) - 1, int(counts.sum()) - int(rank)
    if of_levels < 1 or of_items < 1 or within <= 0:
        return 1.0
    return float(special.fdtrc(of_levels, of_items, between / of_levels / (within / of_items)))
