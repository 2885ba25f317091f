"""What a panel and each of its judges are worth, in labels that they save."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from askpoint.errors import InputError
from askpoint.judges.gold.evaluation import evaluate_labelled
from askpoint.judges.gold.labelled_patterns import LabelledPatterns
from askpoint.judges.gold.residual_totals import totals_of
from askpoint.judges.gold.uncertain_shares import student_quantile
from askpoint.judges.methods.dawid_skene import fit_labels
from askpoint.judges.sketch.vote_sketch import VoteCells

__all__ = ["LabelWorth", "measure_worth"]

_MOST = 20  # judges, each of whom is left out once


@dataclass(frozen=True, kw_only=True)
class LabelWorth:
    """Labels that a panel is worth, for the share of one label.

    Attributes
    ----------
    n_gold : int
        Labels given.
    n_plain : float
        Labels drawn at random that would give as narrow an interval without any votes.
    judges : mapping of str to float or None
        How many of these go if the judge alone is left out; below 0 where the interval is narrower
        without. None for all of more than 20 judges, and for a single one.
    """

    n_gold: int
    n_plain: float
    judges: Mapping[str, float | None]

    @property
    def factor(self) -> float:
        """What one label is worth with these votes."""
        return self.n_plain / self.n_gold


def measure_worth(patterns: LabelledPatterns, label: str, level: float = 0.95) -> LabelWorth:
    """Measure what the votes are worth, and what each judge adds to the others.

    The strata that labels were drawn from stay, whoever is left out.

    Raises
    ------
    NotEstimableError
        If no item is labelled.

    Examples
    --------
    >>> from askpoint import GoldSketch, VoteSketch
    >>> from askpoint.judges.gold.label_worth import measure_worth
    >>> from askpoint.judges.gold.labelled_patterns import label_patterns
    >>> votes, gold = (
    ...     VoteSketch(["ann", "bob"], ["no", "yes"]),
    ...     GoldSketch(["ann", "bob"], ["no", "yes"]),
    ... )
    >>> votes.update_codes([[0, 0], [0, 1], [1, 0], [1, 1]], [300, 200, 200, 300])
    >>> gold.update_codes([[0, 0], [0, 1]] * 15 + [[1, 0], [1, 1]] * 15, [0] * 30 + [1] * 30)
    >>> found = measure_worth(label_patterns(votes, gold), "yes")
    >>> found.factor > 2, found.judges["ann"] > found.judges["bob"]
    (True, True)
    """
    if label not in patterns.labels:
        raise InputError(f"label must be one of {', '.join(patterns.labels)}; got {label!r}")
    drawn = patterns.as_drawn("as proposed")
    whole = _plain_labels(drawn, label, level)
    n = len(patterns.judges)
    judges: dict[str, float | None] = dict.fromkeys(patterns.judges)
    if 1 < n <= _MOST:
        judges = {
            judge: whole - _plain_labels(_without(drawn, place), label, level)
            for place, judge in enumerate(patterns.judges)
        }
    return LabelWorth(n_gold=int(patterns.drawn.sum()), n_plain=whole, judges=judges)


def _without(patterns: LabelledPatterns, place: int) -> LabelledPatterns:
    """Return the same items, labels and strata as the other judges see them."""
    keep = np.arange(len(patterns.judges)) != place
    cells = VoteCells(patterns.cells.votes[:, keep], patterns.cells.counts)
    cast = tuple(of[:, np.flatnonzero(keep)] for of in patterns.cast)
    r = len(patterns.labels)
    votes = np.column_stack([np.asarray(of.sum(axis=1)).ravel() for of in cast])
    return replace(
        patterns,
        judges=tuple(judge for judge, kept in zip(patterns.judges, keep, strict=True) if kept),
        cells=cells,
        cast=cast,
        posterior=fit_labels(cells, r).posterior,
        vote_share=(votes + 1 / r) / (votes.sum(axis=1, keepdims=True) + 1),
    )


def _plain_labels(patterns: LabelledPatterns, label: str, level: float) -> float:
    """Return the labels whose plain interval of the share is as wide as that with votes."""
    found = evaluate_labelled(totals_of(patterns))
    around = found.interval(level).prevalence[label]
    if around is None:
        return 0.0
    n, n_items = found.n_gold, patterns.n_items
    half = max((around.upper - around.lower - 1 / n_items) / 2, 1e-12)
    near = (n * float(found.prevalence[label]) + 2) / (n + 4)  # as Wilson's interval takes it
    reach = student_quantile(max(n - 1, 2), level, None)
    return 1 / ((half / reach) ** 2 / (near * (1 - near)) + 1 / n_items)
