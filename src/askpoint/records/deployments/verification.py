"""A stranger's look at the folder of a deployment: everything is computed again from its files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import polars as pl

from askpoint.errors import LogError
from askpoint.live.documents import PolicyDocument
from askpoint.live.draws import audit_draws
from askpoint.live.receipts import DecisionBlock, Difference, LabelBlock, Verified, verify
from askpoint.measures.inputs import FloatArray
from askpoint.records.artefacts import read_text
from askpoint.records.deployments.deployment import events_text, state_text
from askpoint.records.deployments.parts import part_files, read_part
from askpoint.records.deployments.rows import decision_blocks, label_block

__all__ = ["verify_folder"]


def verify_folder(
    folder: Path,
    secret: bytes | None = None,
    *,
    draws: Callable[[bytes, str, list[str]], FloatArray] = audit_draws,
) -> Verified:
    """Compute a deployment again; without its secret, draws are taken as recorded."""
    document = PolicyDocument.from_json(read_text(folder / "policy.json"))
    if secret is None and (folder / "secret.key").exists():
        secret = (folder / "secret.key").read_bytes()
    files = _Files(folder, document.state.decided)
    found = verify(document, files.blocks(), None, secret, draws=draws)
    if found.difference is None and files.parts[0]:
        expected = {
            "events.jsonl": events_text(found.replay.events),
            "state.json": state_text(found.replay, files.parts, files.last),
        }
        for name, text in expected.items():
            if read_text(folder / name) != text:
                what = "it is not what the decisions and labels give"
                return replace(found, difference=Difference(name, found.replay.state.decided, what))
    return found


class _Files:
    """Decisions and labels of a folder as blocks, in the order in which they were made."""

    def __init__(self, folder: Path, first: int) -> None:
        self._folder = folder
        self._first = first
        self._place: dict[str, int] = {}
        self._prediction: list[str] = []
        self._told: set[int] = set()
        self.parts = (0, 0)
        self.last = 0

    def blocks(self) -> Iterator[DecisionBlock | LabelBlock]:
        labels = (read_part(part) for part in part_files(self._folder / "labels.parquet"))
        told = next(labels, None)
        for part in part_files(self._folder / "decisions.parquet"):
            while told is not None and told["after"][0] <= self._first + len(self._prediction):
                yield self._labels(told)
                told = next(labels, None)
            frame = read_part(part)
            start = len(self._prediction)
            keys = frame["key"].to_list()
            self._place.update(zip(keys, range(start, start + len(keys)), strict=True))
            self._prediction += frame["prediction"].to_list()
            self._seen(frame["at"], (1, 0))
            yield from decision_blocks(frame)
        while told is not None:
            yield self._labels(told)
            told = next(labels, None)

    def _labels(self, frame: pl.DataFrame) -> LabelBlock:
        self._seen(frame["labelled_at"], (0, 1))
        unknown = [key for key in frame["key"].to_list() if key not in self._place]
        if unknown:
            raise LogError(
                f"labels.parquet: {unknown[0]!r} was labelled before it was decided; restore the "
                "folder from a copy"
            )
        return label_block(frame, self._place, self._prediction, self._told, self._first)

    def _seen(self, at: pl.Series, parts: tuple[int, int]) -> None:
        self.parts = (self.parts[0] + parts[0], self.parts[1] + parts[1])
        self.last = int(at.cast(pl.Int64)[-1])
