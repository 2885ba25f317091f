"""The tables of a deployment, and their rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from askpoint.errors import LogError, StoreError
from askpoint.live.batches import DecisionBatch
from askpoint.live.blocks import DecisionBlock, LabelBlock
from askpoint.live.gateway import KnownCase, Outcome
from askpoint.live.label_blocks import DecidedCase
from askpoint.records.stores.database import StoreReader

__all__ = [
    "DECISION_COLUMNS",
    "FORMAT",
    "LABEL_COLUMNS",
    "SCHEMA",
    "DecisionRow",
    "LabelRow",
    "check_columns",
    "check_format",
    "decision_block",
    "decision_blocks",
    "decision_frame",
    "decision_rows",
    "label_frame",
    "label_rows",
]

FORMAT = 4
"""Of the tables; a program that knows another one leaves them alone."""

SCHEMA = (
    """CREATE TABLE meta (id {long} PRIMARY KEY, format {long} NOT NULL, version {long} NOT NULL,
    last_at {long} NOT NULL, policy TEXT, secret {blob}, signing {blob}, summary TEXT NOT NULL)""",
    """CREATE TABLE decisions (seq {long} PRIMARY KEY, key {key}, at {long} NOT NULL,
    model_version TEXT NOT NULL, prediction TEXT NOT NULL, confidence {real} NOT NULL,
    answer {long} NOT NULL, audit {long} NOT NULL, propensity {real} NOT NULL, drawn {real} NOT NULL,
    episode {long} NOT NULL, held {long} NOT NULL, content TEXT, digest TEXT, region TEXT,
    rate {real} NOT NULL, chain TEXT, clock_back {long}, leaf {long} NOT NULL, salt {blob},
    lease {long})""",
    """CREATE TABLE labels (n {long} PRIMARY KEY, key {key}, label TEXT NOT NULL,
    judge TEXT NOT NULL, source TEXT NOT NULL, truth TEXT, at {long} NOT NULL, after {long} NOT NULL,
    counts {long} NOT NULL, chain TEXT, clock_back {long}, leaf {long} NOT NULL)""",
    "CREATE INDEX decisions_clock_back ON decisions (clock_back) WHERE clock_back > 0 AND lease IS NULL",
    "CREATE INDEX decisions_held ON decisions (held) WHERE held > 0",
    "CREATE INDEX labels_clock_back ON labels (clock_back) WHERE clock_back > 0",
    "{key_once}",
    "CREATE INDEX labels_key ON labels {by_key}",
    "CREATE TABLE state (name TEXT PRIMARY KEY, content TEXT NOT NULL)",
    "CREATE TABLE pending (seq {long} PRIMARY KEY, entry {blob} NOT NULL)",
    """CREATE TABLE events (n {long} PRIMARY KEY, seq {long} NOT NULL, kind TEXT NOT NULL,
    numbers TEXT NOT NULL, at {long} NOT NULL, leaf {long} NOT NULL)""",
    """CREATE TABLE moments (n {long} PRIMARY KEY, at {long} NOT NULL, decided {long} NOT NULL,
    content TEXT NOT NULL)""",
    "CREATE TABLE forgotten (leaf {long} PRIMARY KEY, seq {long} NOT NULL UNIQUE, at {long} NOT NULL)",
    """CREATE TABLE leases (number {long} PRIMARY KEY, decider TEXT NOT NULL, episode {long} NOT NULL,
    threshold {real}, rate {real} NOT NULL, answers {long} NOT NULL, granted {long} NOT NULL,
    expires {long} NOT NULL, leaf {long} NOT NULL)""",
    """CREATE TABLE hand_ins (lease {long} PRIMARY KEY, at {long} NOT NULL, answers {long} NOT NULL,
    cases {long} NOT NULL, booked {long} NOT NULL, digest TEXT NOT NULL, leaf {long} NOT NULL)""",
    "CREATE TABLE nodes (level {long}, place {long}, hash {blob} NOT NULL, PRIMARY KEY (level, place))",
    """CREATE TABLE outbox (n {long} PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
    at {long} NOT NULL, body TEXT NOT NULL)""",
    """CREATE TABLE recipients (name TEXT PRIMARY KEY, next {long} NOT NULL, attempts {long} NOT NULL,
    due {long} NOT NULL, said TEXT NOT NULL)""",
    """CREATE TABLE heads (size {long} PRIMARY KEY, root TEXT NOT NULL, at {long} NOT NULL,
    signer TEXT NOT NULL, signature TEXT NOT NULL)""",
    "CREATE TABLE dead (n {long} PRIMARY KEY, at {long} NOT NULL, line TEXT NOT NULL, error TEXT NOT NULL)",
    """CREATE TABLE parts (file TEXT PRIMARY KEY, kind TEXT NOT NULL, first {long} NOT NULL,
    last {long} NOT NULL)""",
)
"""One row of meta: counts and hashes, and how many commits there were; arrays of the state, and its pending
cases, have a row each; moments are what pictures draw, by how many labels had come. Decisions, labels, events, leases and what was forgotten are the leaves of one Merkle tree; nodes
are its whole subtrees of 256 rows and more, heads the signed roots that left the house. The outbox holds what
is to be told, recipients how far each was told. Each database fills in its own types; `key_once` lets a key decide once."""


def check_format(reader: StoreReader) -> int:
    """Return how many commits there were; tables of another program are left alone.

    Raises
    ------
    StoreError
        If they are of another format.
    LogError
        If their first row is missing.
    """
    rows = reader.execute("SELECT format, version FROM meta")
    if len(rows) != 1:
        raise LogError(
            f"the table meta has {len(rows)} rows and not one; restore the deployment from a copy"
        )
    ((form, version),) = rows
    if form != FORMAT:
        raise StoreError(
            f"this deployment was written by another version of askpoint (its tables are of format {form}, "
            f"this program knows {FORMAT}): nothing was decided; use one version of askpoint everywhere, and "
            "deploy again with this one"
        )
    return int(version)


_MOMENT = pl.Datetime("us", "UTC")

DECISION_COLUMNS: dict[str, Any] = {
    "seq": pl.Int64,
    "key": pl.String,
    "at": _MOMENT,
    "policy": pl.String,
    "model_version": pl.String,
    "prediction": pl.String,
    "confidence": pl.Float64,
    "action": pl.String,
    "would": pl.String,
    "audit": pl.Boolean,
    "propensity": pl.Float64,
    "drawn": pl.Float64,
    "episode": pl.Int32,
    "content": pl.String,
    "digest": pl.String,
    "group": pl.String,
    "rate": pl.Float64,
    "chain": pl.String,
    "clock_back": pl.Int64,
    "leaf": pl.Int64,
    "lease": pl.Int64,
}
"""Columns of decisions as a table: `would` is the action of what was held, `clock_back` is by how many
microseconds the clock stood before the last moment that is recorded (of a lease, how long before its hand-in the
case was decided elsewhere), `leaf` is the row's place in the log, `lease` the lease of such a case, and
`chain` the root of the log up to the last row of each block."""

LABEL_COLUMNS: dict[str, Any] = {
    "key": pl.String,
    "label": pl.String,
    "judge": pl.String,
    "source": pl.String,
    "truth": pl.String,
    "labelled_at": _MOMENT,
    "after": pl.Int64,
    "chain": pl.String,
    "clock_back": pl.Int64,
    "leaf": pl.Int64,
}
"""Columns of labels as a table."""


class DecisionRow(NamedTuple):
    """A row of the table decisions."""

    seq: int
    key: str
    at: int
    model_version: str
    prediction: str
    confidence: float
    answer: int
    audit: int
    propensity: float
    drawn: float
    episode: int
    held: int
    content: str | None
    digest: str | None
    region: str | None
    rate: float
    chain: str | None
    clock_back: int | None
    leaf: int
    salt: bytes | None
    lease: int | None

    @property
    def known(self) -> KnownCase:
        """What came with its key."""
        return KnownCase(self.prediction, self.confidence, self.digest, self.region, self.salt)

    @property
    def case(self) -> DecidedCase:
        """What its labels are compared with."""
        source = "asked" if not self.answer else "audit" if self.audit else "feedback"
        return DecidedCase(self.seq, self.prediction, source)

    @property
    def action(self) -> str:
        """Return what is to be done: answer, ask or hold."""
        return "hold" if self.held else "answer" if self.answer else "ask"


class LabelRow(NamedTuple):
    """A row of the table labels; `counts` says whether it is the first of its case, or of a judge on gold."""

    n: int
    key: str
    label: str
    judge: str
    source: str
    truth: str | None
    at: int
    after: int
    counts: int
    chain: str | None
    clock_back: int | None
    leaf: int


def decision_rows(batch: DecisionBatch, outcome: Outcome) -> list[DecisionRow]:
    """Return the rows of new decisions."""
    content = batch.content or [None] * len(batch.key)
    rows: list[DecisionRow] = []
    for block in outcome.blocks:
        n = len(block.key)
        places = outcome.decided[len(rows) : len(rows) + n]
        columns = (
            block.seq.tolist(),
            block.key,
            block.at.tolist(),
            block.model_version,
            block.prediction,
            block.confidence.tolist(),
            block.answer.astype(np.int64).tolist(),
            block.audit.astype(np.int64).tolist(),
            block.propensity.tolist(),
            block.drawn.tolist(),
            block.episode.tolist(),
            block.held.astype(np.int64).tolist(),
            [content[i] for i in places],
            block.digest,
            block.group,
            block.rate.tolist(),
            [*[None] * (n - 1), block.chain],
            block.clock_back,
            range(block.leaf, block.leaf + n),
            [outcome.salts[i] for i in places],
            [block.lease] * n,
        )
        rows += map(DecisionRow._make, zip(*columns, strict=True))
    return rows


def decision_blocks(rows: Iterable[Sequence[Any]]) -> Iterator[DecisionBlock]:
    """Yield the blocks in which rows of decisions were logged."""
    part: list[Sequence[Any]] = []
    chain = DecisionRow._fields.index("chain")
    for row in rows:
        part.append(row)
        if row[chain] is not None:
            yield _check_block(part)
            part = []
    if part:  # no hash ends it: it was cut off, and does not verify
        yield _check_block(part)


def _check_block(rows: Sequence[Sequence[Any]]) -> DecisionBlock:
    columns = DecisionRow._make(map(list, zip(*rows, strict=True)))
    check_columns("decisions", columns)
    leases: list[int | None] = columns.lease  # type: ignore[assignment]
    if len(set(leases)) > 1:
        raise LogError(
            f"the table decisions: rows that were written together, the first is decision {rows[0][0]}, name "
            "several leases; restore the deployment from a copy"
        )
    return _block_of(columns)


def decision_block(rows: Sequence[Sequence[Any]]) -> DecisionBlock:
    """Return rows of decisions as a block."""
    return _block_of(DecisionRow._make(map(list, zip(*rows, strict=True))))


def _block_of(columns: DecisionRow) -> DecisionBlock:
    return DecisionBlock(
        seq=np.array(columns.seq, dtype=np.int64),
        key=columns.key,  # type: ignore[arg-type]
        at=np.array(columns.at, dtype=np.int64),
        prediction=columns.prediction,  # type: ignore[arg-type]
        confidence=np.array(columns.confidence, dtype=np.float64),
        drawn=np.array(columns.drawn, dtype=np.float64),
        propensity=np.array(columns.propensity, dtype=np.float64),
        answer=np.array(columns.answer, dtype=np.bool_),
        audit=np.array(columns.audit, dtype=np.bool_),
        episode=np.array(columns.episode, dtype=np.int64),
        digest=columns.digest,  # type: ignore[arg-type]
        group=columns.region,  # type: ignore[arg-type]
        rate=np.array(columns.rate, dtype=np.float64),
        held=np.array(columns.held, dtype=np.bool_),
        model_version=columns.model_version,  # type: ignore[arg-type]
        clock_back=columns.clock_back,  # type: ignore[arg-type]
        leaf=columns.leaf[0],  # type: ignore[index]
        chain=columns.chain[-1] or "",  # type: ignore[index]
        lease=columns.lease[0],  # type: ignore[index]
    )


_NUMBERS = frozenset({"seq", "at", "episode", "leaf", "n", "after"})
_FLAGS = frozenset({"answer", "audit", "held", "counts"})
_REALS = frozenset({"confidence", "propensity", "drawn", "rate"})
_MAYBE = frozenset({"content", "digest", "region", "chain", "clock_back", "salt", "truth", "lease"})
_TYPES: dict[str, frozenset[type]] = {
    **dict.fromkeys(_NUMBERS | _FLAGS | {"clock_back", "lease"}, frozenset({int})),
    **dict.fromkeys(_REALS, frozenset({float})),
    "salt": frozenset({bytes}),
}
_TEXT = frozenset({str})
_NOTHING = frozenset({type(None)})


def check_columns(table: str, columns: DecisionRow | LabelRow) -> None:
    """Refuse columns of a block that hold what no program of ours wrote: another type, another flag, a gap."""
    names = columns._fields
    for name, column in zip(names, columns, strict=True):
        values: list[Any] = column  # type: ignore[assignment]
        kinds = _TYPES.get(name, _TEXT) | (_NOTHING if name in _MAYBE else frozenset())
        if not kinds >= set(map(type, values)):
            wrong = next(value for value in values if type(value) not in kinds)
        elif name in _FLAGS and not {0, 1} >= set(values):
            wrong = next(value for value in values if value not in {0, 1})
        else:
            continue
        raise LogError(
            f"the table {table}: the column {name} holds {wrong!r:.80}, which no decision or label "
            "writes; restore the deployment from a copy"
        )
    leaves: list[int] = columns.leaf  # type: ignore[assignment]
    if leaves != list(range(leaves[0], leaves[0] + len(leaves))):
        raise LogError(
            f"the table {table}: rows that were written together from place {leaves[0]} of the log on do "
            "not stand together; restore the deployment from a copy"
        )


def label_rows(block: LabelBlock, first: int) -> list[LabelRow]:
    """Return the rows of labels that came together."""
    n = len(block.key)
    columns = (
        range(first, first + n),
        block.key,
        block.label,
        block.judge,
        block.source,
        block.truth,
        block.at.tolist(),
        [block.after] * n,
        (block.counts | block.gold).astype(np.int64).tolist(),
        [*[None] * (n - 1), block.chain],
        block.clock_back,
        range(block.leaf, block.leaf + n),
    )
    return list(map(LabelRow._make, zip(*columns, strict=True)))


def decision_frame(rows: Iterable[Sequence[Any]], policy: str) -> pl.DataFrame:
    """Return rows of decisions as a table."""
    made = pl.DataFrame(
        list(rows), schema={name: _SQL_TYPES[name] for name in DecisionRow._fields}, orient="row"
    )
    answers = pl.col("answer") == 1
    decided = pl.when(answers).then(pl.lit("answer")).otherwise(pl.lit("ask"))
    held = pl.col("held") == 1
    return made.with_columns(
        pl.col("at").cast(_MOMENT),
        pl.lit(policy).alias("policy"),
        pl.when(held).then(pl.lit("hold")).otherwise(decided).alias("action"),
        pl.when(held).then(decided).otherwise(None).alias("would"),
        pl.col("audit") == 1,
        pl.col("region").alias("group"),
    ).select(pl.col(name).cast(kind) for name, kind in DECISION_COLUMNS.items())


_SQL_TYPES: dict[str, Any] = {
    **dict.fromkeys(
        (
            "seq",
            "at",
            "answer",
            "audit",
            "episode",
            "held",
            "clock_back",
            "n",
            "after",
            "counts",
            "leaf",
            "lease",
        ),
        pl.Int64,
    ),
    "salt": pl.Binary,
    **dict.fromkeys(("confidence", "propensity", "drawn", "rate"), pl.Float64),
    **dict.fromkeys(
        ("key", "model_version", "prediction", "content", "digest", "region", "chain"), pl.String
    ),
    **dict.fromkeys(("label", "judge", "source", "truth"), pl.String),
}


def label_frame(rows: Iterable[Sequence[Any]]) -> pl.DataFrame:
    """Return rows of labels as a table."""
    made = pl.DataFrame(
        list(rows), schema={name: _SQL_TYPES[name] for name in LabelRow._fields}, orient="row"
    )
    return made.with_columns(pl.col("at").cast(_MOMENT).alias("labelled_at")).select(
        pl.col(name).cast(kind) for name, kind in LABEL_COLUMNS.items()
    )
