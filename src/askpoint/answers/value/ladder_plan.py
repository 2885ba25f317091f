"""What to run and to label next, so that labels show whether a ladder saves."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from askpoint.answers.value.ladder import LadderAnswer
from askpoint.errors import InputError, NotEstimableError
from askpoint.measures.inputs import IntArray

__all__ = ["LadderPlan", "draw_plan", "plan_labels"]

_MOST = 5000  # labels, beyond which a plan is no plan


@dataclass(frozen=True)
class LadderPlan:
    """How many cases to label next, with every rung run on them.

    Parameters
    ----------
    n_labels : int or None
        Further labelled cases with every output; None where a reason says why there is no number.
    reason : str
        Why there is none; empty if there is.
    n_to_run : dict of str to int
        Outputs that cases with a label lack, by rung: they are had without a person.
    """

    n_labels: int | None
    reason: str
    n_to_run: dict[str, int]


def plan_labels(answer: LadderAnswer) -> LadderPlan:
    """Return how many labels more would show the saving, if it stays what the labels show so far.

    A standard error falls with the root of the labels, and a ladder is used where the saving exceeds one.
    """
    guard, log = answer.choice.guard, answer.log
    to_run = {
        line.name: int((log.labelled & ~seen).sum())
        for line, seen in zip(answer.rungs, log.outputs.seen, strict=True)
    }
    to_run = {name: n for name, n in to_run.items() if n}
    if guard.is_used:
        return LadderPlan(None, "the ladder is used already", to_run)
    if guard.saved_by_model <= 0:
        return LadderPlan(None, "no second call is expected to pay", to_run)
    if guard.saved_by_labels <= 0 or not guard.error:
        return LadderPlan(None, "the labels so far show no saving", to_run)
    needed = guard.n_labelled * (guard.error / guard.saved_by_labels) ** 2
    more = max(1, math.ceil(needed) - guard.n_labelled)
    if more > _MOST:
        return LadderPlan(None, f"it would take more than {_MOST:,} labels", to_run)
    return LadderPlan(more, "", to_run)


def draw_plan(answer: LadderAnswer, n: int) -> IntArray:
    """Draw unlabelled cases at random, in their order: labels that depend on nothing suit every rung.

    Raises
    ------
    InputError
        If fewer than one case is wanted.
    NotEstimableError
        If every case has a label.
    """
    if n < 1:
        raise InputError(f"propose at least 1 case; got {n}")
    free = np.flatnonzero(~answer.log.labelled)
    if not free.size:
        raise NotEstimableError("every case has a label, so there is none to propose")
    rng = np.random.default_rng(answer.question.seed + answer.log.n_labelled)
    return np.sort(rng.choice(free, min(n, free.size), replace=False))
