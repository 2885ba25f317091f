"""Votes as codes: the position of each label, and -1 where a judge did not vote."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askpoint.errors import InputError
from askpoint.measures.inputs import IntArray
from askpoint.measures.missing import is_missing

__all__ = [
    "MISSING",
    "as_judges",
    "as_labels",
    "as_vote_codes",
    "check_codes",
    "judge_places",
    "label_name",
    "no_label",
]

MISSING = -1
_WIDEST = 1 << 12  # integers up to this far apart are looked up in a table


def as_judges(judges: int | Sequence[str]) -> tuple[str, ...]:
    """Check the judges' names: at least one, all different."""
    if isinstance(judges, int | np.integer):
        names = tuple(f"judge {i + 1}" for i in range(int(judges)))
    else:
        names = tuple(map(str, [judges] if isinstance(judges, str) else judges))
    if not names:
        raise InputError("name at least one judge, or say how many there are")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"the judge {twice!r} is named twice; give each a name of its own")
    return names


def judge_places(judges: Sequence[str], wanted: Sequence[str]) -> list[int]:
    """Return where some judges stand among all."""
    for judge in wanted:
        if judge not in judges:
            raise InputError(f"there is no judge {judge!r} among {', '.join(judges)}")
    return [judges.index(judge) for judge in wanted]


def as_labels(labels: Sequence[Any]) -> tuple[str, ...]:
    """Check the labels: at least two, as texts, all different, none empty."""
    names = tuple(map(label_name, [labels] if isinstance(labels, str) else labels))
    if len(names) < 2:
        raise InputError(f"judges choose between at least two labels; got {list(names)}")
    if "" in names:
        raise InputError("a label is missing or empty; that is how a missing vote looks")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"the label {twice!r} is named twice; labels are compared as texts")
    return names


def label_name(value: object) -> str:
    """Return a label as text: 1, 1.0 and "1" are the same label, missing is empty."""
    if is_missing(value):
        return ""
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))  # columns of integers with a gap arrive as floats
    return str(value)


def as_vote_codes(votes: ArrayLike, labels: Sequence[str], n_judges: int) -> NDArray[np.int16]:
    """Return votes as positions in `labels`."""
    if isinstance(votes, np.ma.MaskedArray):
        gaps, votes = np.ma.getmaskarray(votes), votes.data.astype(object)
        votes[gaps] = None
    try:
        array = np.asarray(votes)
    except ValueError:  # rows of different lengths
        array = np.empty((0, 0, 0))
    if array.dtype.kind in "US" and not isinstance(votes, np.ndarray):
        array = np.asarray(votes, dtype=object)  # None beside texts became the text "None"
    if array.shape[1:] != (n_judges,):
        shape = " x ".join(map(str, array.shape)) if array.ndim != 3 else "rows of other lengths"
        raise InputError(f"votes must be a table of {n_judges} columns, one per judge; got {shape}")
    position = {label: code for code, label in enumerate(labels)} | {"": MISSING}
    is_whole = array.dtype.kind in "iub" and array.size > 0
    low, high = (int(array.min()), int(array.max())) if is_whole else (0, _WIDEST)
    if high - low < _WIDEST:  # one look-up a vote
        values = np.arange(low, high + 1).astype(array.dtype)
        positions = [position.get(label_name(value), -2) for value in values.tolist()]
        codes = np.array(positions, np.int16)[array.astype(np.int64) - low]
    else:
        texts: dict[Any, int] = {}
        codes = np.empty(array.size, np.int16)
        for place, value in enumerate(array.ravel().tolist()):
            if value not in texts:
                texts[value] = position.get(label_name(value), -2)
            codes[place] = texts[value]
        codes = codes.reshape(array.shape)
    if codes.size and codes.min() < MISSING:
        row, column = np.argwhere(codes < MISSING)[0]
        raise no_label(label_name(array[row, column]), int(row), labels)
    return codes


def no_label(text: str, row: int, labels: Sequence[str]) -> InputError:
    """Return what is said of a vote that is none of the labels."""
    return InputError(
        f"the vote {text!r} in row {row} is not one of the labels "
        f"{', '.join(map(repr, labels))}; name all labels in their order"
    )


def check_codes(codes: ArrayLike, n_labels: int, n_judges: int) -> IntArray:
    """Check codes from outside: integers from -1 to the number of labels less 1."""
    array: IntArray = np.asarray(codes)
    if array.dtype.kind not in "iu" or array.ndim != 2 or array.shape[1] != n_judges:
        raise InputError(
            f"codes must be a table of integers with {n_judges} columns, one per "
            f"judge; got {array.dtype} of shape {array.shape}"
        )
    if array.size and (array.min() < MISSING or array.max() >= n_labels):
        raise InputError(
            f"codes must be between -1 (no vote) and {n_labels - 1}, "
            f"got {array.min()} to {array.max()}"
        )
    return array
