"""Days that are over, and heads, in a store of objects: each a file of its own that nobody writes over."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import NamedTuple

import polars as pl
from polars.testing import assert_frame_equal

from askpoint.errors import InputError, LogError
from askpoint.live.documents import PolicyDocument
from askpoint.live.heads import Head
from askpoint.records.object_folder import ObjectFolder
from askpoint.records.stores.archive import DAY, day_of
from askpoint.records.stores.database import StoreReader
from askpoint.records.stores.tables import DecisionRow, LabelRow, decision_frame, label_frame

__all__ = ["Archived", "archive_days", "archive_head"]

_KINDS = {"decisions": ("seq", DecisionRow._fields), "labels": ("n", LabelRow._fields)}


class Archived(NamedTuple):
    """What lies in the archive of a deployment.

    Attributes
    ----------
    days : int
        Files of days.
    written : int
        Of which so many are new.
    compared : int
        Of the others, so many were compared row by row.
    """

    days: int
    written: int
    compared: int


def archive_days(
    reader: StoreReader,
    document: PolicyDocument,
    folder: ObjectFolder,
    now: int,
    *,
    check: bool = False,
) -> Archived:
    """Write each day that is over as Parquet, if it is not there yet; contents of cases stay out.

    Parameters
    ----------
    reader : StoreReader
        Of the deployment.
    document : PolicyDocument
        Of the deployment.
    folder : ObjectFolder
        Where to.
    now : int
        The last moment that is recorded: days before it are over.
    check : bool, default=False
        Whether to compare the files that are there with the tables.

    Raises
    ------
    InputError
        If another deployment has its archive there.
    LogError
        If a file holds other rows than the tables.
    """
    _claim(folder, document)
    known = folder.names()
    days = written = compared = 0
    for kind in _KINDS:
        for day, first, last in _days(reader, kind, now):
            name = f"{kind}/{day}.parquet"
            days += 1
            if name in known and not check:
                continue
            frame = _frame(reader, kind, document.id, first, last)
            if name not in known and folder.write_new(name, _parquet(frame)):
                written += 1
                continue
            _compare(folder, name, frame)
            compared += 1
    return Archived(days, written, compared)


def archive_head(folder: ObjectFolder, head: Head) -> bool:
    """Write a signed head, if it is not there yet."""
    return folder.write_new(f"heads/{head.size:012}.json", head.to_json().encode())


def _claim(folder: ObjectFolder, document: PolicyDocument) -> None:
    text = document.to_json().encode()
    if not folder.write_new("policy.json", text) and folder.read("policy.json") != text:
        raise InputError(
            f"{folder.address} holds the archive of another policy; name another folder for {document.id!r}"
        )


def _days(reader: StoreReader, kind: str, now: int) -> Iterator[tuple[str, int, int]]:
    """Yield the days of a table that are over: name, first and last row."""
    number, _ = _KINDS[kind]
    after = (
        f"SELECT {number}, at FROM {kind} WHERE {number} > ? AND at >= ? ORDER BY {number} LIMIT 1"  # noqa: S608
    )
    found = reader.execute(after, (-1, 0))
    limit = now // DAY * DAY
    while found and found[0][1] < limit:
        first, at = found[0]
        found = reader.execute(after, (first, (at // DAY + 1) * DAY))
        if found:
            last = found[0][0] - 1
        else:
            ((last,),) = reader.execute(f"SELECT max({number}) FROM {kind}")  # noqa: S608
        yield day_of(at), first, last


def _frame(reader: StoreReader, kind: str, policy: str, first: int, last: int) -> pl.DataFrame:
    number, fields = _KINDS[kind]
    rows = reader.execute(
        f"SELECT {', '.join(fields)} FROM {kind} WHERE {number} BETWEEN ? AND ? ORDER BY {number}",  # noqa: S608
        (first, last),
    )
    if kind == "labels":
        return label_frame(rows)
    return decision_frame(rows, policy).drop("content")


def _parquet(frame: pl.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    return buffer.getvalue()


def _compare(folder: ObjectFolder, name: str, frame: pl.DataFrame) -> None:
    try:
        there = pl.read_parquet(io.BytesIO(folder.read(name)))
        assert_frame_equal(there, frame, check_exact=True)
    except (AssertionError, pl.exceptions.PolarsError) as error:
        reason = " ".join(str(error).split())[:200]
        raise LogError(
            f"{folder.address}/{name} is not what the deployment holds of that day: {reason}; run askpoint verify"
        ) from None
