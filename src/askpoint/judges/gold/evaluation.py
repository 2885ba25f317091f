"""A few gold labels: prevalence and accuracies that no assumption of independence carries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from scipy import special

from askpoint.errors import InputError, NotEstimableError
from askpoint.judges.evaluation import Evaluation, EvaluationIntervals, named_evaluation
from askpoint.judges.gold.gold_sketch import GoldSketch
from askpoint.judges.gold.pattern_calibration import LabelTotals, label_totals
from askpoint.judges.methods.dawid_skene import fit_labels
from askpoint.judges.sketch.codes import judge_places
from askpoint.judges.sketch.vote_sketch import VoteCells, VoteSketch
from askpoint.measures.inputs import FloatArray, IntArray, as_level
from askpoint.measures.intervals import Interval

__all__ = [
    "GoldEvaluation",
    "PairedDifference",
    "checked_patterns",
    "compare_judges",
    "evaluate_with_gold",
]


@dataclass(frozen=True)
class GoldEvaluation(Evaluation):
    """What `evaluate_with_gold` answers: see `Evaluation`, and beside it:

    Attributes
    ----------
    n_gold : int
        Items checked.
    """

    n_gold: int = 0
    _errors: Mapping[str, tuple[float, float]] = field(default_factory=dict, repr=False)
    _accuracy_errors: Mapping[str, Mapping[str, tuple[float, float]]] = field(
        default_factory=dict, repr=False
    )

    def interval(self, level: float = 0.95) -> EvaluationIntervals:
        """Intervals for the shares among these items."""
        return EvaluationIntervals(
            {
                label: _beta_interval(float(share), *self._errors[label], level)
                for label, share in self.prevalence.items()
            },
            {
                judge: {
                    label: None
                    if share is None
                    else _beta_interval(float(share), *self._accuracy_errors[judge][label], level)
                    for label, share in row.items()
                }
                for judge, row in self.accuracy.items()
            },
        )


@dataclass(frozen=True)
class PairedDifference:
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


def _beta_interval(share: float, variance: float, size: float, level: float) -> Interval:
    """Quantiles of the beta distribution of that mean and variance, to the next whole item."""
    tail = (1 - as_level(level, "level")) / 2
    mean = min(max(share, 1e-9), 1 - 1e-9)
    spread = mean * (1 - mean)
    strength = spread / min(max(variance, 1e-15), 0.999 * spread) - 1
    a, b = mean * strength, (1 - mean) * strength
    half = 0.5 / max(size, 1.0)
    lower = min(float(special.betaincinv(a, b, tail)), share)
    upper = max(float(special.betainccinv(a, b, tail)), share)
    return Interval(max(0.0, lower - half), min(1.0, upper + half))


def checked_patterns(sketch: VoteSketch, gold: GoldSketch) -> tuple[VoteCells, IntArray]:
    """Return all patterns, and how many items of each were checked and turned out as what."""
    for what in ("judges", "labels"):
        mine, theirs = getattr(sketch, what), getattr(gold, what)
        if mine != theirs:
            raise InputError(f"votes and gold have other {what}: {mine} and {theirs}")
    cells, found = sketch.cells(), gold.cells()
    place = {row.tobytes(): i for i, row in enumerate(cells.votes)}
    checked = np.zeros((len(cells.votes), len(sketch.labels)), dtype=np.int64)
    for row, counts in zip(found.votes.astype(np.int16), found.counts, strict=True):
        at = place.get(row.tobytes())
        judged = 0 if at is None else int(cells.counts[at])
        if at is None or counts.sum() > judged:
            votes = ", ".join(sketch.labels[code] if code >= 0 else "no vote" for code in row)
            raise InputError(
                f"{counts.sum()} items with the votes ({votes}) were checked, but {judged} were "
                "judged; the sketch must count all items, those checked included"
            )
        checked[at] = counts
    return cells, checked


def _learn(sketch: VoteSketch, gold: GoldSketch) -> tuple[VoteCells, LabelTotals]:
    cells, checked = checked_patterns(sketch, gold)
    if not gold.n_items:
        raise NotEstimableError("no item was checked yet; propose_gold says which to check first")
    model = fit_labels(cells, len(sketch.labels))
    return cells, label_totals(cells.counts, model.posterior, checked)


def evaluate_with_gold(sketch: VoteSketch, gold: GoldSketch) -> GoldEvaluation:
    """Evaluate judges from all votes and the true labels of a few items.

    P_a = sum_v f_v p_v and P_ia = sum_{v: v_i = a} f_v p_v / P_a, where p_v is the share of
    label a in vote pattern v. It is learnt from the pattern's own checks and, as far as these
    leave it open, from the label-free posterior recalibrated on all checks. Within a pattern
    the checked items must have been drawn at random; across patterns they need not be, so both
    a plain random sample and what `propose_gold` chooses will do.

    Parameters
    ----------
    sketch : VoteSketch
        All items, those checked included; any number of judges and labels, votes may be missing.
    gold : GoldSketch
        The checked items.

    Returns
    -------
    GoldEvaluation

    Raises
    ------
    InputError
        If judges or labels differ, or items were checked that nobody judged.
    NotEstimableError
        If nothing was checked.

    References
    ----------
    Post-stratification and empirical Bayes estimates for small areas: Fay and Herriot, JASA 74
    (1979); prediction-powered inference: Angelopoulos et al., Science 382 (2023).

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
    cells, totals = _learn(sketch, gold)
    cast = (cells.votes >= 0).astype(np.float64)
    n_items = float(cells.counts.sum())
    prevalence, errors = [], {}
    accuracy = np.full((len(sketch.judges), len(sketch.labels)), np.nan)
    found = np.zeros((len(sketch.labels), 3, len(sketch.judges)))
    for k, label in enumerate(sketch.labels):
        of_label = np.zeros((len(cells.votes), len(sketch.labels)))
        of_label[:, k] = 1 / n_items
        mean, variance = totals.total(of_label)
        prevalence.append(mean)
        errors[label] = (variance, n_items)
        found[k] = totals.shares((cells.votes == k).astype(np.float64), cast, k)
        voted = cast.any(axis=0)
        accuracy[voted, k] = found[k, 0, voted].clip(0, 1)
    undefined = {
        judge: "never voted"
        for judge, row in zip(sketch.judges, accuracy, strict=True)
        if np.isnan(row).any()
    }
    answer = named_evaluation(sketch, np.array(prevalence), accuracy, undefined)
    return GoldEvaluation(
        **vars(answer),
        n_gold=gold.n_items,
        _errors=errors,
        _accuracy_errors={
            judge: {
                label: (float(found[k, 1, i]), float(found[k, 2, i]))
                for k, label in enumerate(sketch.labels)
            }
            for i, judge in enumerate(sketch.judges)
        },
    )


def compare_judges(
    sketch: VoteSketch, gold: GoldSketch, first: str, second: str, *, level: float = 0.95
) -> PairedDifference:
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
    >>> from askpoint.judges.gold.gold_sketch import GoldSketch
    >>> from askpoint.judges.gold.evaluation import compare_judges
    >>> from askpoint.judges.sketch.vote_sketch import VoteSketch
    >>> sketch = VoteSketch(["old", "new"], ["ham", "spam"])
    >>> sketch.update_codes([[0, 0], [0, 1], [1, 1]], [500, 100, 400])
    >>> gold = GoldSketch(sketch.judges, sketch.labels)
    >>> gold.update_codes([[0, 1]] * 30, [1] * 29 + [0])
    >>> compare_judges(sketch, gold, "new", "old").interval.lower > 0
    True
    """
    z = -float(special.ndtri((1 - as_level(level, "level")) / 2))
    places = judge_places(sketch.judges, (first, second))
    cells, totals = _learn(sketch, gold)
    one, other = (cells.votes[:, place] for place in places)
    both = (one >= 0) & (other >= 0)
    n_items = int(cells.counts[both].sum())
    if not n_items:
        raise NotEstimableError(f"{first!r} and {second!r} voted on no item together")
    labels = np.arange(len(sketch.labels))
    gains: FloatArray = (one[:, None] == labels).astype(float) - (other[:, None] == labels)
    mean, variance = totals.total(gains * both[:, None] / n_items)
    half = z * float(np.sqrt(variance))
    interval = Interval(max(-1.0, mean - half), min(1.0, mean + half))
    return PairedDifference(first, second, mean, interval, n_items)
