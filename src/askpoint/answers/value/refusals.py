"""Why no verdict is given."""

from __future__ import annotations

from dataclasses import dataclass

from askpoint.value.selection import LabelDependence

__all__ = ["HeavyLabels", "NoLabels", "Refusal", "SelectiveLabels", "UnknownMistakes", "Unmet"]


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
