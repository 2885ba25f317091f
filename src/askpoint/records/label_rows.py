"""Labels that people gave to decided cases: which case, what, by whom, and why."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from askpoint.errors import LogError, UnknownColumnError
from askpoint.live.batches import LabelRows
from askpoint.measures.class_spellings import class_codes
from askpoint.records.batches import text_column
from askpoint.records.tables import open_table
from askpoint.records.texts import as_names, simple_column

__all__ = ["read_given_labels"]


def read_given_labels(source: Any, classes: list[str]) -> LabelRows:
    """Read the columns key and label, and judge and source where they are there, and truth of gold cases.

    Rows without a label are cases that wait for one, and are left out.
    """
    table = open_table(source)
    for name in ("key", "label"):
        if name not in table.columns:
            raise UnknownColumnError(name, table.columns)
    wanted = [
        name for name in ("key", "label", "judge", "source", "truth") if name in table.columns
    ]
    frame = table.read(wanted)
    said = as_names(frame["label"])
    frame = frame.filter(pl.Series(said.given))
    names = np.array(_names(said.names, classes), dtype=object)
    rows = LabelRows(
        text_column(frame["key"]),
        names[said.codes].tolist(),
        [judge or "" for judge in _texts(frame, "judge")],
        _texts(frame, "source"),
        [None if true is None else _names((true,), classes)[0] for true in _texts(frame, "truth")],
    )
    _check_once(rows)
    return rows


def _names(said: tuple[str, ...], classes: list[str]) -> list[str]:
    """Labels by the policy's names; strangers stay as they are, and are refused with their keys."""
    codes = class_codes(said, classes)
    return [name if code is None else classes[code] for name, code in zip(said, codes, strict=True)]


def _texts(frame: pl.DataFrame, name: str) -> list[str | None]:
    if name not in frame.columns:
        return [None] * frame.height
    return simple_column(frame[name]).cast(pl.String).replace("", None).to_list()


def _check_once(rows: LabelRows) -> None:
    first: dict[tuple[str, str], str] = {}
    for key, judge, label in zip(rows.key, rows.judge, rows.label, strict=True):
        if (key, judge) in first:
            raise LogError(
                f"the case {key!r} is labelled twice by one judge, as {first[key, judge]!r} and as "
                f"{label!r}; keep one row of each case and judge"
            )
        first[key, judge] = label
