"""Labels, answers and names as texts, whatever type a file gave them."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import NamedTuple

import numpy as np
import polars as pl

from askpoint.errors import LogError
from askpoint.measures.class_spellings import drop_decimal_point, plain_class_name
from askpoint.measures.inputs import BoolArray, IntArray

__all__ = ["Names", "as_names", "class_names", "simple_column"]

_NEAR = 1 << 12  # whole numbers that are looked up by their place
_LARGE = 1 << 62


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
    counted = _count_integers(column)
    different = column.unique() if counted is None else counted.different
    texts = _texts(different)
    names = _in_order(texts)
    place = {name: i for i, name in enumerate(names)}
    codes = np.array([place[text] for text in texts], dtype=np.int32)
    if counted is not None:
        return Names(names, codes[counted.codes], given)
    if column.dtype == pl.String:  # five times faster than a join
        place_of_text = column.cast(pl.Enum(different)).to_physical().to_numpy()
        return Names(names, codes[place_of_text], given)
    by_join = column.replace_strict(different, pl.Series(codes), return_dtype=pl.Int32)
    return Names(names, by_join.to_numpy(), given)


class _Counted(NamedTuple):
    different: pl.Series
    codes: IntArray


def _count_integers(column: pl.Series) -> _Counted | None:
    """Return the different values, and which of them each row has, of whole numbers near each other.

    Ten times faster than to look for each in a table; None where that does not go.
    """
    if not column.dtype.is_integer() or not len(column):
        return None
    low, high = int(column.min()), int(column.max())  # type: ignore[arg-type]
    if high - low >= _NEAR or not -_LARGE < low <= high < _LARGE:
        return None
    places = column.to_numpy().astype(np.int64) - low
    occurs = np.bincount(places) > 0
    codes = (np.cumsum(occurs, dtype=np.int32) - 1)[places]
    return _Counted(pl.Series(np.flatnonzero(occurs) + low), codes)


def simple_column(column: pl.Series) -> pl.Series:
    """Return a column of texts, numbers or booleans: categories and dates become texts."""
    kind = column.dtype
    if kind.is_nested() or kind in (pl.Object, pl.Binary):
        raise LogError(f"the column {column.name!r} must hold texts or numbers, not {kind}")
    return column if kind.is_numeric() or kind == pl.Boolean else column.cast(pl.String)


def _texts(values: pl.Series) -> list[str]:
    texts: list[str] = values.cast(pl.String).to_list()
    if values.dtype.is_float() or values.dtype.is_decimal():
        return [drop_decimal_point(text) for text in texts]
    return texts


def _in_order(texts: Iterable[str]) -> tuple[str, ...]:
    different = set(texts)
    try:
        return tuple(sorted(different, key=lambda text: (Decimal(text), text)))
    except ArithmeticError:
        return tuple(sorted(different))


def class_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return the classes that labels and answers name."""
    return _in_order(map(plain_class_name, names))
