"""Why no verdict is given."""

from __future__ import annotations

from dataclasses import dataclass

from askpoint.answers.value.label_gaps import find_label_gap, list_gaps
from askpoint.answers.value.model_cases import ModelCases
from askpoint.answers.value.posteriors import needs_weights
from askpoint.measures.weighted_shares import weighted_share
from askpoint.value.selection import LabelDependence

__all__ = [
    "HeavyLabels",
    "NoLabels",
    "Refusal",
    "SelectiveLabels",
    "UnknownMistakes",
    "Unmet",
    "count_proposed",
    "find_refusal",
]


@dataclass(frozen=True)
class SelectiveLabels:
    """Labels depend on the model's confidence.

    Parameters
    ----------
    selection : LabelDependence
        Where the labels are.
    is_weighted : bool
        Whether the log has weights, which then do not make up for it.
    hole : float, default=0
        Share of the cases whose confidences lack labels beyond chance.
    gaps : tuple of (float, float, int)
        Stretches of confidence without a label, and how many rows lie there; the largest first.
    """

    selection: LabelDependence
    is_weighted: bool
    hole: float = 0.0
    gaps: tuple[tuple[float, float, int], ...] = ()


@dataclass(frozen=True)
class NoLabels:
    """No row has a label.

    Parameters
    ----------
    n_items : int
        Number of rows.
    """

    n_items: int


@dataclass(frozen=True)
class HeavyLabels:
    """Too few labels speak for the cases that were hardly ever labelled.

    Parameters
    ----------
    n_labels : int
        So many do; it takes 10.
    weight : float
        So many cases each of them stands for, at most.
    mistakes : float
        Estimate of the share of mistakes if the model decided every case; no interval holds.
    """

    n_labels: int
    weight: float
    mistakes: float


@dataclass(frozen=True)
class UnknownMistakes:
    """No case that would be answered has a label.

    Parameters
    ----------
    n_answered : int
        Number of rows that would be answered.
    """

    n_answered: int


@dataclass(frozen=True)
class Unmet:
    """The model cannot meet the objective, where others of the log can.

    Parameters
    ----------
    message : str
        The error's.
    """

    message: str


Refusal = HeavyLabels | NoLabels | SelectiveLabels | UnknownMistakes | Unmet


def count_proposed(case: ModelCases) -> int:
    """Return how many labels are of cases that were proposed by their confidence."""
    log = case.log
    return 0 if log is None or log.chosen is None else int((log.chosen & log.labelled).sum())


def find_refusal(case: ModelCases, *, is_balanced: bool) -> Refusal | None:
    """Return why nothing follows from the labels; None where something does.

    Labels that were visibly not drawn with equal chances count if they are weighted by strata of
    confidence (`is_balanced`), were proposed, or are random by the user's word.
    """
    places = case.places
    if not (places.right + places.wrong).any():
        return NoLabels(int(places.items.sum()))
    selection, hole = case.selection, find_label_gap(case)
    heavy = _heavy_labels(case)
    if heavy is not None:
        return heavy
    if selection is None or is_balanced:
        return None
    is_free = count_proposed(case) or case.question.labels_are_random
    if hole or (selection.is_selective and not is_free):
        return SelectiveLabels(selection, case.is_weighted, hole, list_gaps(case) if hole else ())
    return None


def _heavy_labels(case: ModelCases) -> HeavyLabels | None:
    """Whether too few labels speak for the cases that were hardly ever labelled."""
    log, places = case.log, case.places
    if log is None or log.propensity is None or not needs_weights(case):
        return None
    heaviest = 1 / min(float(log.propensity.min()), log.least_propensity or 1.0)
    wrong = places.wrong[log.labelled] > 0
    found = weighted_share(wrong, 1 / log.propensity, heaviest=heaviest)
    if found.interval is not None:
        return None
    return HeavyLabels(found.heavy_labels, heaviest, found.estimate)
