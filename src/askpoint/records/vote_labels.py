"""Columns of votes: their texts, their spellings, and which are no judge's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import polars as pl

from askpoint.judges.sketch.codes import label_name
from askpoint.records.column_words import ITEM_WORDS, looks_like
from askpoint.records.roles import column_facts

__all__ = ["count_texts", "no_judges", "respell"]

_ENOUGH_ROWS = 20  # to tell by its cells that a column is no judge's
_NO_JUDGES = (
    *ITEM_WORDS, "index", "row", "text", "prompt", "question", "answer", "comment", "document", "url", "timestamp",
    "date", "time",
)  # fmt: skip


def no_judges(frame: pl.DataFrame, columns: Sequence[str]) -> dict[str, str]:
    """Return which columns hold names of items, texts or times instead of votes, and which."""
    found: dict[str, str] = {}
    for name in columns:
        role = column_facts(frame[name]).role
        if role in ("id", "text", "time", "nested") and (
            frame.height >= _ENOUGH_ROWS or looks_like(name, _NO_JUDGES)
        ):
            found[name] = role
    return found


def count_texts(columns: Iterable[pl.Series]) -> list[dict[str, int]]:
    """Count each column's values as texts; missing ones are empty."""
    counted = []
    for column in columns:
        counts: dict[str, int] = {}
        for value, count in column.value_counts().iter_rows():
            name = label_name(value)
            counts[name] = counts.get(name, 0) + count
        counted.append(counts)
    return counted


def respell(column: pl.Series, mapping: Mapping[str, str]) -> pl.Series:
    """Return a column's votes as texts, by what they stand for."""
    values = column.unique()
    texts = [label_name(value) for value in values]
    new = [mapping.get(text, text) or None for text in texts]
    return (
        pl.DataFrame({column.name: column})
        .join(
            pl.DataFrame({column.name: values, "new": pl.Series(new, dtype=pl.String)}),
            on=column.name,
            how="left",
            nulls_equal=True,
            maintain_order="left",
        )["new"]
        .alias(column.name)
    )
