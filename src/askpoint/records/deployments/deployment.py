"""A deployment on disk: decide and label, stop at any moment, and go on where the files end.

A batch is written as one part file and made durable before its decisions are given away; the state
comes after it. What a crash left without a state is replayed from the files.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from askpoint.errors import InputError, LogError
from askpoint.live.canonical import canonical_json, content_digest
from askpoint.live.documents import PolicyDocument, state_from_dict, state_to_dict
from askpoint.live.draws import audit_draws, secret_hash
from askpoint.live.events import Event
from askpoint.live.receipts import DecisionBlock, LabelBlock, Replay
from askpoint.live.steps import Decisions
from askpoint.records.artefacts import make_folder, read_text
from askpoint.records.deployments.given import (
    Batch,
    LabelRows,
    check_batch,
    check_classes,
    check_golden,
    check_rates,
)
from askpoint.records.deployments.parts import (
    drop_drafts,
    durable_bytes,
    part_files,
    read_part,
    settle,
    write_part,
)
from askpoint.records.deployments.rows import (
    DECISION_COLUMNS,
    Told,
    block_rows,
    decision_blocks,
    decision_frame,
    label_block,
    label_frame,
    label_sources,
)

__all__ = ["Deployment", "events_text", "new_deployment", "state_text"]


def new_deployment(folder: Path, document: PolicyDocument, secret: bytes) -> Deployment:
    """Make the folder of a policy; one that holds a policy already is refused."""
    make_folder(folder)
    if (folder / "policy.json").exists():
        raise InputError(
            f"{folder} holds a policy already; decide with it, or deploy into a new folder"
        )
    if secret_hash(secret) != document.secret_hash:
        raise InputError("this secret is not the one that the policy promised by its hash")
    for name in ("decisions.parquet", "labels.parquet"):
        make_folder(folder / name)
    durable_bytes(folder / "secret.key", secret, mode=0o600)
    durable_bytes(folder / "policy.json", document.to_json().encode())
    return Deployment(folder)


def events_text(events: Sequence[Event]) -> str:
    """Events as JSON lines."""
    rows = ({"seq": e.seq, "kind": e.kind, "numbers": dict(e.numbers)} for e in events)
    return "".join(f"{canonical_json(row)}\n" for row in rows)


def state_text(replay: Replay, parts: tuple[int, int], last: int) -> str:
    """What state.json holds: where it is in the files, and the state there."""
    return canonical_json(
        {
            "decision_parts": parts[0],
            "label_parts": parts[1],
            "labels": replay.labels,
            "events": len(replay.events),
            "heads": replay.heads,
            "rates": replay.rates,
            "last_at": last,
            "state": state_to_dict(replay.state),
        }
    )


class Deployment:
    """The folder of a policy in use."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.document = PolicyDocument.from_json(read_text(folder / "policy.json"))
        self.replay = Replay(self.document)
        self._place: dict[str, int] = {}
        self._prediction: list[str] = []
        self._source: list[str] = []
        self._told: Told = set()
        self._parts = [0, 0]
        self._last = 0
        self._first = self.document.state.decided
        self._open()

    @property
    def _decided(self) -> int:
        return self._first + len(self._prediction)

    @property
    def events(self) -> list[Event]:
        """All that happened."""
        return self.replay.events

    def _open(self) -> None:
        """Read the files; replay what the last state does not know."""
        saved = self._saved()
        drop_drafts(self.folder)
        for table in ("decisions.parquet", "labels.parquet"):
            settle(self.folder / table)
        decisions = part_files(self.folder / "decisions.parquet")
        labels = part_files(self.folder / "labels.parquet")
        known = (int(saved["decision_parts"]), int(saved["label_parts"]))
        if known[0] > len(decisions) or known[1] > len(labels):
            raise LogError(
                f"{self.folder}: the state knows {known[0]} parts of decisions and {known[1]} of "
                f"labels, the folder holds {len(decisions)} and {len(labels)}: the end was cut off; "
                "restore it from a copy"
            )
        waiting = [read_part(part) for part in labels]
        for place, part in enumerate(decisions):
            self._tell(waiting, known[1])
            frame = read_part(part)
            self._remember(frame)
            if place >= known[0]:
                for block in decision_blocks(frame):
                    self.replay.decide(block)
                self._last = int(frame["at"].cast(pl.Int64)[-1])
            self._parts[0] += 1
        self._tell(waiting, known[1])
        if tuple(self._parts) != known:
            self._save()

    def _saved(self) -> dict[str, Any]:
        path = self.folder / "state.json"
        if not path.exists():
            return {"decision_parts": 0, "label_parts": 0}
        saved: dict[str, Any] = json.loads(read_text(path))
        self.replay.state = state_from_dict(saved["state"], self.document.terms)
        self.replay.heads = saved["heads"]
        self.replay.labels = saved["labels"]
        self.replay.rates = saved["rates"]
        self._last = saved["last_at"]
        for line in read_text(self.folder / "events.jsonl").splitlines():
            self.replay.events.append(Event(**json.loads(line)))
        # events are written before the state: those that it does not know are replayed
        del self.replay.events[saved["events"] :]
        return saved

    def _tell(self, waiting: list[pl.DataFrame], known: int) -> None:
        """Take in the labels that came before the next decisions."""
        while self._parts[1] < len(waiting):
            frame = waiting[self._parts[1]]
            if frame["after"][0] > self._decided:
                break
            block = label_block(frame, self._place, self._prediction, self._told, self._first)
            if self._parts[1] >= known:
                self.replay.label(block)
                self._last = int(frame["labelled_at"].cast(pl.Int64)[-1])
            self._parts[1] += 1

    def _remember(self, frame: pl.DataFrame) -> None:
        start = len(self._prediction)
        keys = frame["key"].to_list()
        self._place.update(zip(keys, range(start, start + len(keys)), strict=True))
        self._prediction += frame["prediction"].to_list()
        self._source += label_sources(frame)

    def _save(self) -> None:
        durable_bytes(self.folder / "events.jsonl", events_text(self.events).encode())
        text = state_text(self.replay, (self._parts[0], self._parts[1]), self._last)
        durable_bytes(self.folder / "state.json", text.encode())

    def decisions(self) -> pl.DataFrame:
        """All decisions so far, as written."""
        parts = part_files(self.folder / "decisions.parquet")
        return pl.concat([read_part(part) for part in parts])

    def decide(
        self,
        batch: Batch,
        at: int,
        *,
        raised: Mapping[str, float] | None = None,
        shadow: bool = False,
    ) -> pl.DataFrame:
        """Decide a batch at a moment (microseconds since 1970); known keys keep their rows.

        `raised` says by which rates regions of this batch are audited; elsewhere it is the usual
        one. In shadow all are held, and the column would says what was decided.
        """
        check_batch(batch, self.document.model)
        check_rates(raised or {}, self.document.terms.rate)
        first = dict(zip(reversed(batch.key), range(len(batch.key) - 1, -1, -1), strict=True))
        stored = self._rows_of([key for key in first if key in self._place])
        new = sorted(i for key, i in first.items() if key not in self._place)
        if len(new) < len(batch.key):
            _check_same(batch, first, stored)
        if new:
            rows = pl.concat([stored, self._decide(batch, new, at, raised or {}, shadow)])
        else:
            rows = stored
        if len(new) == len(batch.key):
            return rows
        return (
            pl.DataFrame({"key": batch.key}, schema={"key": pl.String})
            .join(rows, on="key", how="left", maintain_order="left")
            .select(rows.columns)
        )

    def _check_clock(self, at: int) -> None:
        if at < self._last:
            raise InputError(
                f"the clock went back: this comes {(self._last - at) / 1e6:g} seconds before what "
                "is recorded last; set the clock right"
            )

    def _rows_of(self, keys: list[str]) -> pl.DataFrame:
        if not keys:
            return pl.DataFrame(schema=DECISION_COLUMNS)
        return self.decisions().filter(pl.col("key").is_in(keys))

    def _decide(
        self, batch: Batch, new: list[int], at: int, raised: Mapping[str, float], shadow: bool
    ) -> pl.DataFrame:
        self._check_clock(at)
        replay, n = self.replay.copy(), len(new)
        usual = self.document.terms.rate
        group = [batch.group[i] if batch.group else None for i in new]
        rate = np.array([raised.get(name or "", usual) for name in group])
        keys = [batch.key[i] for i in new]
        confidence = np.array([batch.confidence[i] for i in new], dtype=np.float64)
        content: list[str | None] = [None] * n
        if batch.content:
            content = [batch.content[i] for i in new]
        drawn = audit_draws((self.folder / "secret.key").read_bytes(), self.document.id, keys)
        first = self._decided
        parts = [
            replay.take(confidence[rows], drawn[rows], group[rows], rate[rows])
            for rows in (block_rows(n) if raised or replay.rates else [slice(0, n)])
        ]
        made = Decisions(*map(np.concatenate, zip(*parts, strict=True)))
        block = DecisionBlock(
            np.arange(first, first + n),
            keys,
            np.full(n, at, dtype=np.int64),
            [batch.prediction[i] for i in new],
            confidence,
            drawn,
            made.propensity,
            made.answer,
            made.audit,
            made.episode,
            [None if text is None else content_digest(text) for text in content],
            group,
            rate,
            np.full(n, shadow),
        )
        frame, head = decision_frame(
            block, content, self.document.id, batch.model_version, replay.heads[0]
        )
        write_part(self.folder / "decisions.parquet", self._parts[0] + 1, frame)
        replay.heads[0] = head
        self.replay = replay
        self._parts[0] += 1
        self._last = at
        self._remember(frame)
        self._save()
        return frame

    def label(self, rows: LabelRows, at: int) -> int:
        """Take in labels that came together; returns how many count (the first of asked and audited)."""
        self._check_clock(at)
        sources = [source or "" for source in rows.source]
        truth = rows.truth or [None] * len(rows.key)
        check_golden(rows.key, sources, truth)
        unknown = [
            key
            for key, source in zip(rows.key, sources, strict=True)
            if source != "golden" and key not in self._place
        ]
        if unknown:
            raise InputError(
                f"{len(unknown)} labels name cases that were never decided, the first "
                f"{unknown[0]!r}; label cases of this deployment"
            )
        check_classes([*rows.label, *filter(None, truth)], self.document.model, "labels a case")
        if not rows.key:
            return 0
        block = LabelBlock(
            self._decided,
            rows.key,
            rows.label,
            rows.judge,
            self._sources(rows),
            np.empty(0, dtype=np.int64),
            np.empty(0, dtype=np.bool_),
            np.empty(0, dtype=np.bool_),
            truth,
            np.empty(0, dtype=np.bool_),
            np.full(len(rows.key), at, dtype=np.int64),
        )
        told = set(self._told)
        frame, _ = label_frame(block, self.replay.heads[1])
        block = label_block(frame, self._place, self._prediction, told, self._first)
        write_part(self.folder / "labels.parquet", self._parts[1] + 1, frame)
        self._told = told
        self.replay.label(block)
        self._parts[1] += 1
        self._last = at
        self._save()
        return int(block.counts.sum())

    def _sources(self, rows: LabelRows) -> list[str]:
        true = {key: self._source[self._place[key]] for key in rows.key if key in self._place}
        for key, source in zip(rows.key, rows.source, strict=True):
            if source not in {None, "feedback", "golden", true.get(key)}:
                raise InputError(
                    f"the label of {key!r} says that it comes from {source!r}, but this case was "
                    f"decided so that its labels are {true[key]!r}; leave the source empty"
                )
        return [source or true[key] for key, source in zip(rows.key, rows.source, strict=True)]

    def forget(self, keys: Sequence[str]) -> None:
        """Delete the content of cases; decisions and receipts stay, for they chain its digest."""
        for part in part_files(self.folder / "decisions.parquet"):
            frame = read_part(part)
            hit = pl.col("key").is_in(list(keys)) & pl.col("content").is_not_null()
            if frame.select(hit.any()).item():
                blank = pl.when(hit).then(None).otherwise(pl.col("content"))
                write_part(part.path.parent, part.number, frame.with_columns(content=blank))
                part.path.unlink()


def _check_same(batch: Batch, first: Mapping[str, int], stored: pl.DataFrame) -> None:
    """Refuse a key that comes again with another payload."""
    content = batch.content or [None] * len(batch.key)
    known = {key: (batch.confidence[i], batch.prediction[i]) for key, i in first.items()}
    digest = {key: content_digest(content[i]) for key, i in first.items()}
    for row in stored.iter_rows(named=True):
        known[row["key"]] = (row["confidence"], row["prediction"])
        digest[row["key"]] = row["digest"]
    for key, *given, text in zip(
        batch.key, batch.confidence, batch.prediction, content, strict=True
    ):
        if known[key] != tuple(given):
            raise InputError(
                f"the key {key!r} was decided as {known[key][1]!r} with confidence "
                f"{known[key][0]:g} and comes again as {given[1]!r} with {given[0]:g}; a key "
                "names one case: give the new case a new key"
            )
        if None not in (text, digest[key]) and content_digest(text) != digest[key]:
            raise InputError(
                f"the key {key!r} was decided with other content than it comes with again; a key "
                "names one case: give the new case a new key"
            )
