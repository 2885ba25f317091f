"""Decisions and labels as rows of a file, and as the blocks that are chained."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import polars as pl

from askpoint.live.gateway import Outcome, block_slices
from askpoint.live.label_blocks import (
    Counted,
    DecidedCase,
    KnownLabel,
    LabelContext,
    compare_labels,
    list_counted,
    list_labels,
)
from askpoint.live.receipts import DecisionBlock, LabelBlock

__all__ = [
    "DECISION_COLUMNS",
    "LABEL_COLUMNS",
    "DecidedCases",
    "decision_blocks",
    "decision_frame",
    "label_frame",
    "label_sources",
]

DECISION_COLUMNS: dict[str, Any] = {
    "seq": pl.Int64,
    "key": pl.String,
    "at": pl.Datetime("us", "UTC"),
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
}
"""Columns of decisions.parquet: `would` is the action of what was held; `chain` ends each block."""

LABEL_COLUMNS: dict[str, Any] = {
    "key": pl.String,
    "label": pl.String,
    "judge": pl.String,
    "source": pl.String,
    "truth": pl.String,
    "labelled_at": pl.Datetime("us", "UTC"),
    "after": pl.Int64,
    "chain": pl.String,
}
"""Columns of labels.parquet."""


def decision_frame(
    outcome: Outcome, content: list[str | None], policy: str, version: str
) -> pl.DataFrame:
    """Return the rows of new decisions, with a hash each 1,000 and at the end."""
    block = outcome.block
    if block is None:
        return pl.DataFrame(schema=DECISION_COLUMNS)
    n = len(block.key)
    held, answers = pl.Series(block.held), pl.Series(block.answer)
    decided = answers.replace_strict({True: "answer", False: "ask"}, return_dtype=pl.String)
    columns = {
        "seq": block.seq,
        "key": block.key,
        "at": block.at,
        "policy": [policy] * n,
        "model_version": [version] * n,
        "prediction": block.prediction,
        "confidence": block.confidence,
        "action": decided.zip_with(~held, pl.Series(["hold"])),
        "would": decided.zip_with(held, pl.Series([None], dtype=pl.String)),
        "audit": block.audit,
        "propensity": block.propensity,
        "drawn": block.drawn,
        "episode": block.episode,
        "content": content,
        "digest": block.digest,
        "group": block.group,
        "rate": block.rate,
        "chain": outcome.chain,
    }
    return pl.DataFrame(columns, schema=DECISION_COLUMNS)


def label_sources(frame: pl.DataFrame) -> list[str]:
    """Where the label of each decision comes from: asked, audit, or else feedback."""
    asked = (frame["action"] == "ask") | (frame["would"] == "ask").fill_null(value=False)
    audit = frame["audit"].replace_strict(
        {True: "audit", False: "feedback"}, return_dtype=pl.String
    )
    return pl.Series(["asked"]).zip_with(asked, audit).to_list()


def decision_blocks(frame: pl.DataFrame) -> Iterator[DecisionBlock]:
    """Yield the blocks that the rows of a part were chained in."""
    decided = frame["action"].zip_with(frame["would"].is_null(), frame["would"])
    whole = DecisionBlock(
        seq=frame["seq"].to_numpy(),
        key=frame["key"].to_list(),
        at=frame["at"].cast(pl.Int64).to_numpy(),
        prediction=frame["prediction"].to_list(),
        confidence=frame["confidence"].to_numpy(),
        drawn=frame["drawn"].to_numpy(),
        propensity=frame["propensity"].to_numpy(),
        answer=(decided == "answer").to_numpy(),
        audit=frame["audit"].to_numpy(),
        episode=frame["episode"].cast(pl.Int64).to_numpy(),
        digest=frame["digest"].to_list(),
        group=frame["group"].to_list(),
        rate=frame["rate"].to_numpy(),
        held=(frame["action"] == "hold").to_numpy(),
    )
    chain = frame["chain"].to_list()
    for rows in block_slices(len(frame)):
        yield replace(whole.part(rows), chain=chain[rows.stop - 1] or "")


def label_frame(block: LabelBlock) -> pl.DataFrame:
    """Return the rows of labels that came together, their hash on the last."""
    n = len(block.key)
    columns = {
        "key": block.key,
        "label": block.label,
        "judge": block.judge,
        "source": block.source,
        "truth": block.truth,
        "labelled_at": block.at,
        "after": [block.after] * n,
        "chain": [*[None] * (n - 1), block.chain],
    }
    return pl.DataFrame(columns, schema=LABEL_COLUMNS)


class DecidedCases:
    """What labels are compared with, of all decisions of a folder, in memory."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.place: dict[str, int] = {}
        self.prediction: list[str] = []
        self.source: list[str] = []
        self.counted: set[Counted] = set()
        self.labels: set[KnownLabel] = set()

    @property
    def decided(self) -> int:
        """Decisions so far."""
        return self.first + len(self.prediction)

    def add(self, frame: pl.DataFrame) -> None:
        """Take in the decisions of a part."""
        start = len(self.prediction)
        keys = frame["key"].to_list()
        self.place.update(zip(keys, range(start, start + len(keys)), strict=True))
        self.prediction += frame["prediction"].to_list()
        self.source += label_sources(frame)

    def context(self, keys: Iterable[str]) -> LabelContext:
        """Return what the labels of some keys are compared with."""
        cases = {}
        for key in keys:
            place = self.place.get(key)
            if place is not None:
                found = DecidedCase(self.first + place, self.prediction[place], self.source[place])
                cases[key] = found
        return LabelContext(cases, self.counted, self.labels)

    def add_labels(self, block: LabelBlock) -> None:
        """Take in the labels of a block."""
        self.counted |= list_counted(block)
        self.labels |= list_labels(block)

    def label_block(self, frame: pl.DataFrame) -> LabelBlock:
        """Return the block of a part of labels, whose cases count from now on."""
        keys = frame["key"].to_list()
        block = compare_labels(
            keys,
            frame["label"].to_list(),
            frame["judge"].to_list(),
            frame["source"].to_list(),
            frame["truth"].to_list(),
            self.context(keys),
            after=int(frame["after"][0]),
            at=frame["labelled_at"].cast(pl.Int64).to_numpy(),
            chain=frame["chain"][-1] or "",
        )
        self.add_labels(block)
        return block
