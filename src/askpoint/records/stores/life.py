"""The life of a deployment read from its tables, in the order in which it happened."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from askpoint.errors import LogError
from askpoint.live.blocks import Block, DecisionBlock, DeletionBlock, LabelBlock
from askpoint.live.label_blocks import (
    Counted,
    DecidedCase,
    LabelContext,
    compare_labels,
    list_counted,
)
from askpoint.records.stores.lease_tables import read_hand_ins, read_leases
from askpoint.records.stores.tables import DecisionRow, LabelRow, check_columns, decision_blocks

__all__ = ["DECISIONS", "FORGOTTEN", "LABELS", "Rows", "join_blocks", "life_blocks"]

Rows = Callable[[str], Iterable[Sequence[Any]]]
"""Runs a statement, and yields its rows."""

DECISIONS = f"SELECT {', '.join(DecisionRow._fields)} FROM decisions ORDER BY seq"  # noqa: S608
LABELS = f"SELECT {', '.join(LabelRow._fields)} FROM labels ORDER BY n"  # noqa: S608
_LABELLED = (
    f"SELECT {', '.join(f'l.{name}' for name in LabelRow._fields)}, d.seq, d.prediction, d.answer, d.audit "  # noqa: S608
    "FROM labels l LEFT JOIN decisions d ON d.key = l.key ORDER BY l.n"
)
FORGOTTEN = (
    "SELECT f.seq, f.at, f.leaf, d.key FROM forgotten f LEFT JOIN decisions d ON d.seq = f.seq"
)
_WIDTH = len(LabelRow._fields)
_SOURCES = frozenset({"asked", "audit", "feedback", "gold"})
_JOINED = 20_000  # decisions
_MINUTE = 60_000_000


def life_blocks(rows: Rows) -> Iterator[Block]:
    """Yield decisions, labels and deletions in blocks, in the order of the log."""
    return heapq.merge(
        decision_blocks(rows(DECISIONS)),
        _label_blocks(rows),
        _deletions(rows),
        read_leases(rows),
        read_hand_ins(rows),
        key=lambda block: block.leaf,
    )


def _deletions(rows: Rows) -> Iterator[DeletionBlock]:
    for row in rows(f"{FORGOTTEN} ORDER BY f.leaf"):
        seq, at, leaf, key = row
        if not (type(seq) is type(at) is type(leaf) is int and isinstance(key, str)):
            raise LogError(
                f"the table forgotten: the row {tuple(row)!r:.80} is of no decision; restore the "
                "deployment from a copy"
            )
        yield DeletionBlock(seq=(seq,), key=(key,), at=at, leaf=leaf)


def _label_blocks(rows: Rows) -> Iterator[LabelBlock]:
    counted: set[Counted] = set()
    part: list[Sequence[Any]] = []
    chain = LabelRow._fields.index("chain")
    for n, row in enumerate(rows(_LABELLED)):
        if row[0] != n:
            raise LogError(
                f"the table labels: row {n} is missing, and {row[0]!r} follows; restore the deployment from "
                "a copy"
            )
        part.append(row)
        if row[chain] is not None:
            yield _compare_labels(part, counted)
            part = []
    if part:
        yield _compare_labels(part, counted)


def _compare_labels(rows: Sequence[Sequence[Any]], counted: set[Counted]) -> LabelBlock:
    """Return a block whose labels are compared again with what was decided."""
    columns = LabelRow._make(map(list, zip(*(row[:_WIDTH] for row in rows), strict=True)))
    check_columns("labels", columns)
    said = [LabelRow._make(row[:_WIDTH]) for row in rows]
    cases = {}
    for one, (seq, prediction, answer, audit) in zip(
        said, (row[_WIDTH:] for row in rows), strict=True
    ):
        if seq is not None:
            source = "asked" if not answer else "audit" if audit else "feedback"
            cases[one.key] = DecidedCase(seq, prediction, source)
        if one.after != said[0].after:
            raise LogError(
                f"the table labels: {one.key!r} came after {one.after} decisions, and what came together "
                f"with it after {said[0].after}; restore the deployment from a copy"
            )
        if one.source not in _SOURCES:
            raise LogError(
                f"the table labels: {one.key!r} has the source {one.source!r}, which there is not; restore "
                "the deployment from a copy"
            )
        if one.source != "gold" and (seq is None or seq >= one.after):
            raise LogError(
                f"the table labels: {one.key!r} was labelled before it was decided; restore the deployment "
                "from a copy"
            )
    names = {name for one in said for name in (one.key, (one.key, one.judge))}
    block = compare_labels(
        columns.key,  # type: ignore[arg-type]
        columns.label,  # type: ignore[arg-type]
        columns.judge,  # type: ignore[arg-type]
        columns.source,  # type: ignore[arg-type]
        columns.truth,  # type: ignore[arg-type]
        LabelContext(cases, counted & names),
        after=said[0].after,
        at=np.array(columns.at, dtype=np.int64),
        clock_back=columns.clock_back,  # type: ignore[arg-type]
        leaf=said[0].leaf,
        chain=said[-1].chain or "",
    )
    counted |= list_counted(block)
    if [one.counts for one in said] != (block.counts | block.gold).astype(int).tolist():
        raise LogError(
            f"the table labels: what counts of the labels from number {said[0].key!r} is not "
            "what is computed again; restore the deployment from a copy"
        )
    return block


def join_blocks(blocks: Iterable[Block], rate: float) -> Iterator[Block]:
    """Join the decisions of a minute, where all are audited at one rate: for pictures, not for hashes."""
    waiting: list[DecisionBlock] = []
    size, raised = 0, False
    for block in blocks:
        joins = (
            isinstance(block, DecisionBlock)
            and not raised
            and block.lease is None
            and bool((block.rate == rate).all())
        )
        if isinstance(block, DeletionBlock):
            continue
        if waiting and not (
            joins
            and isinstance(block, DecisionBlock)
            and size < _JOINED
            and block.at[0] // _MINUTE == waiting[0].at[0] // _MINUTE
        ):
            yield _join_blocks(waiting)
            waiting, size = [], 0
        if joins and isinstance(block, DecisionBlock):
            waiting.append(block)
            size += len(block.key)
        else:
            raised = raised or (isinstance(block, DecisionBlock) and block.lease is None)
            yield block
    if waiting:
        yield _join_blocks(waiting)


def _join_blocks(blocks: list[DecisionBlock]) -> DecisionBlock:
    if len(blocks) == 1:
        return blocks[0]
    columns: dict[str, Any] = {}
    for name, value in vars(blocks[0]).items():
        parts = [getattr(block, name) for block in blocks]
        if isinstance(value, np.ndarray):
            columns[name] = np.concatenate(parts)
        elif isinstance(value, list):
            columns[name] = [one for part in parts for one in part]
    return replace(blocks[0], **columns, chain="")
