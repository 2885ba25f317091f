"""Why no verdict is given."""

from __future__ import annotations

from dataclasses import dataclass

from askpoint.value.selection import LabelSelection

__all__ = ["Refusal", "SelectiveLabels", "UnknownMistakes", "Unmet"]


@dataclass(frozen=True)
class SelectiveLabels:
    """Labels depend on the model's confidence.

    Parameters
    ----------
    selection : LabelSelection
        Where the labels are.
    is_weighted : bool
        Whether the log has weights, which then do not make up for it.
    """

    selection: LabelSelection
    is_weighted: bool


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


Refusal = SelectiveLabels | UnknownMistakes | Unmet
