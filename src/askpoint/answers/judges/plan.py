"""How many labels for which width, before any label is there, or from those that are.

What votes alone promise holds if they are as good as they seem; labels alone would do with judges
who know nothing. The truth lies mostly between.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

import numpy as np

from askpoint.answers.judges.windows import votes_on
from askpoint.errors import InputError
from askpoint.judges.gold.gold_sketch import GoldSketch
from askpoint.judges.gold.labelled_patterns import label_patterns, patterns_of
from askpoint.judges.gold.proposal import propose_labelled
from askpoint.judges.gold.uncertain_shares import student_quantile
from askpoint.judges.sketch.tables import VoteTable
from askpoint.measures.inputs import FloatArray

__all__ = ["LabelPlan", "PlannedWidths", "plan_labels"]

_SIZES = (25, 50, 100, 200, 400, 800, 1600)
_FEWEST = 4  # labels: below, no width is planned
_LESS_SURE = 0.05
_UNIFORM = 0.3  # of proposed labels, by size alone


@dataclass(frozen=True)
class PlannedWidths:
    """Half widths of the interval of a share with so many labels.

    Attributes
    ----------
    n : int
    proposed, random, labels_only : float
        Drawn as proposed; drawn with equal chances; and without the votes.
    """

    n: int
    proposed: float
    random: float
    labels_only: float


@dataclass(frozen=True)
class LabelPlan:
    """How many labels bring a share to within what is wanted.

    Attributes
    ----------
    within, level : float
    n_items : int
    n_gold : int
        Labels that it rests on; 0 before any.
    proposed, random, labels_only : int
        How many it takes, by how they are drawn.
    widths : tuple of PlannedWidths
        At several numbers.
    """

    within: float
    level: float
    n_items: int
    n_gold: int
    proposed: int
    random: int
    labels_only: int
    widths: tuple[PlannedWidths, ...]


def plan_labels(
    table: VoteTable, gold: Mapping[str, str], *, within: float, level: float = 0.95
) -> LabelPlan:
    """Plan how many labels bring a share to within so much of the truth to either side."""
    if not 0 < within < 0.5:
        raise InputError(
            f"--plan takes a half width between 0 and 0.5, such as 0.03; got {within:g}"
        )
    sketch = votes_on(table)
    n_items = sketch.n_items
    counted = GoldSketch.from_table(table, gold, unjudged="leave out")
    known = label_patterns(sketch, counted) if counted.n_items else patterns_of(sketch)
    left = n_items - counted.n_items
    if n_items < 2 * _FEWEST or not left:
        raise InputError("there is nothing to plan: all items are labelled, or there are too few")
    strata = propose_labelled(known, 1).strata  # of labels known, if there are 25
    sizes = np.array([part.n_items for part in strata], dtype=float)
    spread = np.array([part.deviation for part in strata])
    share = float((known.cells.counts @ known.posterior[:, 0]) / n_items)
    if counted.n_items >= 2 * _FEWEST:
        share = float(known.labelled[:, 0].sum() / counted.n_items)
    share = min(max(share, 1 / n_items), 1 - 1 / n_items)

    def widths(n: int) -> PlannedWidths:
        reach = student_quantile(max(n - 1, 2), level, None)
        unseen = (1 / n - 1 / n_items) * n_items / (n_items - 1)
        mean = sizes @ np.square(spread) / sizes.sum()
        pooled = float(_as_few_show(mean, np.array(n)))
        return PlannedWidths(
            n,
            reach * sqrt(_neyman_variance(sizes, spread, n)) + 0.5 / n_items,
            reach * sqrt(pooled * unseen) + 0.5 / n_items,
            reach * sqrt(share * (1 - share) * unseen) + 0.5 / n_items,
        )

    def fewest(of: str) -> int:
        low, high = _FEWEST, n_items
        while low < high:
            middle = (low + high) // 2
            low, high = (
                (low, middle) if getattr(widths(middle), of) <= within else (middle + 1, high)
            )
        return low

    shown = [widths(n) for n in _SIZES if n < n_items]
    return LabelPlan(
        within=within,
        level=level,
        n_items=n_items,
        n_gold=counted.n_items,
        proposed=fewest("proposed"),
        random=fewest("random"),
        labels_only=fewest("labels_only"),
        widths=tuple(shown),
    )


def _neyman_variance(sizes: FloatArray, spread: FloatArray, n: int) -> float:
    """Variance of a mean with labels that go partly by Neyman's rule, partly by size."""
    total = sizes.sum()
    shares = (1 - _UNIFORM) * sizes * spread / (sizes @ spread) + _UNIFORM * sizes / total
    draws = np.minimum(n * shares, sizes)
    seen = _as_few_show(np.square(spread), draws)
    return float(np.sum(np.square(sizes / total) * seen * (1 / draws - 1 / sizes).clip(0)))


def _as_few_show(variance: FloatArray, n: FloatArray) -> FloatArray:
    """Variance as the interval will take it: with two imaginary labels that are less sure."""
    return (n * variance + 2 * (variance + _LESS_SURE)) / (n + 2)
