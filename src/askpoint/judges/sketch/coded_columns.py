"""A column of votes or names as its different texts, and which of them each row has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import narwhals as nw
import numpy as np

from askpoint.judges.sketch.codes import label_name
from askpoint.measures.inputs import BoolArray, IntArray

if TYPE_CHECKING:
    import polars as pl

__all__ = ["CodedColumn", "code_column"]

_NEAR = 1 << 12  # whole numbers up to this far apart are looked up by their place
_LARGE = 1 << 62
_FEW = 8  # whole numbers that are looked for one by one


class CodedColumn(NamedTuple):
    """The texts of a column.

    Attributes
    ----------
    texts : list of str
        Each that occurs, perhaps more than once; a missing one is empty.
    places : ndarray of int of shape (n_rows,)
        Which of the texts each row has.
    """

    texts: list[str]
    places: IntArray


def code_column(column: nw.Series[Any] | list[Any]) -> CodedColumn:
    """Return the texts of a column; whole numbers and texts in polars without a look at each row."""
    if isinstance(column, list):
        return _of_values(column)
    if column.implementation.is_polars() and len(column):
        native, kind = column.to_native(), column.dtype
        if kind.is_integer() or kind == nw.Boolean:
            coded = _of_whole(native, is_bool=kind == nw.Boolean)
            if coded is not None:
                return coded
        elif kind == nw.String:
            return _of_texts(native)
    return _of_values(column.to_list())


def _of_values(values: list[Any]) -> CodedColumn:
    places: dict[Any, int] = {}
    rows = [places.setdefault(value, len(places)) for value in values]
    return CodedColumn([label_name(value) for value in places], np.array(rows, dtype=np.int64))


def _of_whole(column: pl.Series, *, is_bool: bool) -> CodedColumn | None:
    """Return None where the numbers lie far apart."""
    low, high = column.min(), column.max()
    if low is None or high is None:
        return CodedColumn([""], np.zeros(len(column), dtype=np.int64))
    first, last = int(low), int(high)  # type: ignore[arg-type]
    if last - first >= _NEAR or not -_LARGE < first <= last < _LARGE:
        return None
    offsets = _offsets(column, first - 1)
    occurs = np.bincount(offsets) > 0 if last - first > _FEW else _occurring(offsets, last - first)
    numbers = np.flatnonzero(occurs).tolist()
    values = [bool(number + first - 1) if is_bool else number + first - 1 for number in numbers]
    texts = [
        "" if not number else label_name(value)
        for number, value in zip(numbers, values, strict=True)
    ]
    places = np.cumsum(occurs) - 1
    narrow = places.astype(np.min_scalar_type(len(texts)))  # there may be many columns
    return CodedColumn(texts, narrow.take(offsets))


def _offsets(column: pl.Series, least: int) -> IntArray:
    """Return how far whole numbers are above one that is less than all; 0 for a missing one."""
    if column.null_count():
        import polars as pl

        whole = (column.cast(pl.Int64) - least).fill_null(0)
        return np.asarray(whole.to_numpy())
    offsets: IntArray = column.to_numpy().astype(np.int64)
    offsets -= least
    return offsets


def _occurring(offsets: IntArray, most: int) -> BoolArray:
    """Say which numbers up to the greatest occur, each looked for in all."""
    return np.array([bool((offsets == number).any()) for number in range(most + 2)])


def _of_texts(column: pl.Series) -> CodedColumn:
    import polars as pl

    different = column.drop_nulls().unique()
    places = column.cast(pl.Enum(different)).to_physical().cast(pl.Int64).fill_null(len(different))
    return CodedColumn([*map(label_name, different.to_list()), ""], places.to_numpy())
