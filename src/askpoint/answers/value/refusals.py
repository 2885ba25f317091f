"""Why no verdict is given."""

from __future__ import annotations

from dataclasses import dataclass

from askpoint.value.selection import LabelSelection

__all__ = ["NoLabels", "Refusal", "SelectiveLabels", "UnknownMistakes", "Unmet"]


@dataclass(frozen=True)
class SelectiveLabels:
    """Labels depend on the model's confidence.

    Parameters
    ----------
    selection : LabelSelection
        Where the labels are.
    is_weighted : bool
        Whether the log has weights, which then do not make up for it.
    hole : float, default=0
        Share of the cases whose confidences lack labels beyond chance.
    """

    selection: LabelSelection
    is_weighted: bool
    hole: float = 0.0


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


Refusal = NoLabels | SelectiveLabels | UnknownMistakes | Unmet
