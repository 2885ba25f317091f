"""What a panel and each of its judges are worth, in labels that they save."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from scipy import special

from askpoint.errors import InputError
from askpoint.judges.gold.evaluation import evaluate_labelled
from askpoint.judges.gold.labelled_patterns import LabelledPatterns
from askpoint.judges.gold.residual_totals import LabelTotals, totals_of
from askpoint.judges.gold.uncertain_shares import student_quantile
from askpoint.judges.methods.dawid_skene import fit_labels
from askpoint.judges.sketch.vote_sketch import VoteCells
from askpoint.measures.inputs import FloatArray
from askpoint.measures.intervals import Interval

__all__ = [
    "JudgeWorth",
    "LabelWorth",
    "PanelWorth",
    "can_leave_out",
    "count_lost_labels",
    "measure_panel",
    "measure_worth",
]

_MOST_WORK = 8_000_000  # patterns, judges and labels in all panels that are measured: some 4 s
_MOST_LABELS = 10


@dataclass(frozen=True, kw_only=True)
class JudgeWorth:
    """Labels that go if one judge alone is left out.

    Attributes
    ----------
    labels : float
        Below 0 where the interval is narrower without.
    interval : Interval
    """

    labels: float
    interval: Interval


@dataclass(frozen=True, kw_only=True)
class LabelWorth:
    """Labels that a panel is worth, for the share of one label.

    Attributes
    ----------
    n_gold : int
        Labels given.
    n_plain : float
        Labels drawn at random that would give as narrow an interval without any votes; never fewer than
        were given, for where votes tell less, labels alone are used.
    interval : Interval
        Of that number.
    uses_votes : bool
        Whether votes are used at all.
    judges : mapping of str to JudgeWorth or None
        How many of these go if the judge alone is left out. None for all where votes are not used, or
        patterns and judges are too many, and for a single one.
    by_label : mapping of str to float
        The same as `n_plain` of each label, where there are three to ten.
    """

    n_gold: int
    n_plain: float
    interval: Interval
    uses_votes: bool
    judges: Mapping[str, JudgeWorth | None]
    by_label: Mapping[str, float] = field(default_factory=dict)

    @property
    def factor(self) -> float:
        """What one label is worth with these votes."""
        return self.n_plain / self.n_gold


@dataclass(frozen=True, kw_only=True)
class PanelWorth:
    """What some judges of a panel are worth, and what that rests on.

    Attributes
    ----------
    n_plain : float
        As in `LabelWorth`.
    variance, freedom : float
        Of the share, and the degrees of freedom of that.
    per_variance : float
        By how much 1 / n_plain grows with the variance.
    squares : ndarray of shape (n_patterns, 2)
        What one labelled item of a pattern adds to the variance, if of another label and of this.
    uses_votes : bool
    """

    n_plain: float
    variance: float
    freedom: float
    per_variance: float
    squares: FloatArray
    uses_votes: bool


def measure_worth(patterns: LabelledPatterns, label: str, level: float = 0.95) -> LabelWorth:
    """Measure what the votes are worth, and what each judge adds to the others.

    The strata that labels were drawn from stay, whoever is left out.

    Raises
    ------
    NotEstimableError
        If no item is labelled.

    Notes
    -----
    The panel's interval takes the variance of the share for a multiple of chi-square. A judge's takes
    the labelled items' own differences, with that judge and without, as independent of each other.

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
    >>> found.factor > 2, found.judges["ann"].labels > found.judges["bob"].labels
    (True, True)
    """
    if label not in patterns.labels:
        raise InputError(f"label must be one of {', '.join(patterns.labels)}; got {label!r}")
    whole = measure_panel(patterns, label, patterns.judges, level)
    n_gold, n = int(patterns.drawn.sum()), len(patterns.judges)
    judges: dict[str, JudgeWorth | None] = dict.fromkeys(patterns.judges)
    if n > 1 and whole.uses_votes and can_leave_out(patterns):
        for judge in patterns.judges:
            others = [other for other in patterns.judges if other != judge]
            without = measure_panel(patterns, label, others, level)
            judges[judge] = count_lost_labels(patterns, label, whole, without, level)
    tail = (1 - level) / 2
    ends = [
        1 / max((1 / whole.n_plain) + whole.per_variance * whole.variance * (scale - 1), 1e-12)
        for scale in (
            whole.freedom / special.chdtri(whole.freedom, 1 - tail),
            whole.freedom / special.chdtri(whole.freedom, tail),
        )
    ]
    low, high = (min(max(end, n_gold), patterns.n_items) for end in sorted(ends))
    return LabelWorth(
        n_gold=n_gold,
        n_plain=whole.n_plain,
        interval=Interval(min(low, whole.n_plain), max(high, whole.n_plain)),
        uses_votes=whole.uses_votes,
        judges=judges,
        by_label=_by_label(patterns, label, whole, level),
    )


def can_leave_out(patterns: LabelledPatterns) -> bool:
    """Return whether measuring as many panels as there are judges takes seconds at most."""
    return patterns.cells.votes.size * len(patterns.judges) * len(patterns.labels) <= _MOST_WORK


def _by_label(
    patterns: LabelledPatterns, told: str, whole: PanelWorth, level: float
) -> dict[str, float]:
    if not 2 < len(patterns.labels) <= _MOST_LABELS:
        return {}
    found = {told: whole} | {
        label: measure_panel(patterns, label, patterns.judges, level)
        for label in patterns.labels
        if label != told
    }
    return {label: found[label].n_plain for label in patterns.labels}


def measure_panel(
    patterns: LabelledPatterns, label: str, judges: Collection[str], level: float
) -> PanelWorth:
    """Measure what some of the judges are worth together; none are worth the labels given."""
    n, n_items = int(patterns.drawn.sum()), patterns.n_items
    drawn = patterns.as_drawn("as proposed")
    if len(judges) < len(patterns.judges):
        drawn = _with_judges(drawn, judges)
    totals = totals_of(drawn)
    of = totals[patterns.labels.index(label)]
    found = evaluate_labelled(totals, accuracies=False)
    around = found.interval(level).prevalence[label]
    at = found.bounds[label]
    uses_votes = of.curve.uses_votes and bool(judges)
    near = (n * at.value + 2) / (n + 4)  # as Wilson's interval takes it
    reach = student_quantile(max(n - 1, 2), level, None)
    half = 0.0 if around is None else (around.upper - around.lower - 1 / n_items) / 2
    plain = 1 / (max(half / reach, 1e-12) ** 2 / (near * (1 - near)) + 1 / n_items)
    plain = max(plain, float(n)) if uses_votes else float(n)
    variance = max(at.variance, 1e-300)
    return PanelWorth(
        n_plain=plain,
        variance=variance,
        freedom=at.freedom,
        per_variance=max(1 / plain - 1 / n_items, 0.0) / variance,
        squares=_squares(of),
        uses_votes=uses_votes,
    )


def count_lost_labels(
    patterns: LabelledPatterns, label: str, whole: PanelWorth, without: PanelWorth, level: float
) -> JudgeWorth:
    """Return the labels that go without some judges, and how sure that is."""
    labels = whole.n_plain - without.n_plain
    positives = patterns.labelled[:, patterns.labels.index(label)]
    counts = np.column_stack([patterns.drawn - positives, positives])
    less, more = (one.squares * one.per_variance * one.n_plain**2 for one in (without, whole))
    moved = less - more
    mean = float((counts * moved).sum() / counts.sum())
    spread = float((counts * (moved - mean) ** 2).sum())
    freedom = min(whole.freedom, without.freedom)
    reach = student_quantile(freedom, level, None) * float(np.sqrt(spread))
    return JudgeWorth(labels=labels, interval=Interval(labels - reach, labels + reach))


def _squares(of: LabelTotals) -> FloatArray:
    """Return what one labelled item of a pattern adds to the share's variance, by its truth."""
    known = of.known
    draws = np.maximum(known.draws, 1)
    scale = (known.sizes - known.draws) / draws * known.sizes / draws / known.n_items**2
    squares = [of.curve.residuals(truth) ** 2 * scale[known.stratum] for truth in (0, 1)]
    columns: FloatArray = np.column_stack(squares)
    return columns


def _with_judges(patterns: LabelledPatterns, judges: Collection[str]) -> LabelledPatterns:
    """Return the same items, labels and strata as some of the judges see them."""
    keep = np.array([judge in judges for judge in patterns.judges])
    cells = VoteCells(patterns.cells.votes[:, keep], patterns.cells.counts)
    cast = tuple(of[:, np.flatnonzero(keep)] for of in patterns.cast)
    r = len(patterns.labels)
    votes = np.column_stack([np.asarray(of.sum(axis=1)).ravel() for of in cast])
    none = np.full((len(patterns.drawn), r), 1 / r)
    return replace(
        patterns,
        judges=tuple(judge for judge in patterns.judges if judge in judges),
        cells=cells,
        cast=cast,
        posterior=fit_labels(cells, r).posterior if len(judges) else none,
        vote_share=(votes + 1 / r) / (votes.sum(axis=1, keepdims=True) + 1),
    )
