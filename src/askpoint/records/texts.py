"""Labels, answers and names as texts, whatever type a file gave them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import NamedTuple

import numpy as np
import polars as pl

from askpoint.errors import LogError
from askpoint.measures.inputs import BoolArray, IntArray

__all__ = ["Names", "as_names", "class_codes", "class_names", "plain", "simple_column"]

_WHOLE = re.compile(r"([+-]?\d+)\.0*")
_TRUTHS = {"false": "0", "true": "1"}


class Names(NamedTuple):
    """A column of texts: each different text once, and which of them each row has.

    Attributes
    ----------
    names : tuple of str
        The different texts, sorted: numbers by size, else by code point.
    codes : ndarray of int32 of shape (n_given,)
        Positions in `names`, for the rows that are not missing.
    given : ndarray of bool of shape (n_items,)
        Which rows are not missing.
    """

    names: tuple[str, ...]
    codes: IntArray
    given: BoolArray


def as_names(column: pl.Series) -> Names:
    """Read a column of any type as texts.

    Whole numbers lose their decimal point (a column of integers with gaps is a column of
    floats in pandas), booleans are true and false, an empty text is missing.
    """
    column = simple_column(column)
    if column.dtype.is_float():
        column = column.fill_nan(None)
    elif column.dtype == pl.String and (column == "").any():
        column = column.replace("", None)
    given = column.is_not_null().to_numpy()
    column = column.drop_nulls()
    different = column.unique()
    texts = _texts(different)
    names = _in_order(texts)
    place = {name: i for i, name in enumerate(names)}
    codes = np.array([place[text] for text in texts], dtype=np.int32)
    if column.dtype == pl.String:  # five times faster than a join
        place_of_text = column.cast(pl.Enum(different)).to_physical().to_numpy()
        return Names(names, codes[place_of_text], given)
    by_join = column.replace_strict(different, pl.Series(codes), return_dtype=pl.Int32)
    return Names(names, by_join.to_numpy(), given)


def simple_column(column: pl.Series) -> pl.Series:
    """Return a column of texts, numbers or booleans: categories and dates become texts."""
    kind = column.dtype
    if kind.is_nested() or kind in (pl.Object, pl.Binary):
        raise LogError(f"the column {column.name!r} must hold texts or numbers, not {kind}")
    return column if kind.is_numeric() or kind == pl.Boolean else column.cast(pl.String)


def _texts(values: pl.Series) -> list[str]:
    texts: list[str] = values.cast(pl.String).to_list()
    if values.dtype.is_float() or values.dtype.is_decimal():
        return [_whole(text) for text in texts]
    return texts


def _whole(text: str) -> str:
    match = _WHOLE.fullmatch(text)
    return match[1] if match else text


def _in_order(texts: Iterable[str]) -> tuple[str, ...]:
    different = set(texts)
    try:
        return tuple(sorted(different, key=lambda text: (Decimal(text), text)))
    except ArithmeticError:
        return tuple(sorted(different))


def plain(text: str) -> str:
    """Return a class name without what only a file's type added to it."""
    return text.lower() if text.lower() in _TRUTHS else _whole(text)


def class_names(*columns: Names) -> tuple[str, ...]:
    """Return the classes that occur in columns of labels and answers."""
    return _in_order(plain(name) for column in columns for name in column.names)


def class_codes(names: Sequence[str], classes: Sequence[str]) -> list[int | None]:
    """Return each name's position in `classes`, None for a name that is none of them.

    Names are compared as they are, then in their plain form; true and false also match
    the classes 1 and 0, and the other way round.
    """
    plains = [plain(name) for name in classes]
    loose = {name: i for i, name in enumerate(plains) if plains.count(name) == 1}
    for truth, number in _TRUTHS.items():
        if set(plains) == set(_TRUTHS.values()):
            loose[truth] = loose[number]
        elif set(plains) == set(_TRUTHS):
            loose[number] = loose[truth]
    exact = {name: i for i, name in enumerate(classes)}
    return [exact.get(name, loose.get(plain(name))) for name in names]
