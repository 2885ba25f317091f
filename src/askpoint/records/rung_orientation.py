"""Which class a single column of probabilities is for, where neither its name nor the user says it."""

from __future__ import annotations

import numpy as np

from askpoint.errors import InputError
from askpoint.measures.class_spellings import class_codes
from askpoint.measures.inputs import BoolArray, FloatArray
from askpoint.records.readers.evidence.relations import ranking

__all__ = ["find_class_of_column"]

_CLEAR = 3.0  # standard errors, as where a number is asked about in any table
_SEPARATORS = "_-.:/ "
_YES = ("1", "true", "yes")


def find_class_of_column(
    name: str,
    scores: FloatArray,
    is_second: BoolArray,
    classes: tuple[str, ...],
    second: int,
    *,
    are_stated: bool,
) -> tuple[int, str]:
    """Return which class a column is the probability of, and what is to be said of it.

    Parameters
    ----------
    name : str
        The column.
    scores : ndarray of shape (n_labelled,)
        Its values at labelled cases.
    is_second : ndarray of bool of shape (n_labelled,)
        Whether the label is the class that it would be taken for.
    classes : tuple of str
        The two classes.
    second : int
        Position of the class that it would be taken for.
    are_stated : bool
        Whether the user named the classes.

    Raises
    ------
    InputError
        If the labels contradict what the user or the name says, or nothing says it.
    """
    if not len(scores):  # it was called on no case with a label, which is refused later
        return second, ""
    z = ranking(scores.astype(np.float64), is_second).z
    other = 1 - second
    is_named = are_stated or _names_class(name, classes)
    if z <= -_CLEAR and is_named:
        way = ",".join((classes[second], classes[other]))
        raise InputError(
            f"{name} is read as the probability of {classes[second]!r} and is highest where the label is "
            f"{classes[other]!r}: it seems to be that one's. Add --classes {way}, or give one column for each class "
            "if the model errs so often."
        )
    if z <= -_CLEAR:
        return other, _orientation_words(name, classes[other])
    if is_named or classes[second].lower() in _YES:
        return second, ""
    if z >= _CLEAR:
        return second, _orientation_words(name, classes[second])
    raise InputError(
        f"which class {name} is the probability of cannot be seen from {len(scores)} labels: name the classes, that one "
        f"last, as in --classes {classes[other]},{classes[second]}"
    )


def _names_class(name: str, classes: tuple[str, ...]) -> bool:
    ends = [name, *(name[i + 1 :] for i, sign in enumerate(name) if sign in _SEPARATORS)]
    return any(code is not None for code in class_codes([end for end in ends if end], classes))


def _orientation_words(name: str, of: str) -> str:
    return f"{name} is read as the probability of {of!r}: it is highest where that is the label"
