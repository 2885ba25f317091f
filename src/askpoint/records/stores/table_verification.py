"""A stranger's look at a deployment: everything is computed again from its tables and files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import polars as pl

from askpoint.errors import LogError
from askpoint.live.canonical import canonical_json, content_digest
from askpoint.live.documents import PolicyDocument
from askpoint.live.events import Event
from askpoint.live.receipts import DecisionBlock, LabelBlock
from askpoint.live.verification import Difference, Verified, verify
from askpoint.records.stores.archive import Archive, Part, read_part
from askpoint.records.stores.life import life_blocks
from askpoint.records.stores.summary import state_parts, summary_text
from askpoint.records.stores.tables import (
    DecisionRow,
    LabelRow,
    decision_frame,
    label_frame,
)

__all__ = ["verify_place"]


def verify_place(
    rows: Any, stream: Any, document: PolicyDocument, secret: bytes | None, archive: Archive | None
) -> Verified:
    """Compute a deployment again; without its secret, draws are taken as recorded."""
    moments: list[int] = [0]
    blocks = _timed(life_blocks(stream, document.state.decided), moments)
    events = rows("SELECT seq, kind, numbers FROM events ORDER BY n")
    recorded = [Event(seq, kind, json.loads(numbers)) for seq, kind, numbers in events]
    found = verify(document, blocks, recorded, secret)
    if found.difference is None:
        found = replace(found, difference=_state_difference(rows, found, moments[0]))
    if found.difference is None:
        found = replace(found, difference=_content_difference(stream))
    if found.difference is None and archive is not None:
        found = replace(found, difference=_archive_difference(rows, archive))
    return found


def _timed(
    blocks: Iterator[DecisionBlock | LabelBlock], moments: list[int]
) -> Iterator[DecisionBlock | LabelBlock]:
    for block in blocks:
        moments[0] = int(block.at[-1])
        yield block


def _state_difference(rows: Any, found: Verified, last_at: int) -> Difference | None:
    """Compare what the next decision would go on from."""
    replay = found.replay
    seq = replay.state.decided
    ((summary, recorded_at),) = rows("SELECT summary, last_at FROM meta")
    parts = dict(rows("SELECT name, content FROM state"))
    if summary != summary_text(replay) or parts != state_parts(replay.state):
        return Difference("state", seq, "it is not what the decisions and labels give")
    if recorded_at != last_at:
        return Difference("state", seq, "its last moment is not that of the last row")
    pending = replay.state.pending.rows()
    entries = rows("SELECT seq, entry FROM pending ORDER BY seq")
    if [seq for seq, _ in entries] != pending["seq"].tolist() or b"".join(
        bytes(entry) for _, entry in entries
    ) != pending.tobytes():
        return Difference("pending", seq, "it is not what the decisions and labels give")
    return None


def _content_difference(stream: Any) -> Difference | None:
    """Compare content with its digest, wherever it stands."""
    select = "SELECT seq, content, digest FROM decisions WHERE content IS NOT NULL ORDER BY seq"
    for seq, content, digest in stream(select):
        if content_digest(content) != digest:
            return Difference("decisions", seq, "its content is not that of its digest")
    return None


def _archive_difference(rows: Any, archive: Archive) -> Difference | None:
    """Compare the files of days that are over with the tables."""
    parts = [
        Part(*row) for row in rows("SELECT file, kind, first, last FROM parts ORDER BY kind, first")
    ]
    for path in archive.strays(parts):
        return Difference(
            path.parent.name, 0, f"{path.name} was left by a write that was broken off; decide or label, "
            "which removes it"
        )  # fmt: skip
    ends: dict[str, int] = {}
    for part in parts:
        frame = read_part(archive.place(part))
        before = ends.get(part.kind)
        if before is not None and part.first != before + 1:
            raise LogError(f"{part.kind}.parquet: rows before {part.first} have no file")
        ends[part.kind] = part.last
        number, row = ("seq", DecisionRow) if part.kind == "decisions" else ("n", LabelRow)
        found = rows(
            f"SELECT {', '.join(row._fields)} FROM {part.kind} WHERE {number} BETWEEN ? AND ? "  # noqa: S608
            f"ORDER BY {number}",
            (part.first, part.last),
        )
        place = f"{part.kind}.parquet"
        known = (
            decision_frame(found, archive.policy)
            if part.kind == "decisions"
            else label_frame(found)
        )
        difference = _frame_difference(place, part.first, frame, known)
        if difference is not None:
            return difference
    return None


def _frame_difference(
    place: str, first: int, frame: pl.DataFrame, known: pl.DataFrame
) -> Difference | None:
    if frame.columns != known.columns or len(frame) != len(known):
        return Difference(place, first, "its rows or columns are not those of the tables")
    for name in frame.columns:
        if name == "content":
            for seq, text, digest in frame.select("seq", "content", "digest").iter_rows():
                if text is not None and content_digest(text) != digest:
                    return Difference(place, seq, "its content is not that of its digest")
            continue
        differs = frame[name].ne_missing(known[name])
        if differs.any():
            row = int(differs.arg_max() or 0)
            one, two = (canonical_json(str(side[name][row])) for side in (frame, known))
            return Difference(
                place, first + row, f"{name} is {one} in the file and {two} in the table"
            )
    return None
