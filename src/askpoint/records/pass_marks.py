"""Scores on a scale as votes: a pass from some score on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from askpoint.errors import LogError
from askpoint.records.tables import open_table
from askpoint.records.votes import VoteColumns

__all__ = ["mark_passed_gold", "mark_passes"]


def mark_passes(source: Any, least: float, columns: VoteColumns, keep: Sequence[str] = ()) -> Any:
    """Return the same table with scores as pass and fail: a pass from the least that passes on."""
    table = open_table(source)
    frame = table.read(list(table.columns))
    if columns.is_long(frame.columns):
        names = [columns.label]
    elif columns.judges is not None:
        names = [*columns.judges, *([columns.gold] if columns.gold else [])]
    else:
        names = [name for name in frame.columns if name not in (columns.task, *keep)]
    scored = []
    for name in names:
        texts = frame[name].cast(pl.String)
        scores = texts.cast(pl.Float64, strict=False)
        given = texts.is_not_null() & (texts.str.strip_chars() != "")
        is_id = not scores.is_null().all() and bool(
            frame[name].dtype.is_integer() and frame[name].n_unique() == frame.height > 50
        )
        if int((given & scores.is_null()).sum()) == 0 and given.any() and not is_id:
            words = pl.when(scores >= least).then(pl.lit("pass")).when(scores < least)
            scored.append(words.then(pl.lit("fail")).otherwise(None).alias(name))
    if not scored:
        raise LogError(
            f"--pass-at {least:g} needs scores, but no column of {table.name} is all numbers"
        )
    return frame.with_columns(scored)


def mark_passed_gold(gold: Mapping[str, str], least: float) -> dict[str, str]:
    """Return people's labels as pass and fail, where they are scores."""
    found = {}
    for task, label in gold.items():
        try:
            found[task] = "pass" if float(label) >= least else "fail"
        except ValueError:
            found[task] = label
    return found
