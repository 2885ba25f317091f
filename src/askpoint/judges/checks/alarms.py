"""An alarm that needs no assumption: could the judges be as good as they should be?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy import optimize

from askpoint.errors import InputError
from askpoint.judges.checks.feasible_labelings import FeasibleLabelings, Requirement, as_required
from askpoint.judges.evaluation import Evaluation, name_evaluation
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.judges.sketch.voters import usable_judges
from askpoint.measures.inputs import FloatArray, as_choice

__all__ = ["Alarm", "alarm"]

_PRECISION = 1e-5


@dataclass(frozen=True)
class Alarm:
    """Whether the votes rule out that the judges meet a specification.

    Attributes
    ----------
    fires : bool
        No truth at all lets them meet it.
    who : str
        "all" judges or "most".
    required : mapping of judge to mapping of label to float
        The accuracy asked of each (symbol t).
    best : float
        The best accuracy on all labels that all judges could still have (symbol t*), from above
        and to within 1e-5.
    example : Evaluation or None
        A truth that meets the specification: one of many, no estimate. None if the alarm fires,
        or the search was broken off.
    is_decided : bool
        False if the search in whole items was broken off, where fractions of items would do:
        then the alarm does not fire.
    reason : str
        In words.
    """

    fires: bool
    who: str
    required: Mapping[str, Mapping[str, float]]
    best: float
    example: Evaluation | None
    is_decided: bool
    reason: str


def alarm(sketch: VoteSketch, *, required: Requirement, who: str = "all") -> Alarm:
    """Fire if no truth lets the judges be as accurate as they are required to be.

    Nothing is assumed, neither independence nor better than chance: the alarm never fires on
    judges that meet the specification. It stays silent about all that votes cannot rule out; so
    silence is no praise. A label that no item has asks nothing of anybody.

    Parameters
    ----------
    sketch : VoteSketch
        Votes of at least two judges.
    required : float or mapping
        Least accuracy: one for all, or by label, or by judge, or by judge and label.
    who : {"all", "most"}, default="all"
        Must all judges meet it, or more than half of them?

    Returns
    -------
    Alarm

    Raises
    ------
    InputError
        If nothing was counted, or `required` names no judge or label, or lies outside [0, 1].
    NotEstimableError
        If fewer than two judges voted.

    References
    ----------
    Corrada-Emmanuel, "Streaming algorithms for evaluating noisy judges on unlabeled data", and
    the logic of unsupervised evaluation that followed it.

    Examples
    --------
    >>> from askpoint.judges.checks.alarms import alarm
    >>> from askpoint.judges.sketch.vote_sketch import VoteSketch
    >>> sketch = VoteSketch(["ann", "bob"], ["ham", "spam"])
    >>> sketch.update_codes([[0, 0], [0, 1], [1, 1]], [30, 40, 30])
    >>> alarm(sketch, required=0.9).fires, round(alarm(sketch, required=0.6).best, 3)
    (True, 0.6)
    """
    as_choice(who, ("all", "most"), "who")
    asked = as_required(required, sketch)
    labelings, usable = _labelings(sketch)
    asked_here = asked[usable]
    n = len(asked_here)
    if who == "all":
        fires, is_decided, truth = _all_meet(labelings, asked_here)
    else:
        is_decided, truth = labelings.whole(asked_here, least=n // 2 + 1)
        fires = is_decided and not truth
    best = _best(labelings, n, len(sketch.labels))
    whom = "all judges" if who == "all" else "most of the judges"
    if fires:
        reason = f"whatever the true labels are, not {whom} are as accurate as required"
    elif is_decided:
        reason = f"some true labels would let {whom} be as accurate as required, which does not prove that they are"
    else:
        reason = f"too near the limit to decide whether {whom} can be as accurate as required"
    return Alarm(
        fires,
        who,
        {
            judge: dict(zip(sketch.labels, row, strict=True))
            for judge, row in zip(sketch.judges, asked.tolist(), strict=True)
        },
        best,
        _example(sketch, labelings, truth, usable) if truth else None,
        is_decided,
        reason,
    )


def _labelings(
    sketch: VoteSketch,
) -> tuple[FeasibleLabelings, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    if not sketch.n_items:
        raise InputError("the sketch counts no items yet; update it with votes first")
    cells = sketch.cells()
    usable, _ = usable_judges(sketch, cells.votes, least=2)
    return FeasibleLabelings(cells.votes[:, usable], cells.counts, len(sketch.labels)), usable


def _all_meet(
    labelings: FeasibleLabelings, asked: FloatArray
) -> tuple[bool, bool, list[list[int]]]:
    """Whether the alarm fires, whether that is decided, and a truth that meets the specification."""
    bound, _, fractional = labelings.widest(asked)
    if bound < -_rounding(labelings):
        return True, True, []
    truth = labelings.round_truth(fractional)
    if labelings.n_meeting(truth, asked) == len(asked):
        return False, True, truth
    is_decided, truth = labelings.whole(asked)
    return is_decided and not truth, is_decided, truth


def _rounding(labelings: FeasibleLabelings) -> float:
    return 1e-9 * float(labelings.counts.sum())


def _best(labelings: FeasibleLabelings, n_judges: int, n_labels: int) -> float:
    """Close in on t*: what a truth reaches lies below it, what weights exclude above."""

    def even(t: float) -> FloatArray:
        return np.full((n_judges, n_labels), t)

    low, high, t = 0.0, 1.0, 1.0
    while high - low > _PRECISION:
        width = high - low
        bound, weights, fractional = labelings.widest(even(t))
        right, size = labelings.shares(fractional)
        some = size > 1e-6
        low = max(low, float((right[some] / size[some]).min()))
        if bound >= -_rounding(labelings):
            low = max(low, t)

        def excess(t: float, weights: FloatArray = weights) -> float:
            return labelings.bound(weights, even(t)) + _rounding(labelings)

        if excess(high) < 0:
            near = low if excess(low) < 0 else optimize.brentq(excess, low, high, xtol=1e-6)
            high = near + 1e-6  # by which the root may be off
        # from below steps are quick, but they may stand still
        t = low if high - low < width / 2 else (low + high) / 2
    return min(high, 1.0)


def _example(
    sketch: VoteSketch,
    labelings: FeasibleLabelings,
    truth: list[list[int]],
    usable: np.ndarray[tuple[int], np.dtype[np.bool_]],
) -> Evaluation:
    right, size = labelings.count_right(truth)
    accuracy = np.full((len(sketch.judges), len(sketch.labels)), np.nan)
    accuracy[usable] = [
        [r / n if n else np.nan for r, n in zip(*row, strict=True)]
        for row in zip(right, size, strict=True)
    ]
    prevalence = np.array([sum(row) / sketch.n_items for row in truth])
    undefined = {
        judge: "never voted on an item of a label" if used else "never voted"
        for judge, used, row in zip(sketch.judges, usable, accuracy, strict=True)
        if np.isnan(row).any()
    }
    return name_evaluation(sketch, prevalence, accuracy, undefined)
