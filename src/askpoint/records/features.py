"""Columns of a log as features: numbers, categories, and texts to look for words in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import polars as pl

__all__ = ["Features", "features_of"]

_MANY_VALUES = 100  # a column of more different texts names cases or holds texts
_WORDS = 3  # on average, from which a column holds texts


class Features(NamedTuple):
    """What regions can be sought in.

    Attributes
    ----------
    columns : mapping of str to ndarray of shape (n_items,)
        Numbers, and categories as texts; None or NaN where a cell is missing.
    texts : mapping of str to list of str
        Segments of text; an empty one where a cell is missing.
    skipped : tuple of str
        Columns of many different short texts, which name cases rather than say something.
    """

    columns: Mapping[str, Any]
    texts: Mapping[str, list[str]]
    skipped: tuple[str, ...]


def features_of(frame: pl.DataFrame) -> Features:
    """Tell numbers, categories and texts apart.

    A column whose cells are all numbers is a number, also if it was read from a CSV file as
    text. Texts have more than three words on average; other columns are categories, if they
    have at most 100 different values.
    """
    columns: dict[str, Any] = {}
    texts: dict[str, list[str]] = {}
    skipped: list[str] = []
    for column in frame:
        name = column.name
        if column.dtype.is_nested() or column.dtype in (pl.Object, pl.Binary):
            skipped.append(name)
            continue
        if column.dtype.is_numeric():
            columns[name] = column.cast(pl.Float64).to_numpy()
            continue
        values = column.cast(pl.String).replace("", None)
        numbers = values.cast(pl.Float64, strict=False)
        if numbers.null_count() == values.null_count() < len(values):
            columns[name] = numbers.to_numpy()
        elif _mean_words(values) > _WORDS:
            texts[name] = values.fill_null("").to_list()
        elif values.n_unique() <= _MANY_VALUES:
            columns[name] = values.to_numpy()
        else:
            skipped.append(name)
    return Features(columns, texts, tuple(skipped))


def _mean_words(values: pl.Series) -> float:
    words = values.drop_nulls().str.count_matches(r"\S+")
    return float(words.sum()) / max(len(words), 1)
