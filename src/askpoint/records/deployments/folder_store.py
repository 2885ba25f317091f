"""A policy in a folder: decide and label, stop at any moment, and go on where the files end.

A batch is written as one part file and made durable before its decisions are given away; the state
comes after it. What a crash left without a state is replayed from the files.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from askpoint.errors import InputError, LogError
from askpoint.live.batches import DecisionBatch, LabelRows
from askpoint.live.canonical import canonical_json
from askpoint.live.documents import PolicyDocument, state_from_dict, state_to_dict
from askpoint.live.draws import secret_hash
from askpoint.live.events import Event
from askpoint.live.gateway import (
    KnownCase,
    LabelOutcome,
    Outcome,
    Rollout,
    decide_in,
    label_in,
)
from askpoint.live.label_blocks import LabelContext
from askpoint.live.receipts import Replay
from askpoint.records.artefacts import make_folder, read_text
from askpoint.records.deployments.rows import (
    DECISION_COLUMNS,
    DecidedCases,
    decision_blocks,
    decision_frame,
    label_frame,
)
from askpoint.records.deployments.stored_parts import (
    drop_drafts,
    durable_bytes,
    part_files,
    read_part,
    settle,
    write_part,
)

__all__ = ["FolderStore", "events_text", "new_deployment", "state_text"]


def new_deployment(folder: Path, document: PolicyDocument, secret: bytes) -> FolderStore:
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
    return FolderStore(folder)


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


class FolderStore:
    """The folder of a policy in use: a `Store` of `askpoint.live.gateway`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.document = PolicyDocument.from_json(read_text(folder / "policy.json"))
        self.replay = Replay(self.document)
        self._cases = DecidedCases(self.document.state.decided)
        self._parts = [0, 0]
        self._last = 0
        self._open()

    @property
    def secret(self) -> bytes:
        """Draws audits; for its owner only."""
        return (self.folder / "secret.key").read_bytes()

    @property
    def events(self) -> list[Event]:
        """All that happened."""
        return self.replay.events

    def _open(self) -> None:
        """Read the files; replay what the last state does not know."""
        saved = self._load_state()
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
            self._apply_labels(waiting, known[1])
            frame = read_part(part)
            self._cases.add(frame)
            if place >= known[0]:
                for block in decision_blocks(frame):
                    self.replay.decide(block)
                self._last = int(frame["at"].cast(pl.Int64)[-1])
            self._parts[0] += 1
        self._apply_labels(waiting, known[1])
        if tuple(self._parts) != known:
            self._save()

    def _load_state(self) -> dict[str, Any]:
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

    def _apply_labels(self, waiting: list[pl.DataFrame], known: int) -> None:
        """Take in the labels that came before the next decisions."""
        while self._parts[1] < len(waiting):
            frame = waiting[self._parts[1]]
            if frame["after"][0] > self._cases.decided:
                break
            block = self._cases.label_block(frame)
            if self._parts[1] >= known:
                self.replay.label(block)
                self._last = int(frame["labelled_at"].cast(pl.Int64)[-1])
            self._parts[1] += 1

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
        batch: DecisionBatch,
        at: int,
        *,
        audit_rates: Mapping[str, float] | None = None,
        rollout: float = 1.0,
        shadow: bool = False,
    ) -> pl.DataFrame:
        """Decide a batch at a moment (microseconds since 1970); known keys keep their rows.

        `audit_rates` are those of groups whose answers are audited more often than agreed. Outside of
        the rollout and in shadow the action is hold; in shadow the column would says what was decided.
        """
        stored = self._rows_of(batch.key)
        outcome = decide_in(
            self,
            batch,
            at,
            audit_rates=audit_rates,
            rollout=Rollout(rollout, self.document.secret_hash.encode()),
            shadow=shadow,
        )
        made = self._frame(batch, outcome)
        if len(outcome.decided) == len(batch.key):
            return made
        every = pl.DataFrame(
            {"key": batch.key, "said": batch.prediction},
            schema={"key": pl.String, "said": pl.String},
        )
        rows = pl.concat([stored, made])
        return (
            every.join(rows, on="key", how="left", maintain_order="left")
            .with_columns(
                prediction=pl.coalesce("prediction", "said"),
                action=pl.col("action").fill_null("hold"),
            )
            .select(rows.columns)
        )

    def find_known_cases(self, keys: Sequence[str]) -> Mapping[str, KnownCase]:
        """Return what came with those of the keys that were decided."""
        rows = self._rows_of(keys).select("key", "prediction", "confidence", "digest", "group")
        return {key: KnownCase(*case) for key, *case in rows.iter_rows()}

    def write_decisions(self, batch: DecisionBatch, outcome: Outcome, at: int) -> None:
        """Write a part of decisions, then the state."""
        if not outcome.decided:
            return
        self._check_clock(at)
        frame = self._frame(batch, outcome)
        write_part(self.folder / "decisions.parquet", self._parts[0] + 1, frame)
        self._cases.add(frame)
        self._parts[0] += 1
        self._keep(outcome.replay, at)

    def _frame(self, batch: DecisionBatch, outcome: Outcome) -> pl.DataFrame:
        content = batch.content or [None] * len(batch.key)
        rows = [content[i] for i in outcome.decided]
        return decision_frame(outcome, rows, self.document.id, batch.model_version)

    def _keep(self, replay: Replay, at: int) -> None:
        self.replay, self._last = replay, at
        self._save()

    def _check_clock(self, at: int) -> None:
        if at < self._last:
            raise InputError(
                f"the clock went back: this comes {(self._last - at) / 1e6:g} seconds before what "
                "is recorded last; set the clock right"
            )

    def _rows_of(self, keys: Sequence[str]) -> pl.DataFrame:
        known = [key for key in dict.fromkeys(keys) if key in self._cases.place]
        if not known:
            return pl.DataFrame(schema=DECISION_COLUMNS)
        return self.decisions().filter(pl.col("key").is_in(known))

    def label(self, rows: LabelRows, at: int) -> int:
        """Take in labels that came together; returns how many count (the first of asked and audited)."""
        self._check_clock(at)
        outcome = label_in(self, rows, at)
        return 0 if outcome is None else outcome.counted

    def label_context(self, rows: LabelRows) -> LabelContext:
        """Return what labels are compared with."""
        return self._cases.context(rows.key)

    def write_labels(self, outcome: LabelOutcome) -> None:
        """Write a part of labels, then the state."""
        frame = label_frame(outcome.block)
        write_part(self.folder / "labels.parquet", self._parts[1] + 1, frame)
        self._cases.add_labels(outcome.block)
        self._parts[1] += 1
        self._keep(outcome.replay, int(outcome.block.at[-1]))

    def forget(self, keys: Sequence[str]) -> None:
        """Delete the content of cases; decisions and receipts stay, for they chain its digest."""
        for part in part_files(self.folder / "decisions.parquet"):
            frame = read_part(part)
            hit = pl.col("key").is_in(list(keys)) & pl.col("content").is_not_null()
            if frame.select(hit.any()).item():
                blank = pl.when(hit).then(None).otherwise(pl.col("content"))
                write_part(part.path.parent, part.number, frame.with_columns(content=blank))
                part.path.unlink()
