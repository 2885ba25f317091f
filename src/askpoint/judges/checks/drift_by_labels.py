"""Whether a judge changed, by the labels of two periods: nothing is assumed of errors or items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy import special

from askpoint.errors import InputError, NotEstimableError
from askpoint.judges.checks.drift import JudgeDrift, VoteDrift, look_level, period_splits
from askpoint.judges.gold.evaluation import GoldEvaluation, evaluate_labelled
from askpoint.judges.gold.gold_sketch import GoldSketch
from askpoint.judges.gold.labelled_patterns import LabelledPatterns, label_patterns
from askpoint.judges.gold.residual_totals import totals_of
from askpoint.judges.gold.uncertain_shares import UncertainShare
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.measures.inputs import IntArray
from askpoint.measures.multiple_tests import adjust_by_holm

__all__ = ["FEWEST_LABELS", "drift_with_labels"]

FEWEST_LABELS = 20
"""As many must there be in each of two periods."""

_FEWEST_OF_LABEL = 5  # labelled items of a label that a judge voted on, in each period


def drift_with_labels(
    sketches: Sequence[VoteSketch], gold: Sequence[GoldSketch], *, planned: int | None = None
) -> VoteDrift:
    """Say which judges changed, by votes and true labels of successive periods.

    In each period the accuracies are those of `evaluate_with_gold`; their difference is compared
    with its error, that of items such as these included.

    Parameters
    ----------
    sketches, gold : sequences of VoteSketch and GoldSketch
        A period each, in order; any number of judges and labels. The last half and the last quarter
        of the periods are compared with what came before.
    planned : int, optional
        How many looks are planned; without a plan each look has a lower level.

    Returns
    -------
    VoteDrift
        None for a judge who voted on fewer than 5 labelled items of each label in a period.

    Raises
    ------
    InputError
        If there are fewer than two periods, not as many of either, or more looks than planned.
    NotEstimableError
        If fewer than 20 items are labelled before or since.

    Examples
    --------
    >>> from askpoint.judges.checks.drift_by_labels import drift_with_labels
    >>> from askpoint import GoldSketch, VoteSketch
    >>> sketches = [VoteSketch(["ann"], ["no", "yes"]) for _ in range(2)]
    >>> gold = [GoldSketch(["ann"], ["no", "yes"]) for _ in range(2)]
    >>> for sketch, known, wrong in zip(sketches, gold, (3, 30)):
    ...     sketch.update_codes([[0], [1]], [500, 500])
    ...     known.update_codes([[0]] * 50 + [[1]] * 50, [0] * 50 + [0] * wrong + [1] * (50 - wrong))
    >>> drift_with_labels(sketches, gold).alarms
    ('ann',)
    """
    if len(sketches) != len(gold):
        raise InputError(f"votes of {len(sketches)} periods and labels of {len(gold)}")
    level, splits = look_level(len(sketches), planned), period_splits(len(sketches))
    votes, labels = sketches[0] + sketches[1], gold[0]
    for sketch in sketches[2:]:
        votes.merge(sketch)
    total = GoldSketch(labels.judges, labels.labels)
    for one in gold:
        total.merge(one)
    per_period = np.array([one.n_items for one in gold])
    fewest = {split: min(per_period[:split].sum(), per_period[split:].sum()) for split in splits}
    if max(fewest.values()) < FEWEST_LABELS:
        raise NotEstimableError(
            f"drift by labels needs {FEWEST_LABELS} labelled items before and as many since; here one "
            f"of the two has {max(fewest.values())}"
        )
    splits = [split for split in splits if fewest[split] >= FEWEST_LABELS]
    known = label_patterns(votes, total)
    place = {row.tobytes(): i for i, row in enumerate(known.cells.votes)}
    counts = np.stack([_at(sketch.cells(), place) for sketch in sketches])
    labelled = np.stack([_at(one.cells(), place) for one in gold])
    tried: dict[str, list[JudgeDrift]] = {judge: [] for judge in known.judges}
    for split in splits:
        before, after = (
            _evaluate_period(known, counts[part].sum(axis=0), labelled[part].sum(axis=0))
            for part in (slice(split), slice(split, None))
        )
        since = int(counts[:split].sum())
        for judge, found in tried.items():
            if (change := _change(before, after, judge, since)) is not None:
                found.append(change)
    best = {
        judge: min(found, key=lambda one: one.p_value) for judge, found in tried.items() if found
    }
    adjusted = adjust_by_holm([min(1.0, one.p_value * len(splits)) for one in best.values()])
    adjusted_drifts = {
        judge: replace(one, p_value=p)
        for (judge, one), p in zip(best.items(), adjusted, strict=True)
    }
    return VoteDrift({judge: adjusted_drifts.get(judge) for judge in known.judges}, level)


def _at(cells: tuple[IntArray, IntArray], place: dict[bytes, int]) -> IntArray:
    """Counts of patterns at their places among all."""
    votes, counts = cells
    placed = np.zeros((len(place), *counts.shape[1:]), dtype=np.int64)
    placed[[place[row.tobytes()] for row in votes.astype(np.int16)]] = counts
    return placed


def _evaluate_period(
    known: LabelledPatterns, counts: IntArray, labelled: IntArray
) -> GoldEvaluation:
    return evaluate_labelled(totals_of(known.part(counts, labelled).as_drawn("as proposed")))


def _change(
    before: GoldEvaluation, after: GoldEvaluation, judge: str, since: int
) -> JudgeDrift | None:
    """Return the label on which a judge's accuracy changed most surely."""
    p, old, new = [], {}, {}
    for label in before.labels:
        early, late = (part.accuracy_bounds[judge][label] for part in (before, after))
        if early is None or late is None or min(early.labels, late.labels) < _FEWEST_OF_LABEL:
            continue
        old[label], new[label] = early.value, late.value
        p.append(_p_value(early, late))
    return JudgeDrift(min(1.0, len(p) * min(p)), since, old, new) if p else None


def _p_value(early: UncertainShare, late: UncertainShare) -> float:
    """Welch's test of two accuracies, each with the error of its items as well."""
    spread = [of.variance + of.value * (1 - of.value) / of.size for of in (early, late)]
    total = sum(spread)
    if total == 0:
        return float(early.value == late.value)
    freedom = total**2 / sum(v**2 / of.freedom for v, of in zip(spread, (early, late), strict=True))
    return 2 * float(special.stdtr(freedom, -abs(late.value - early.value) / np.sqrt(total)))
