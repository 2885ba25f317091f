"""A stranger's look at the folder of a deployment: everything is computed again from its files."""

from __future__ import annotations

import itertools
import multiprocessing
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl

from askpoint.errors import LogError
from askpoint.live.documents import PolicyDocument
from askpoint.live.draws import audit_draws
from askpoint.live.receipts import DecisionBlock, LabelBlock
from askpoint.live.verification import Difference, Verified, verify
from askpoint.measures.inputs import FloatArray
from askpoint.records.artefacts import read_text
from askpoint.records.deployments.folder_store import events_text, state_text
from askpoint.records.deployments.rows import DecidedCases, decision_blocks
from askpoint.records.deployments.stored_parts import Part, part_files, read_part

__all__ = ["folder_blocks", "verify_folder"]

_HELPED = 30_000_000  # bytes, about a million decisions


def folder_blocks(folder: Path) -> Iterator[DecisionBlock | LabelBlock]:
    """All decisions and labels of a deployment, in the order in which they were made."""
    document = PolicyDocument.from_json(read_text(folder / "policy.json"))
    return _Files(folder, document.state.decided).blocks()


def verify_folder(
    folder: Path, secret: bytes | None = None, *, helper: bool | None = None
) -> Verified:
    """Compute a deployment again; without its secret, draws are taken as recorded.

    With a helper, another process computes the draws; by default from a million decisions on.
    """
    document = PolicyDocument.from_json(read_text(folder / "policy.json"))
    if secret is None and (folder / "secret.key").exists():
        secret = (folder / "secret.key").read_bytes()
    files = _Files(folder, document.state.decided)
    if helper is None:
        helper = _bytes_in(folder / "decisions.parquet") > _HELPED
    if helper and secret is not None:
        spawn = multiprocessing.get_context("spawn")  # polars has threads, which no fork survives
        with ProcessPoolExecutor(1, mp_context=spawn) as pool:
            ahead = _Ahead(pool, folder, secret, document.id)
            found = verify(document, files.blocks(), None, secret, draws=ahead.draws)
    else:
        found = verify(document, files.blocks(), None, secret)
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


def _bytes_in(folder: Path) -> int:
    return sum(part.path.stat().st_size for part in part_files(folder))


class _Ahead:
    """Draws that another process computes part by part, two parts ahead of who asks."""

    def __init__(self, pool: ProcessPoolExecutor, folder: Path, secret: bytes, policy: str) -> None:
        parts = part_files(folder / "decisions.parquet")
        self._jobs = (pool.submit(_part_draws, part, secret, policy) for part in parts)
        self._waiting = deque(itertools.islice(self._jobs, 2))
        self._drawn: FloatArray = np.empty(0)

    def draws(self, secret: bytes, policy: str, keys: list[str]) -> FloatArray:
        """The next draws; blocks are asked for in the order of the parts."""
        del secret, policy
        if not len(self._drawn):
            self._drawn = self._waiting.popleft().result()
            self._waiting.extend(itertools.islice(self._jobs, 1))
        now, self._drawn = self._drawn[: len(keys)], self._drawn[len(keys) :]
        return now


def _part_draws(part: Part, secret: bytes, policy: str) -> FloatArray:
    return audit_draws(secret, policy, read_part(part)["key"].to_list())


class _Files:
    """Decisions and labels of a folder as blocks, in the order in which they were made."""

    def __init__(self, folder: Path, first: int) -> None:
        self._folder = folder
        self._cases = DecidedCases(first)
        self.parts = (0, 0)
        self.last = 0

    def blocks(self) -> Iterator[DecisionBlock | LabelBlock]:
        labels = (read_part(part) for part in part_files(self._folder / "labels.parquet"))
        told = next(labels, None)
        for part in part_files(self._folder / "decisions.parquet"):
            while told is not None and told["after"][0] <= self._cases.decided:
                yield self._labels(told)
                told = next(labels, None)
            frame = read_part(part)
            self._cases.add(frame)
            self._advance(frame["at"], (1, 0))
            yield from decision_blocks(frame)
        while told is not None:
            yield self._labels(told)
            told = next(labels, None)

    def _labels(self, frame: pl.DataFrame) -> LabelBlock:
        self._advance(frame["labelled_at"], (0, 1))
        decided = frame.filter(pl.col("source") != "gold")["key"].to_list()
        unknown = [key for key in decided if key not in self._cases.place]
        if unknown:
            raise LogError(
                f"labels.parquet: {unknown[0]!r} was labelled before it was decided; restore the "
                "folder from a copy"
            )
        return self._cases.label_block(frame)

    def _advance(self, at: pl.Series, parts: tuple[int, int]) -> None:
        self.parts = (self.parts[0] + parts[0], self.parts[1] + parts[1])
        self.last = int(at.cast(pl.Int64)[-1])
