"""The groups of a log as a policy takes them: how often the model is right in each, and which have no labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from askpoint.errors import InputError, NotEstimableError
from askpoint.live.group_scale import GroupScale
from askpoint.measures.inputs import FloatArray, IntArray
from askpoint.records.predictions import PredictionLog
from askpoint.value.posterior.correction import rising
from askpoint.value.posterior.group_posterior import GroupCounts, fit_groups
from askpoint.value.posterior.rightness_model import RightnessModel

__all__ = ["LearnedGroups", "learn_groups"]

_FOLDS, _FEWER_FOLDS, _MANY = (
    4,
    2,
    500,
)  # the fewer where groups are many, for each fold takes seconds
_MOST_RATES = 200_000  # of a policy's file: so many groups times places
_EXPECTED = 5  # labels that a group would have by chance, of which none is there


@dataclass(frozen=True, eq=False)
class LearnedGroups:
    """What a log shows of its groups.

    Parameters
    ----------
    scale : GroupScale
        Learned from all labels.
    of_rows : ndarray of shape (n_items,)
        Chance that the model is right on each row, by that scale.
    held_out : ndarray of shape (n_labelled,)
        The same of each labelled row, learned without its label.
    n_labelled : dict
        Labels of each group.
    """

    scale: GroupScale
    of_rows: FloatArray
    held_out: FloatArray
    n_labelled: dict[str | None, int]


def learn_groups(
    log: PredictionLog, confidence: FloatArray, column: str, *, labels_are_random: bool = False
) -> LearnedGroups:
    """Learn how often the model is right in each group of a log.

    Raises
    ------
    NotEstimableError
        If nothing has a label, or labels are not spread over the groups as chance would.
    """
    if log.group is None:
        raise InputError(f"the log was read without its column of groups, {column!r}")
    if not log.n_labelled:
        raise NotEstimableError(
            "no case has a label, and groups are learned from labels: label some of each group (askpoint value LOG "
            f"--by {column} --propose 100), or deploy without a log"
        )
    used, codes = np.unique(log.group.codes, return_inverse=True)
    names = tuple(log.group.names[code] for code in used.tolist())
    if not labels_are_random:
        _check_spread(names, codes, log, column)
    labels = np.bincount(codes[log.labelled], minlength=len(names))
    scale = _learn(log, confidence, codes, names, column, np.ones(log.n_labelled, dtype=np.bool_))
    named = np.array([*names, None], dtype=object)[codes]
    rows = np.flatnonzero(log.labelled)
    n_folds = _FOLDS if len(names) < _MANY else _FEWER_FOLDS
    fold = np.random.default_rng(0).permutation(len(rows)) % n_folds
    held_out = np.empty(len(rows))
    for k in range(n_folds):
        held = fold == k
        if held.any():
            without = _learn(log, confidence, codes, names, column, ~held)
            held_out[held] = without.right_at(confidence[rows[held]], named[rows[held]].tolist())
    return LearnedGroups(
        scale,
        scale.right_at(confidence, named.tolist()),
        held_out,
        dict(zip(names, labels.tolist(), strict=True)),
    )


def _learn(
    log: PredictionLog,
    confidence: FloatArray,
    codes: IntArray,
    names: tuple[str | None, ...],
    column: str,
    kept: np.ndarray,
) -> GroupScale:
    """Learn from the kept labels, and from where all cases lie."""
    rows = np.flatnonzero(log.labelled)[kept]
    outcome = log.right[kept]
    model = RightnessModel().fit(confidence[rows], outcome, confidence)
    right, wrong = np.zeros(log.n_items), np.zeros(log.n_items)
    right[rows], wrong[rows] = outcome, ~outcome
    # the last group stands for those that the log does not have
    counts = GroupCounts.of_cases(model.evidence_, codes, len(names) + 1, confidence, right, wrong)
    found = fit_groups(counts, model.right_, model.evidence_)
    mass = counts.cases.sum(axis=0)
    starts = _starts(len(mass), len(names))
    whole = np.add.reduceat(mass, starts)
    rates = np.add.reduceat(found.right * mass, starts, axis=1) / whole
    risen = np.array([rising(row, whole) for row in rates])
    return GroupScale(column, model.evidence_.lowest[starts], names, risen[:-1], risen[-1])


def _starts(n_places: int, n_groups: int) -> IntArray:
    """Return where the kept places start: all of them, unless there are very many groups."""
    kept = min(n_places, max(32, _MOST_RATES // n_groups))
    return np.unique(np.linspace(0, n_places - 1, kept).astype(np.int64))


def _check_spread(
    names: tuple[str | None, ...], codes: IntArray, log: PredictionLog, column: str
) -> None:
    """Refuse labels of which a group would have some, had they been drawn at random, and has none."""
    cases = np.bincount(codes, minlength=len(names))
    labels = np.bincount(codes[log.labelled], minlength=len(names))
    missing = np.flatnonzero((labels == 0) & (cases * log.n_labelled >= _EXPECTED * log.n_items))
    if len(missing):
        first = int(missing[cases[missing].argmax()])
        raise NotEstimableError(
            f"{names[first]!r} has {cases[first]:,} cases and no label, where a random sample would have about "
            f"{cases[first] * log.n_labelled / log.n_items:.0f}"
            + (f", and so it is in {len(missing) - 1} more" if len(missing) > 1 else "")
            + f": label some of each group (askpoint value LOG --by {column} --propose 100), or add "
            "--labels-are-random if you know that they are"
        )
