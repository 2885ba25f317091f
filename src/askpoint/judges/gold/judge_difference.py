"""Which of two judges is right more often, and by how much: item by item, from a few gold labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from askpoint.errors import NotEstimableError
from askpoint.judges.gold.domain_sums import DomainSums, stratified_variance
from askpoint.judges.gold.gold_sketch import GoldSketch
from askpoint.judges.gold.labelled_patterns import label_patterns
from askpoint.judges.gold.residual_totals import LabelTotals, totals_of
from askpoint.judges.gold.uncertain_shares import UncertainShare, difference_interval
from askpoint.judges.sketch.codes import judge_places
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.measures.inputs import FloatArray, as_level
from askpoint.measures.intervals import Interval

__all__ = ["JudgeDifference", "compare_judges", "compare_labelled"]

_DOUBT = 0.1  # no label is surer than that, where judges differ: docs/evidence/judges.md


@dataclass(frozen=True)
class JudgeDifference:
    """How much more often one judge is right than another, on the items both voted on.

    Attributes
    ----------
    first, second : str
    difference : float
        Share right of the first less share right of the second, all labels together.
    interval : Interval
    n_items : int
        Items with both votes.
    """

    first: str
    second: str
    difference: float
    interval: Interval
    n_items: int


def compare_judges(
    sketch: VoteSketch,
    gold: GoldSketch,
    first: str,
    second: str,
    *,
    level: float = 0.95,
    drawn: str = "as proposed",
    any_time: bool = False,
) -> JudgeDifference:
    """Compare two judges, or two models, item by item.

    Only items on which the two differ matter; that they err on the same items takes nothing
    from the precision of their difference.

    Parameters
    ----------
    sketch : VoteSketch
    gold : GoldSketch
        As in `evaluate_with_gold`.
    first, second : str
        Two of the judges.
    level : float, default=0.95
        Interval coverage.
    drawn : {"as proposed", "at random"}, default="as proposed"
        As in `evaluate_with_gold`.
    any_time : bool, default=False
        Whether the interval shall hold however often one looks while labelling.

    Returns
    -------
    PairedDifference

    Raises
    ------
    InputError
        If one is no judge, or as in `evaluate_with_gold`.
    NotEstimableError
        If nothing was checked, or no item has both votes.

    Examples
    --------
    >>> from askpoint.judges.gold.judge_difference import compare_judges
    >>> from askpoint.judges.gold.gold_sketch import GoldSketch
    >>> from askpoint.judges.sketch.vote_sketch import VoteSketch
    >>> sketch = VoteSketch(["old", "new"], ["ham", "spam"])
    >>> sketch.update_codes([[0, 0], [0, 1], [1, 1]], [500, 100, 400])
    >>> gold = GoldSketch(sketch.judges, sketch.labels)
    >>> gold.update_codes([[0, 1]] * 30 + [[0, 0]] * 5 + [[1, 1]] * 5, [1] * 29 + [0] * 6 + [1] * 5)
    >>> compare_judges(sketch, gold, "new", "old").interval.lower > 0
    True
    """
    as_level(level, "level")
    judge_places(sketch.judges, (first, second))
    patterns = label_patterns(sketch, gold).as_drawn(drawn)
    return compare_labelled(totals_of(patterns), first, second, level, any_time=any_time)


def compare_labelled(
    totals: Sequence[LabelTotals], first: str, second: str, level: float, *, any_time: bool
) -> JudgeDifference:
    """Compare two judges from what was learnt of each label."""
    patterns = totals[0].known
    places = judge_places(patterns.judges, (first, second))
    counts, labelled, drawn_of = patterns.cells.counts, patterns.labelled, patterns.drawn
    one, other = (patterns.cells.votes[:, place] for place in places)
    both = (one >= 0) & (other >= 0)
    n_items = int(counts[both].sum())
    if not n_items:
        raise NotEstimableError(f"{first!r} and {second!r} voted on no item together")
    r = len(patterns.labels)
    gains = (
        (one[:, None] == np.arange(r)).astype(float) - (other[:, None] == np.arange(r))
    ) * both[:, None]
    value = sum(float(of.expected @ gains[:, k]) for k, of in enumerate(totals)) / n_items
    chance = np.column_stack([of.curve.chance for of in totals])
    leverage = np.column_stack([of.curve.leverage for of in totals])
    loose = gains / (1 - leverage)
    missed = loose - (loose * chance).sum(axis=1, keepdims=True)  # by pattern and true label
    differ = (both & (one != other)).astype(float)
    believed = chance
    if not all(of.curve.uses_votes for of in totals):
        believed = np.full_like(chance, 1 / r)  # labels alone say nothing of where judges differ
    columns = (
        counts * differ,
        drawn_of * differ,
        counts * _gain_variance(believed, gains),
        (labelled * missed**2).sum(axis=1),
        (labelled * missed**4).sum(axis=1),
    )
    sums = DomainSums(*(patterns.by_stratum(column)[:, None] for column in columns))
    spread = stratified_variance([(sums, np.array([1 / n_items]))], patterns.sizes, patterns.draws)
    gained = float((labelled * gains).sum())
    unseen = float((counts - drawn_of) @ differ)
    lower, upper = (gained - unseen) / n_items, (gained + unseen) / n_items
    at = UncertainShare(
        min(max(value, lower), upper),
        float(spread.variance[0]),
        float(spread.freedom[0]),
        n_items,
        float(patterns.drawn.sum()),
        lower,
        upper,
        open_below=not (labelled * (gains > 0)).any(),
        open_above=not (labelled * (gains < 0)).any(),
    )
    interval = difference_interval(at, level, int(patterns.drawn.sum()) if any_time else None)
    return JudgeDifference(first, second, at.value, interval, n_items)


def _gain_variance(chance: FloatArray, gains: FloatArray) -> FloatArray:
    """Return by pattern the variance of the gain as recalibrated votes expect it, never quite sure."""
    doubted = chance + _DOUBT
    doubted = doubted / doubted.sum(axis=1, keepdims=True)
    mean = (doubted * gains).sum(axis=1)
    variance: FloatArray = (doubted * gains**2).sum(axis=1) - mean**2
    return variance
