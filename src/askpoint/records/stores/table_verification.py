"""A stranger's look at a deployment: everything is computed again from its tables and files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any

import polars as pl

from askpoint.errors import LogError
from askpoint.live.blocks import Block
from askpoint.live.canonical import canonical_json, content_digest, is_same_but_rounding
from askpoint.live.documents import PolicyDocument
from askpoint.live.draws import secret_hash
from askpoint.live.events import Event, LoggedEvent
from askpoint.live.heads import Head, LogRoot
from askpoint.live.history import is_moment_due, moment_text
from askpoint.live.receipts import Replay
from askpoint.live.verification import Difference, Verified, verify
from askpoint.records.signatures import can_check, is_key_of, is_signed
from askpoint.records.stores.archive import Archive, list_parts, read_part
from askpoint.records.stores.database import StoreReader
from askpoint.records.stores.heads import read_heads
from askpoint.records.stores.life import life_blocks
from askpoint.records.stores.summary import state_parts, summary_text
from askpoint.records.stores.tables import (
    DecisionRow,
    LabelRow,
    check_format,
    decision_frame,
    label_frame,
)

__all__ = ["read_events", "verify_log", "verify_place"]


def verify_place(
    reader: StoreReader,
    document: PolicyDocument,
    secret: bytes | None,
    archive: Archive | None,
    roots: Sequence[LogRoot] = (),
    signing: bytes = b"",
) -> Verified:
    """Compute a deployment again; without its secret, draws are taken as recorded.

    `roots` are those that somebody knows of the first rows of its log; the heads that it keeps itself are
    compared, too, and who signed them with `signing`, the key of a folder (a database holds its own).
    """
    check_format(reader)
    rows = reader.execute("SELECT signing FROM meta")
    moments: list[int] = [0]
    key = signing or None if not rows or rows[0][0] is None else bytes(rows[0][0])
    drawn: list[tuple[int, int, int, str]] = []

    def note(replay: Replay, at: int) -> None:
        decided = replay.state.decided
        if is_moment_due(decided, drawn[-1][2] if drawn else None):
            drawn.append((replay.labels, at, decided, moment_text(replay.state)))

    found = verify_log(reader, document, secret, roots, key, moments, note)
    if found.difference is not None:
        return found
    checks: tuple[Callable[[], Difference | None], ...] = (
        lambda: _state_difference(reader, found, document, moments[0]),
        lambda: _moment_difference(reader, found, drawn),
        lambda: _content_difference(reader, archive),
        lambda: None if archive is None else _archive_difference(reader, archive, document),
    )
    return _with_first(found, checks)


def verify_log(
    reader: StoreReader,
    document: PolicyDocument,
    secret: bytes | None,
    roots: Sequence[LogRoot] = (),
    key: bytes | None = None,
    moments: list[int] | None = None,
    heard: Callable[[Replay, int], None] | None = None,
) -> Verified:
    """Compute the rows of a log again, its heads and its subtrees; `key` signs, and `moments` gets that of the last row.

    `heard` is that of `verify`.
    """
    moments = [0] if moments is None else moments
    blocks = _note_moments(life_blocks(reader.stream), moments)
    heads = read_heads(reader, document)
    known = [*roots, *(head.log_root for head in heads)]
    found = verify(document, blocks, read_events(reader), secret, roots=known, heard=heard)
    if found.difference is not None:
        return found
    checks: tuple[Callable[[], Difference | None], ...] = (
        lambda: _signature_difference(heads, found, key),
        lambda: _node_difference(reader, found),
    )
    return _with_first(found, checks)


def _with_first(found: Verified, checks: Iterable[Callable[[], Difference | None]]) -> Verified:
    differences = (check() for check in checks)
    return replace(found, difference=next(filter(None, differences), None))


def _note_moments(blocks: Iterable[Block], moments: list[int]) -> Iterator[Block]:
    for block in blocks:
        moments[0] = block.at if isinstance(block.at, int) else int(block.at[-1])
        yield block


def read_events(reader: StoreReader) -> list[LoggedEvent]:
    """Return all events with their place in the log.

    Raises
    ------
    LogError
        If a row is missing, or holds what no event is.
    """
    events = []
    rows = reader.execute("SELECT n, seq, kind, numbers, at, leaf FROM events ORDER BY n")
    for i, (n, seq, kind, numbers, at, leaf) in enumerate(rows):
        try:
            event = Event(seq, kind, json.loads(numbers))
        except (TypeError, ValueError):
            event = None
        if event is None or n != i or not all(type(one) is int for one in (seq, at, leaf)):
            raise LogError(
                f"the table events: row {i} is missing, or holds what no event is; restore the deployment "
                "from a copy"
            )
        events.append(LoggedEvent(event, at, leaf))
    return events


def _state_difference(
    reader: StoreReader, found: Verified, document: PolicyDocument, last_at: int
) -> Difference | None:
    """Compare what the next decision would go on from."""
    replay = found.replay
    seq = replay.state.decided
    rows = reader.execute("SELECT id, summary, last_at, policy, secret FROM meta")
    if [row[0] for row in rows] != [1]:
        return Difference("state", seq, "the table meta does not have one row, of the id 1")
    ((_, summary, recorded_at, policy, secret),) = rows
    parts: dict[str, str] = dict(reader.execute("SELECT name, content FROM state"))
    again = {"": summary_text(replay), **state_parts(replay.state)}
    if not _is_same_state({"": summary, **parts}, again):
        return Difference("state", seq, "it is not what the decisions and labels give")
    if recorded_at != last_at:
        return Difference("state", seq, "its last moment is not that of the last row")
    if policy is not None and policy.strip() != document.to_json().strip():
        return Difference("state", seq, "the policy in meta is another one")
    if secret is not None and secret_hash(bytes(secret)) != document.secret_hash:
        return Difference("state", seq, "the secret in meta is not the policy's")
    pending = replay.state.pending.rows()
    entries = reader.execute("SELECT seq, entry FROM pending ORDER BY seq")
    if [seq for seq, _ in entries] != pending["seq"].tolist() or b"".join(
        bytes(entry) for _, entry in entries
    ) != pending.tobytes():
        return Difference("pending", seq, "it is not what the decisions and labels give")
    return None


def _moment_difference(
    reader: StoreReader, found: Verified, drawn: Sequence[tuple[int, int, int, str]]
) -> Difference | None:
    """Compare what pictures draw."""
    rows = reader.execute("SELECT n, at, decided, content FROM moments ORDER BY n")
    for one, two in zip_longest(rows, drawn):
        same = one is not None and two is not None and tuple(one[:3]) == two[:3]
        if not same or not _is_same_state({"": one[3]}, {"": two[3]}):
            seq = found.replay.state.decided if two is None else two[2]
            return Difference("moments", seq, "what pictures draw is not what the labels give")
    return None


def _is_same_state(recorded: Mapping[str, Any], again: Mapping[str, str]) -> bool:
    """Return whether the texts of a state are the same, but for the rounding of another processor."""
    if recorded == again:
        return True
    try:
        plain = {name: json.loads(text) for name, text in recorded.items()}
    except (TypeError, ValueError):
        return False
    return is_same_but_rounding(plain, {name: json.loads(text) for name, text in again.items()})


def _signature_difference(
    heads: Sequence[Head], found: Verified, key: bytes | None
) -> Difference | None:
    """Check who signed the heads, where this can be checked: one key, all of them."""
    if not can_check():
        return None
    seq = found.replay.state.decided
    for head in heads:
        if head.signer != heads[0].signer or not is_signed(head):
            return Difference("head", seq, f"that of {head.size} rows is not signed by its key")
    if key is not None and heads and not is_key_of(key, heads[0]):
        return Difference("head", seq, "they are not signed by the key that is kept with them")
    return None


def _node_difference(reader: StoreReader, found: Verified) -> Difference | None:
    """Compare the subtrees from which proofs are made."""
    seq = found.replay.state.decided
    made = {(level, place): one for level, place, one in found.replay.tree.whole}
    kept = {
        (level, place): one if one is None else bytes(one)
        for level, place, one in reader.execute("SELECT level, place, hash FROM nodes")
    }
    for (level, place), one in made.items():
        if kept.pop((level, place), None) != one:
            return Difference(
                "nodes", seq, f"that of the rows {place << level} to {(place + 1 << level) - 1} of the log "
                "is not what they give"
            )  # fmt: skip
    return Difference("nodes", seq, "there is one that the rows do not give") if kept else None


def _content_difference(reader: StoreReader, archive: Archive | None) -> Difference | None:
    """Compare content with its digest; what is not there must have been deleted on request."""
    filed = (
        -1
        if archive is None
        else max((part.last for part in list_parts(reader, "decisions")), default=-1)
    )
    select = (
        "SELECT d.seq, d.content, d.digest, d.salt, f.seq FROM decisions d LEFT JOIN forgotten f "
        "ON f.seq = d.seq WHERE d.content IS NOT NULL OR d.digest IS NOT NULL OR d.salt IS NOT NULL "
        "OR f.seq IS NOT NULL ORDER BY d.seq"
    )
    for seq, content, digest, salt, forgotten in reader.stream(select):
        is_filed = content is None and seq <= filed
        what = _of_content(content, digest, salt, is_filed=is_filed, is_gone=forgotten is not None)
        if what:
            return Difference("decisions", seq, what)
    return None


def _of_content(
    content: str | None,
    digest: str | None,
    salt: bytes | None,
    *,
    is_filed: bool,
    is_gone: bool,
) -> str:
    """Say what is wrong with the content of a case; empty if nothing is."""
    if is_gone:
        stands = content is not None or salt is not None
        return "its content was deleted, and is still there" if stands or digest is None else ""
    if digest is None or salt is None:
        return "its content, its digest and the salt of this do not belong together"
    if content is None:
        return "" if is_filed else "its content is gone, and nobody deleted it by askpoint forget"
    return (
        "" if content_digest(content, salt) == digest else "its content is not that of its digest"
    )


def _archive_difference(
    reader: StoreReader, archive: Archive, document: PolicyDocument
) -> Difference | None:
    """Compare the files of days that are over with the tables."""
    parts = list_parts(reader)
    for path in archive.strays(parts):
        return Difference(
            path.parent.name, 0, f"{path.name} was left by a write that was broken off; decide or label, "
            "which removes it"
        )  # fmt: skip
    ends = {"decisions": document.state.decided - 1, "labels": -1}
    for part in parts:
        if part.kind not in ends:
            raise LogError(f"the table parts: {part.file} is of {part.kind!r}, which there is not")
        frame = read_part(archive.place(part))
        if part.first != ends[part.kind] + 1:
            raise LogError(f"{part.kind}.parquet: rows before {part.first} have no file")
        ends[part.kind] = part.last
        number, row = ("seq", DecisionRow) if part.kind == "decisions" else ("n", LabelRow)
        found = reader.execute(
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
        if difference is None and part.kind == "decisions":
            difference = _filed_difference(place, frame, found)
        if difference is not None:
            return difference
    return None


def _filed_difference(
    place: str, frame: pl.DataFrame, rows: Sequence[Sequence[Any]]
) -> Difference | None:
    for text, values in zip(frame["content"], rows, strict=True):
        row = DecisionRow._make(values)
        if row.content is not None or (row.digest is None and text is None):
            continue
        is_gone = row.salt is None and row.digest is not None
        what = _of_content(text, row.digest, row.salt, is_filed=False, is_gone=is_gone)
        if what:
            return Difference(place, row.seq, what)
    return None


def _frame_difference(
    place: str, first: int, frame: pl.DataFrame, known: pl.DataFrame
) -> Difference | None:
    if frame.columns != known.columns or len(frame) != len(known):
        return Difference(place, first, "its rows or columns are not those of the tables")
    for name in frame.columns:
        if name == "content":
            continue
        differs = frame[name].ne_missing(known[name])
        if differs.any():
            row = int(differs.arg_max() or 0)
            one, two = (canonical_json(str(side[name][row])) for side in (frame, known))
            return Difference(
                place, first + row, f"{name} is {one} in the file and {two} in the table"
            )
    return None
