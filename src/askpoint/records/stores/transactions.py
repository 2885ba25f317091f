"""A deployment within transactions: known cases, new receipts, and where the policy is now.

What a commit costs hangs on what it writes: neither on how long the life is, nor on how many labels are
awaited. The state stands in one row, its pending cases in a row each.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace

from askpoint.errors import LogError
from askpoint.live.batches import DecisionBatch, LabelRows
from askpoint.live.blocks import DeletionBlock, LeaseBlock
from askpoint.live.canonical import canonical_json
from askpoint.live.documents import PolicyDocument
from askpoint.live.events import event_kind
from askpoint.live.gateway import KnownCase, LabelOutcome, Outcome
from askpoint.live.hand_ins import EarlierCase, HandInOutcome
from askpoint.live.history import is_moment_due, moment_text
from askpoint.live.label_blocks import Counted, LabelContext
from askpoint.live.leases.lease import Lease
from askpoint.live.pending import PendingCases
from askpoint.live.receipts import Replay
from askpoint.records.stores.database import Database, StoreReader
from askpoint.records.stores.lease_tables import HAND_IN, LEASE
from askpoint.records.stores.outbox import Message, announce
from askpoint.records.stores.summary import (
    find_changed_parts,
    read_summary,
    state_parts,
    summary_text,
)
from askpoint.records.stores.tables import (
    FORMAT,
    DecisionRow,
    LabelRow,
    check_format,
    decision_rows,
    label_rows,
)

__all__ = ["StoreLedger", "StoreStanding", "Transaction", "load_standing"]

_SALT = 16  # bytes
_EVENT = ("n", "seq", "kind", "numbers", "at", "leaf")


class StoreStanding:
    """Where a deployment is as of a version, kept in this process.

    Parameters
    ----------
    version : int
        Commits so far.
    last_at : int
        The last moment that is recorded, in microseconds since 1970.
    replay : Replay
        State and log; the events so far stand in their table.
    events : int
        How many there are.
    """

    def __init__(self, version: int, last_at: int, replay: Replay, events: int) -> None:
        self.version, self.last_at, self.replay, self.events = version, last_at, replay, events


class StoreLedger:
    """Reads and writes the tables of a deployment; one transaction at a time."""

    def __init__(self, database: Database, document: PolicyDocument, secret: bytes) -> None:
        self.document, self.secret = document, secret
        self._database = database
        self.standing: StoreStanding | None = None

    def create(
        self, policy: str | None = None, secret: bytes | None = None, signing: bytes | None = None
    ) -> None:
        """Write the first row of meta; the tables are there, and empty."""
        summary = summary_text(Replay(self.document))
        self._database.execute(
            "INSERT INTO meta VALUES (1, ?, 0, 0, ?, ?, ?, ?)",
            (FORMAT, policy, secret, signing, summary),
        )
        parts = state_parts(self.document.state)
        self._database.insert("state", ("name", "content"), list(parts.items()))
        self._write_pending(PendingCases(), self.document.state.pending)

    def begin(self) -> Transaction:
        """Return a transaction on where the deployment is now, whoever wrote last."""
        version = check_format(self._database)
        if self.standing is None or self.standing.version != version:
            self.standing = self._load()
        return Transaction(self._database, self.standing, self.secret)

    def end(self, transaction: Transaction) -> bool:
        """Write where the policy is now; return whether anything changed."""
        if not transaction.is_changed:
            return False
        made, before = transaction.replay, transaction.before
        events = made.events
        rows = [
            (before.events + i, one.seq, one.kind, canonical_json(dict(one.numbers)), *place)
            for i, (one, place) in enumerate(zip(events, made.places, strict=True))
        ]
        if rows:
            self._database.insert("events", _EVENT, rows)
        self._announce_events(transaction)
        if transaction.nodes:
            self._database.insert("nodes", ("level", "place", "hash"), transaction.nodes)
        old, new = before.replay.state.pending, made.state.pending
        self._drop_pending(old, new)
        self._write_pending(old, new)
        made.clear_events()
        version = before.version + 1
        self._database.execute(
            "UPDATE meta SET version = ?, last_at = ?, summary = ?",
            (version, transaction.last_at, summary_text(made)),
        )
        parts = find_changed_parts(made.state, before.replay.state)
        if parts:
            self._database.change("UPDATE state SET content = ? WHERE name = ?", parts)
        transaction.after = StoreStanding(
            version, transaction.last_at, made, before.events + len(events)
        )
        return True

    def _announce_events(self, transaction: Transaction) -> None:
        """Put what people must hear into the outbox, within the transaction of what happened."""
        document, made = self.document, transaction.replay
        for event, place in zip(made.events, made.places, strict=True):
            kind = event_kind(event.kind).webhook
            if kind:
                data = {"decision": event.seq, "event": event.kind, "numbers": dict(event.numbers)}
                name = f"{document.secret_hash[:12]}-{place.leaf}"
                announce(self._database, document, Message(name, kind, place.at, data))

    def keep(self, transaction: Transaction) -> None:
        """Go on from a transaction that is committed."""
        if transaction.after is not None:
            self.standing = transaction.after

    def _drop_pending(self, old: PendingCases, new: PendingCases) -> None:
        gone = old.first_seq
        first = new.first_seq
        if gone is not None and (first is None or first > gone):
            if first is None:
                self._database.execute("DELETE FROM pending")
            else:
                self._database.execute("DELETE FROM pending WHERE seq < ?", (first,))

    def _write_pending(self, old: PendingCases, new: PendingCases) -> None:
        """Write what is new among the pending cases, and labels that came."""
        rows = _pending_rows(new, old)
        last = old.last_seq
        fresh = [row for row in rows if last is None or row[0] > last]
        if fresh:
            self._database.insert("pending", ("seq", "entry"), fresh)
        changed = rows[: len(rows) - len(fresh)]  # rows stand in the order of decisions
        if changed:
            self._database.change(
                "UPDATE pending SET entry = ? WHERE seq = ?",
                [(entry, seq) for seq, entry in changed],
            )

    def _load(self) -> StoreStanding:
        return load_standing(self._database, self.document)


def load_standing(reader: StoreReader, document: PolicyDocument) -> StoreStanding:
    """Read where a deployment is: one row, and one of each case whose label is awaited."""
    execute = reader.execute
    ((version, last_at, summary),) = execute("SELECT version, last_at, summary FROM meta")
    entries = b"".join(row[0] for row in execute("SELECT entry FROM pending ORDER BY seq"))
    ((events,),) = execute("SELECT count(*) FROM events")
    parts: dict[str, str] = dict(execute("SELECT name, content FROM state"))
    try:
        replay = read_summary(summary, parts, entries, document)
    except (KeyError, TypeError, ValueError) as error:
        raise LogError(
            f"the state of the deployment was changed ({error!r}); restore it from a copy"
        ) from None
    return StoreStanding(version, last_at, replay, events)


def _pending_rows(new: PendingCases, old: PendingCases) -> list[tuple[int, bytes]]:
    rows = new.find_changes(old)
    data, size = rows.tobytes(), rows.dtype.itemsize
    entries = [data[i : i + size] for i in range(0, len(data), size)]
    return list(zip(rows["seq"].tolist(), entries, strict=True))


class Transaction:
    """A `Store` of the gateway: what is decided and labelled between begin and commit."""

    def __init__(self, database: Database, standing: StoreStanding, secret: bytes) -> None:
        self.secret = secret
        self.before = standing
        self.after: StoreStanding | None = None
        self.replay = standing.replay.copy()
        self.last_at = standing.last_at
        self.rows: dict[str, DecisionRow] = {}
        self.nodes: list[tuple[int, int, bytes]] = []
        self.is_changed = False
        self.clock_back: int | None = None
        self._database = database

    def find_known_cases(self, keys: Sequence[str]) -> Mapping[str, KnownCase]:
        """Return what came with those of the keys that were decided."""
        select = f"SELECT {', '.join(DecisionRow._fields)} FROM decisions WHERE key IN"  # noqa: S608
        for values in self._database.find(select, [key for key in keys if key not in self.rows]):
            row = DecisionRow._make(values)
            self.rows[row.key] = row
        return {key: self.rows[key].known for key in keys if key in self.rows}

    def write_decisions(self, batch: DecisionBatch, outcome: Outcome, at: int) -> None:
        """Write new decisions."""
        rows = decision_rows(batch, outcome)
        if not rows:
            return
        self._database.insert("decisions", DecisionRow._fields, rows)
        self.rows |= {row.key: row for row in rows}
        self._advance(outcome.replay, at)

    def label_context(self, rows: LabelRows) -> LabelContext:
        """Return what labels are compared with."""
        self.find_known_cases(rows.key)
        cases = {key: self.rows[key].case for key in rows.key if key in self.rows}
        select = "SELECT key, judge, label, source, counts FROM labels WHERE key IN"
        there = list(self._database.find(select, rows.key))
        counted: set[Counted] = {
            (key, judge) if source == "gold" else key
            for key, judge, _, source, counts in there
            if counts
        }
        return LabelContext(cases, counted, {(k, j, label, s) for k, j, label, s, _ in there})

    def write_labels(self, outcome: LabelOutcome) -> None:
        """Write labels."""
        first = self.replay.labels
        self._database.insert("labels", LabelRow._fields, label_rows(outcome.block, first))
        self._advance(outcome.replay, int(outcome.block.at[-1]))
        self._note_moment()

    def _note_moment(self) -> None:
        """Keep how it stands, for pictures, if that is long enough after the last moment that was kept."""
        last = self._database.execute("SELECT decided FROM moments ORDER BY n DESC LIMIT 1")
        state = self.replay.state
        if is_moment_due(state.decided, last[0][0] if last else None):
            row = (self.replay.labels, self.last_at, state.decided, moment_text(state))
            self._database.insert("moments", ("n", "at", "decided", "content"), [row])

    def find_earlier_cases(self, keys: Sequence[str]) -> Mapping[str, EarlierCase]:
        """Return what is known of those of the keys that were decided, and whether they were answered."""
        known = self.find_known_cases(keys)
        return {
            key: EarlierCase(case, self.rows[key].action == "answer") for key, case in known.items()
        }

    def write_lease(self, lease: Lease) -> Lease:
        """Write a lease that was granted."""
        replay = self.replay.copy()
        placed = replace(lease, leaf=replay.tree.size)
        self._database.insert("leases", LEASE, [tuple(getattr(placed, name) for name in LEASE)])
        replay.grant(LeaseBlock(lease=placed))
        self._advance(replay, lease.granted)
        return placed

    def write_hand_in(self, made: HandInOutcome) -> None:
        """Write what of a lease was handed in, and its new decisions."""
        block = made.block
        self._database.insert(
            "hand_ins", HAND_IN, [tuple(getattr(block, name) for name in HAND_IN)]
        )
        self.nodes += made.nodes
        if made.outcome.decided:
            self.write_decisions(made.batch, made.outcome, block.at)
        else:
            self._advance(made.outcome.replay, block.at)

    def write_forgotten(self, rows: Sequence[DecisionRow], at: int) -> None:
        """Delete content and salt of cases from the tables, and write that it was done."""
        replay = self.replay.copy()
        seqs, keys = tuple(row.seq for row in rows), tuple(row.key for row in rows)
        block = DeletionBlock(seq=seqs, key=keys, at=at, leaf=replay.tree.size)
        places = range(block.leaf, block.leaf + len(rows))
        self._database.insert(
            "forgotten",
            ("seq", "at", "leaf"),
            [(seq, at, leaf) for seq, leaf in zip(seqs, places, strict=True)],
        )
        self._database.change(
            "UPDATE decisions SET content = NULL, salt = NULL WHERE seq = ?",
            [(seq,) for seq in seqs],
        )
        replay.forget(block)
        self._advance(replay, at)

    def at(self, moment: int) -> int:
        """Let the next rows be of a moment; a clock that stepped back is noted in them."""
        back = self.last_at - moment
        self.clock_back = back if back > 0 else None
        return max(moment, self.last_at)

    def draw_salts(self, n: int) -> list[bytes]:
        """Return random bytes for the digests of contents; they are kept and deleted with these."""
        drawn = os.urandom(_SALT * n)
        return [drawn[i : i + _SALT] for i in range(0, _SALT * n, _SALT)]

    def _advance(self, replay: Replay, at: int) -> None:
        self.replay, self.last_at, self.is_changed = replay, at, True
        self.nodes += replay.tree.whole
