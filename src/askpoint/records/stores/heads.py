"""The log of a deployment as its database keeps it: heads, and the hashes of which proofs are made."""

from __future__ import annotations

import functools
import itertools
import json
from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

from askpoint.errors import LogError
from askpoint.live.blocks import DeletionBlock
from askpoint.live.documents import PolicyDocument
from askpoint.live.events import Event
from askpoint.live.heads import Head
from askpoint.live.log_rows import (
    decision_texts,
    deletion_texts,
    event_text,
    hand_in_text,
    hash_texts,
    label_text,
    lease_text,
    policy_text,
)
from askpoint.live.merkle import TILE, node_hash
from askpoint.records.stores.database import RowWriter, StoreReader
from askpoint.records.stores.lease_tables import select_hand_ins, select_leases
from askpoint.records.stores.tables import DecisionRow, LabelRow, decision_block

__all__ = ["StoredTree", "read_heads", "write_head"]

_Row = tuple[Any, ...]
_HEAD = ("size", "root", "at", "signer", "signature")


def read_heads(reader: StoreReader, document: PolicyDocument) -> list[Head]:
    """Return the heads that were made so far, the oldest first."""
    rows = reader.execute(f"SELECT {', '.join(_HEAD)} FROM heads ORDER BY size")  # noqa: S608
    return [
        Head.from_dict({
            **dict(zip(_HEAD, row, strict=True)),
            "kind": "askpoint head",
            "policy": document.id,
            "secret_hash": document.secret_hash,
        })
        for row in rows
    ]  # fmt: skip


def write_head(database: RowWriter, head: Head) -> None:
    """Keep a head, within a transaction."""
    database.insert("heads", _HEAD, [tuple(getattr(head, name) for name in _HEAD)])


class StoredTree:
    """The whole subtrees of a deployment's log, by level and place.

    Those of 256 rows and more are kept; smaller ones are hashed from their rows.

    Parameters
    ----------
    reader : StoreReader
        What is committed as of one moment.
    document : PolicyDocument
        Whose log.
    """

    def __init__(self, reader: StoreReader, document: PolicyDocument) -> None:
        self._reader, self._document = reader, document
        self._leaves = functools.lru_cache(maxsize=8)(self._leaves_of_tile)

    def __call__(self, level: int, place: int) -> bytes:
        """Return the hash of a whole subtree."""
        base = level // TILE * TILE
        first, n = place << (level - base), 1 << (level - base)
        if base:
            rows = self._reader.execute(
                "SELECT hash FROM nodes WHERE level = ? AND place >= ? AND place < ? ORDER BY place",
                (base, first, first + n),
            )
            hashes = [bytes(one) for (one,) in rows]
        else:
            tile, start = first >> TILE, first & ((1 << TILE) - 1)
            hashes = self._leaves(tile)[start : start + n]
        if len(hashes) != n:
            raise LogError(
                f"the log of {self._document.id} lacks the rows {place << level} to "
                f"{(place + 1 << level) - 1}; run askpoint verify"
            )
        while len(hashes) > 1:
            hashes = [node_hash(*hashes[i : i + 2]) for i in range(0, len(hashes), 2)]
        return hashes[0]

    def _leaves_of_tile(self, tile: int) -> list[bytes]:
        """Return the hashes of 256 rows, made of the tables."""
        low, high = tile << TILE, (tile + 1) << TILE
        document = self._document
        found: dict[int, str] = {0: policy_text(document)} if not tile else {}
        rows = self._between("decisions", DecisionRow._fields, low, high)
        found |= {row[_PLACE]: text for row, text in zip(rows, self._decisions(rows), strict=True)}
        for row in map(LabelRow._make, self._between("labels", LabelRow._fields, low, high)):
            found[row.leaf] = label_text(
                document, row.n, row.key, row.label, row.judge, row.source, row.truth, row.at, row.after,
                bool(row.counts), row.clock_back,
            )  # fmt: skip
        for _, seq, kind, numbers, at, leaf in self._between("events", _EVENT, low, high):
            found[leaf] = event_text(document, Event(seq, kind, json.loads(numbers)), at)
        for seq, at, leaf, key in self._reader.execute(_FORGOTTEN, (low, high)):
            block = DeletionBlock(seq=(seq,), key=(key,), at=at)
            found[leaf] = deletion_texts(document, block)[0]
        for grant in select_leases(self._reader, low, high):
            found[grant.leaf] = lease_text(document, grant)
        for hand_in in select_hand_ins(self._reader, low, high):
            found[hand_in.leaf] = hand_in_text(document, hand_in)
        places = sorted(found)
        if places != list(range(low, low + len(places))):
            raise LogError(f"the log of {document.id} has gaps; run askpoint verify")
        return hash_texts(found[place] for place in places)

    def _decisions(self, rows: list[_Row]) -> list[str]:
        return [
            text
            for _, part in itertools.groupby(rows, lambda row: row[_LEASE])
            for text in decision_texts(self._document, decision_block(list(part)))
        ]

    def _between(self, table: str, fields: Sequence[str], low: int, high: int) -> list[_Row]:
        """Return the rows of a table at some places of the log; places grow with the first of its columns."""
        number, names = fields[0], ", ".join(fields)
        ends = f"SELECT (SELECT min({number}) FROM {table}), (SELECT max({number}) FROM {table})"  # noqa: S608
        ((first, last),) = self._reader.execute(ends)  # each alone needs no scan
        if first is None:
            return []

        def leaf(at: int) -> int:
            select = f"SELECT leaf FROM {table} WHERE {number} = ?"  # noqa: S608
            found = self._reader.execute(select, (at,))
            return int(found[0][0]) if found else 0

        numbers = range(first, last + 1)
        start, stop = (bisect_left(numbers, place, key=leaf) for place in (low, high))
        return self._reader.execute(
            f"SELECT {names} FROM {table} WHERE {number} >= ? AND {number} < ? ORDER BY {number}",  # noqa: S608
            (first + start, first + stop),
        )


_PLACE, _LEASE = (DecisionRow._fields.index(name) for name in ("leaf", "lease"))
_EVENT = ("n", "seq", "kind", "numbers", "at", "leaf")
_FORGOTTEN = (
    "SELECT f.seq, f.at, f.leaf, d.key FROM forgotten f JOIN decisions d ON d.seq = f.seq "
    "WHERE f.leaf >= ? AND f.leaf < ?"
)
