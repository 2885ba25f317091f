"""A few gold labels: prevalence and accuracies that no assumption of independence carries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import add

import numpy as np
from scipy import sparse

from askpoint.judges.evaluation import Evaluation, EvaluationIntervals
from askpoint.judges.gold.gold_sketch import GoldSketch
from askpoint.judges.gold.labelled_patterns import LabelledPatterns, label_patterns
from askpoint.judges.gold.residual_totals import LabelTotals, totals_of
from askpoint.judges.gold.uncertain_shares import UncertainShare, share_interval_around
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.measures.inputs import FloatArray, IntArray

__all__ = ["GoldEvaluation", "evaluate_labelled", "evaluate_with_gold"]


@dataclass(frozen=True)
class GoldEvaluation(Evaluation):
    """What `evaluate_with_gold` answers: see `Evaluation`, and beside it:

    Attributes
    ----------
    n_gold : int
        Items checked.
    bounds : mapping of label to Uncertain
        What bounds each prevalence.
    accuracy_bounds : mapping of judge to mapping of label to Uncertain
        What bounds each accuracy, None where it is undefined.
    """

    n_gold: int = 0
    bounds: Mapping[str, UncertainShare] = field(default_factory=dict, repr=False)
    accuracy_bounds: Mapping[str, Mapping[str, UncertainShare | None]] = field(
        default_factory=dict, repr=False
    )

    def interval(self, level: float = 0.95, *, any_time: bool = False) -> EvaluationIntervals:
        """Intervals for the shares among these items; with `any_time` however often one looks."""
        looked = self.n_gold if any_time else None
        return EvaluationIntervals(
            {label: share_interval_around(at, level, looked) for label, at in self.bounds.items()},
            {
                judge: {
                    label: None if at is None else share_interval_around(at, level, looked)
                    for label, at in row.items()
                }
                for judge, row in self.accuracy_bounds.items()
            },
        )


def evaluate_with_gold(
    sketch: VoteSketch, gold: GoldSketch, *, drawn: str = "as proposed"
) -> GoldEvaluation:
    """Evaluate judges from all votes and the true labels of a few items.

    What votes say of each pattern is recalibrated on the labels, and mended by what it got
    wrong there: right on average however wrong the judges are, the more precise the better
    they are. The labelled items must have been drawn at random, all with equal chances or as
    `propose_gold` draws them.

    Parameters
    ----------
    sketch : VoteSketch
        All items, those checked included; any number of judges and labels, votes may be missing.
    gold : GoldSketch
        The checked items.
    drawn : {"as proposed", "at random"}, default="as proposed"
        "as proposed" holds for proposals and for plain random samples alike. "at random" is for
        the latter alone, and somewhat narrower with few labels.

    Returns
    -------
    GoldEvaluation

    Raises
    ------
    InputError
        If judges or labels differ, or items were checked that nobody judged.
    NotEstimableError
        If nothing was checked.

    Notes
    -----
    A difference estimator: Sarndal, Swensson and Wretman, Model Assisted Survey Sampling (1992),
    with the power tuning of prediction-powered inference: Angelopoulos, Duchi and Zrnic (2023).

    Examples
    --------
    >>> from askpoint.judges.gold.gold_sketch import GoldSketch
    >>> from askpoint.judges.gold.evaluation import evaluate_with_gold
    >>> from askpoint.judges.sketch.vote_sketch import VoteSketch
    >>> sketch = VoteSketch(["ann", "bob", "cy"], ["ham", "spam"])
    >>> sketch.update_codes([[0, 0, 0], [0, 0, 1], [1, 1, 1]], [500, 100, 400])
    >>> gold = GoldSketch(sketch.judges, sketch.labels)
    >>> gold.update_codes(
    ...     [[0, 0, 0]] * 20 + [[0, 0, 1]] * 20 + [[1, 1, 1]] * 20, [0] * 40 + [1] * 20
    ... )
    >>> evaluation = evaluate_with_gold(sketch, gold)
    >>> lower, upper = evaluation.interval().prevalence["ham"]
    >>> lower < 0.6 < upper
    True
    """
    return evaluate_labelled(totals_of(label_patterns(sketch, gold).as_drawn(drawn)))


def evaluate_labelled(totals: Sequence[LabelTotals], *, accuracies: bool = True) -> GoldEvaluation:
    """Evaluate judges from what was learnt of each label; without accuracies if only shares matter."""
    patterns = totals[0].known
    shares = np.array([of.expected.sum() for of in totals])
    shares = shares.clip(patterns.labelled.sum(axis=0))
    prevalences = {
        label: _prevalence(of, float(share))
        for label, of, share in zip(patterns.labels, totals, shares / shares.sum(), strict=True)
    }
    columns = [_accuracies(of) for of in totals] if accuracies else []
    judges = patterns.judges if accuracies else ()
    by_judge = {
        judge: dict(zip(patterns.labels, row, strict=True))
        for judge, *row in zip(judges, *columns, strict=True)
    }
    return GoldEvaluation(
        {label: at.value for label, at in prevalences.items()},
        {
            judge: {label: None if at is None else at.value for label, at in row.items()}
            for judge, row in by_judge.items()
        },
        patterns.n_items,
        _explain_undefined(patterns, by_judge) if accuracies else {},
        n_gold=int(patterns.drawn.sum()),
        bounds=prevalences,
        accuracy_bounds=by_judge,
    )


def _explain_undefined(
    known: LabelledPatterns, accuracies: Mapping[str, Mapping[str, UncertainShare | None]]
) -> dict[str, str]:
    reasons = {}
    seen = dict(zip(known.labels, (known.labelled.sum(axis=0) > 0).tolist(), strict=True))
    for (judge, row), votes in zip(accuracies.items(), known.cells.votes.T, strict=True):
        if missing := [label for label, at in row.items() if at is None]:
            voted = bool((votes >= 0).any())
            reasons[judge] = (
                "never voted"
                if not voted
                else f"no vote on an item that seems {missing[0]!r}"
                if seen[missing[0]]
                else f"no item was labelled {missing[0]!r}"
            )
    return reasons


def _prevalence(of: LabelTotals, share: float) -> UncertainShare:
    n = of.known.n_items
    spread = of.spread_of((None, np.array([1 / n])))
    seen, not_seen = float(of.positives.sum()), float(of.negatives.sum())
    return UncertainShare(
        min(max(share, seen / n), 1 - not_seen / n),
        float(spread.variance[0]),
        float(spread.freedom[0]),
        n,
        float(_effective(of, of.known.drawn)[0]),
        seen / n,
        1 - not_seen / n,
        open_below=seen == 0,
        open_above=not_seen == 0,
    )


def _accuracies(of: LabelTotals) -> list[UncertainShare | None]:
    """Return each judge's accuracy on the label, None where no item was labelled so, or seems to be."""
    patterns, label = of.known, of.label
    if not of.positives.any():
        return [None] * len(patterns.judges)
    said = patterns.cast[label]
    instead = reduce(add, (cast for k, cast in enumerate(patterns.cast) if k != label))
    hits, misses = (
        _between(of.expected @ cast, of.positives @ cast, _counts_without_gold(patterns, cast))
        for cast in (said, instead)
    )
    voted = hits + misses
    size = np.where(voted > 0, voted, 1)
    share = hits / size
    spread = of.spread_of((said, (1 - share) / size), (instead, -share / size))
    right, wrong = of.positives @ said, of.positives @ instead
    lower = right / np.maximum(right + wrong + _counts_without_gold(patterns, instead), 1)
    upper = (right + _counts_without_gold(patterns, said)) / np.maximum(
        right + _counts_without_gold(patterns, said) + wrong, 1
    )
    labels = _effective(of, of.positives, said + instead)
    bounds = (lower, upper, right == 0, wrong == 0)
    columns = (share, spread.variance, spread.freedom, size, labels, *bounds)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [
        UncertainShare(*row) if any_ else None for any_, row in zip(voted > 0, rows, strict=True)
    ]


def _effective(
    of: LabelTotals, labelled: FloatArray | IntArray, cast: sparse.csr_array | None = None
) -> FloatArray:
    """Kish's effective number of labelled items, for each judge or in all."""
    weight = of.known.weights
    first, second = (
        np.atleast_1d(powers.sum() if cast is None else powers @ cast)
        for powers in (labelled * weight, labelled * weight**2)
    )
    effective: FloatArray = np.divide(first**2, second, out=np.zeros_like(first), where=second > 0)
    return effective


def _counts_without_gold(known: LabelledPatterns, cast: sparse.csr_array) -> FloatArray:
    return (known.cells.counts - known.drawn) @ cast  # type: ignore[no-any-return]


def _between(values: FloatArray, known: FloatArray, unseen: FloatArray) -> FloatArray:
    return np.minimum(np.maximum(values, known), known + unseen)
