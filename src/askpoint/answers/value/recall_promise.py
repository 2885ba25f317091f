"""What is promised of the recall of a class: at least so many of its new cases are not lost, but for delta.

Cases of the class that the model takes for another are lost where it decides alone. Walk down from the surest of them,
and stop before the labelled one that is one too many: one test, whatever the confidences are worth.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from askpoint.answers.value.model_cases import ModelCases
from askpoint.errors import InputError, ObjectiveError
from askpoint.value.acceptance import labels_to_promise, stream_acceptance_number, threshold_before
from askpoint.value.by_class import MinRecall

__all__ = ["RecallPromise", "recall_promise_of"]


@dataclass(frozen=True)
class RecallPromise:
    """A threshold, and what is promised of the cases of a class if the model decides alone from there on.

    Parameters
    ----------
    label : str
        The class.
    level, delta : float
        At least this share of its cases is not lost, but for this probability.
    threshold : float
        Infinity where nothing can be promised.
    n_labelled : int
        Labelled cases of the class.
    accepted : int
        So many of them may be lost; -1: nothing can be promised.
    n_lost : int
        Those that are.
    n_needed : int
        The fewest labelled cases of the class with which anything can be promised.
    """

    label: str
    level: float
    delta: float
    threshold: float
    n_labelled: int
    accepted: int
    n_lost: int
    n_needed: int


def recall_promise_of(case: ModelCases) -> RecallPromise | None:
    """Return the promise about a recall that an objective makes; None for any other."""
    objective, log, places = case.question.objective, case.log, case.places
    if not isinstance(objective, MinRecall) or objective.delta is None:
        return None
    if log is None:
        raise InputError("limits on single classes look at the cases, which a sketch does not keep")
    if case.is_weighted or places.cluster is not None or log.chosen is not None:
        raise ObjectiveError(
            "a promise counts cases drawn one by one at random: it takes no weights, no clusters, and no labels that "
            "--propose chose; leave out --guarantee"
        )
    delta = objective.delta / case.question.n_models
    if str(objective.label) not in log.classes:
        shown = ", ".join(map(repr, log.classes[:10]))
        raise InputError(f"the label {objective.label!r} is not among the classes {shown}")
    code = log.classes.index(str(objective.label))
    rows = np.flatnonzero(log.labelled)[log.label == code]
    lost = rows[log.prediction[rows] != code]
    accepted = stream_acceptance_number(len(rows), 1 - objective.level, delta)
    threshold = threshold_before(places.lowest, places.lowest[lost], accepted)
    return RecallPromise(
        label=str(objective.label),
        level=objective.level,
        delta=objective.delta,
        threshold=threshold,
        n_labelled=len(rows),
        accepted=accepted,
        n_lost=int((places.lowest[lost] >= threshold).sum()),
        n_needed=labels_to_promise(1 - objective.level, delta),
    )
