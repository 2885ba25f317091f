"""Decisions and labels as rows of a file, and as the blocks that are chained."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from askpoint.live.receipts import DecisionBlock, LabelBlock

__all__ = [
    "DECISION_COLUMNS",
    "LABEL_COLUMNS",
    "Told",
    "block_rows",
    "decision_blocks",
    "decision_frame",
    "label_block",
    "label_frame",
    "label_sources",
]

_BLOCK = 1000  # rows between two hashes

Told = set[int | tuple[str, str]]
"""Decisions that have a label that counts, and golden items with who has labelled them."""

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


def block_rows(n: int) -> list[slice]:
    """The rows of each block of a batch."""
    return [slice(start, min(n, start + _BLOCK)) for start in range(0, n, _BLOCK)]


def decision_frame(
    block: DecisionBlock, content: list[str | None], policy: str, version: str, head: str
) -> tuple[pl.DataFrame, str]:
    """Rows of a batch with a hash each 1,000 and at its end, and the last hash."""
    n = len(block.key)
    chain: list[str | None] = [None] * n
    for rows in block_rows(n):
        head = _part(block, rows).hash_after(head)
        chain[rows.stop - 1] = head
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
        "chain": chain,
    }
    return pl.DataFrame(columns, schema=DECISION_COLUMNS), head


def _part(block: DecisionBlock, rows: slice) -> DecisionBlock:
    return replace(block, **{name: value[rows] for name, value in vars(block).items()})


def label_sources(frame: pl.DataFrame) -> list[str]:
    """Where the label of each decision comes from: asked, audit, or else feedback."""
    asked = (frame["action"] == "ask") | (frame["would"] == "ask").fill_null(value=False)
    audit = frame["audit"].replace_strict(
        {True: "audit", False: "feedback"}, return_dtype=pl.String
    )
    return pl.Series(["asked"]).zip_with(asked, audit).to_list()


def decision_blocks(frame: pl.DataFrame) -> Iterator[DecisionBlock]:
    """The blocks that the rows of a part were chained in."""
    whole = DecisionBlock(
        frame["seq"].to_numpy(),
        frame["key"].to_list(),
        frame["at"].cast(pl.Int64).to_numpy(),
        frame["prediction"].to_list(),
        frame["confidence"].to_numpy(),
        frame["drawn"].to_numpy(),
        frame["propensity"].to_numpy(),
        (frame["action"].zip_with(frame["would"].is_null(), frame["would"]) == "answer").to_numpy(),
        frame["audit"].to_numpy(),
        frame["episode"].cast(pl.Int64).to_numpy(),
        frame["digest"].to_list(),
        frame["group"].to_list(),
        frame["rate"].to_numpy(),
        (frame["action"] == "hold").to_numpy(),
    )
    chain = frame["chain"].to_list()
    for rows in block_rows(len(frame)):
        yield replace(_part(whole, rows), chain=chain[rows.stop - 1] or "")


def label_frame(block: LabelBlock, head: str) -> tuple[pl.DataFrame, str]:
    """Rows of labels that came together, their hash on the last."""
    n = len(block.key)
    head = block.hash_after(head)
    columns = {
        "key": block.key,
        "label": block.label,
        "judge": block.judge,
        "source": block.source,
        "truth": block.truth,
        "labelled_at": block.at,
        "after": [block.after] * n,
        "chain": [*[None] * (n - 1), head],
    }
    return pl.DataFrame(columns, schema=LABEL_COLUMNS), head


def label_block(
    frame: pl.DataFrame, place: Mapping[str, int], prediction: list[str], told: Told, first: int
) -> LabelBlock:
    """The block of a part of labels, compared with what was predicted; `told` grows by its cases."""
    keys, labels = frame["key"].to_list(), frame["label"].to_list()
    judges, sources = frame["judge"].to_list(), frame["source"].to_list()
    truths = frame["truth"].to_list()
    places, right, counts, golden = [], [], [], []
    for key, judge, source, truth in zip(keys, judges, sources, truths, strict=True):
        known = source == "golden"
        row = -1 if known else place[key]
        who: int | tuple[str, str] = (key, judge) if known else row
        new = source != "feedback" and who not in told
        if new:
            told.add(who)
        places.append(row)
        right.append(truth if known else prediction[row])
        counts.append(new and not known)
        golden.append(new and known)
    return LabelBlock(
        int(frame["after"][0]),
        keys,
        labels,
        judges,
        sources,
        np.array(places, dtype=np.int64) + first,
        np.array([label != true for label, true in zip(labels, right, strict=True)]),
        np.array(counts),
        truths,
        np.array(golden),
        frame["labelled_at"].cast(pl.Int64).to_numpy(),
        frame["chain"][-1] or "",
    )
