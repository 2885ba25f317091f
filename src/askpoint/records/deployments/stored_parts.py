"""Part files of a table that only grows: each whole or not there, its name the digest of its bytes.

A folder of them reads as one table (`polars.read_parquet(folder)`). Files of other names are left
alone.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import secrets
from pathlib import Path
from typing import NamedTuple

import polars as pl

from askpoint.errors import LogError

__all__ = [
    "Part",
    "drop_drafts",
    "durable_bytes",
    "part_files",
    "read_part",
    "settle",
    "write_part",
]

_NAME = re.compile(r"part-(\d{8})-([0-9a-f]{32})\.parquet")
_DRAFT = re.compile(rf"\.({_NAME.pattern}|events\.jsonl|state\.json)\.[0-9a-f]{{8}}")


class Part(NamedTuple):
    """A part file: its number and the digest that its name promises."""

    number: int
    digest: str
    path: Path


def durable_bytes(path: Path, data: bytes, *, mode: int = 0o644) -> None:
    """Write a file so that after a crash it is whole or what it was before."""
    draft = path.parent / f".{path.name}.{secrets.token_hex(4)}"
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)
    if os.name == "nt":  # opens no folder, and has its entries written with the file
        return
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def write_part(folder: Path, number: int, frame: pl.DataFrame) -> Part:
    """Write rows as the part of this number."""
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    data = buffer.getvalue()
    digest = hashlib.sha256(data).hexdigest()[:32]
    path = folder / f"part-{number:08d}-{digest}.parquet"
    durable_bytes(path, data)
    return Part(number, digest, path)


def drop_drafts(folder: Path) -> None:
    """Drop what a crash left half written."""
    for path in folder.iterdir():
        if _DRAFT.fullmatch(path.name):
            path.unlink()


def settle(folder: Path) -> None:
    """End what a crash broke off: drop drafts, and of a part with its erased copy keep the copy."""
    drop_drafts(folder)
    by_number: dict[int, list[Part]] = {}
    for part in _parts(folder):
        by_number.setdefault(part.number, []).append(part)
    for twins in by_number.values():
        if len(twins) == 2:
            one, two = ((part, read_part(part)) for part in twins)
            for (_, erased), (whole, rows) in ((one, two), (two, one)):
                if _is_erased(erased, rows):
                    whole.path.unlink()
                    break


def _is_erased(one: pl.DataFrame, other: pl.DataFrame) -> bool:
    """Whether one is the other, less the content of some cases."""
    if "content" not in one.columns or not one.drop("content").equals(other.drop("content")):
        return False
    kept = one["content"].is_not_null()
    return one["content"].filter(kept).equals(other["content"].filter(kept))


def _parts(folder: Path) -> list[Part]:
    return sorted(
        Part(int(match[1]), match[2], path)
        for path in folder.iterdir()
        if (match := _NAME.fullmatch(path.name))
    )


def part_files(folder: Path) -> list[Part]:
    """The parts of a folder in their order; one that is missing in between is an error."""
    found = _parts(folder)
    for place, part in enumerate(found, start=1):
        if part.number != place:
            what = "is missing" if part.number > place else "is there twice"
            number = min(part.number, place)
            raise LogError(f"{folder.name}: part {number} {what}; restore the folder from a copy")
    return found


def read_part(part: Part) -> pl.DataFrame:
    """Read a part whose bytes are those that its name promises."""
    data = part.path.read_bytes()
    if hashlib.sha256(data).hexdigest()[:32] != part.digest:
        raise LogError(
            f"{part.path.parent.name}: part {part.number} was changed or cut off: its bytes are not "
            "those that its name promises; restore it from a copy"
        )
    return pl.read_parquet(io.BytesIO(data))
