"""Days that are over as Parquet: one file for each, whole or not there, its name the digest of its bytes.

The rows stay in the database, too, where keys are looked up, but for the content of cases. A folder of
such files reads as one table (`polars.read_parquet(folder)`); files of other names are left alone.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import secrets
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from askpoint.errors import InputError, LogError
from askpoint.records.stores.database import Database, StoreReader
from askpoint.records.stores.tables import (
    DecisionRow,
    LabelRow,
    decision_frame,
    label_frame,
)

__all__ = ["DAY", "Archive", "Part", "day_of", "durable_bytes", "list_parts", "read_part"]

DAY = 86_400_000_000
"""Microseconds."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NAME = re.compile(r"\d{4}-\d\d-\d\d-\d{3}-([0-9a-f]{32})\.parquet")
_DRAFT = re.compile(rf"\.{_NAME.pattern}\.[0-9a-f]{{8}}")
_MOST = 200_000  # rows of a file
_NEVER = 2**62
_KINDS = {"decisions": ("seq", DecisionRow._fields), "labels": ("n", LabelRow._fields)}


class Part(NamedTuple):
    """A file of the archive, and which rows it has."""

    file: str
    kind: str
    first: int
    last: int


def day_of(at: int) -> str:
    """Return the day of a moment, in UTC."""
    return (_EPOCH + timedelta(microseconds=at)).date().isoformat()


class Archive:
    """The Parquet files of a deployment's folder.

    Parameters
    ----------
    folder : Path
        Of the deployment.
    policy : str
        Its name, which stands in the files.
    """

    def __init__(self, folder: Path, policy: str) -> None:
        self.folder, self.policy = folder, policy

    def place(self, part: Part) -> Path:
        """Return where a file is."""
        return self.folder / f"{part.kind}.parquet" / part.file

    def strays(self, known: Iterable[Part]) -> list[Path]:
        """Return files that a write left which was broken off."""
        names = {part.file for part in known}
        return [
            path
            for kind in _KINDS
            if (self.folder / f"{kind}.parquet").is_dir()
            for path in sorted((self.folder / f"{kind}.parquet").iterdir())
            if _DRAFT.fullmatch(path.name)
            or (_NAME.fullmatch(path.name) and path.name not in names)
        ]

    def settle(self, database: Database) -> None:
        """Drop what a write left that was broken off; within a transaction, so that nobody writes."""
        for path in self.strays(list_parts(database)):
            path.unlink(missing_ok=True)

    def write_day(self, database: Database, now: int) -> bool:
        """Write the first day that is over and not yet a file, within a transaction; False if none is left."""
        limit = now // DAY * DAY
        for kind, (number, fields) in _KINDS.items():
            ((done,),) = database.execute("SELECT max(last) FROM parts WHERE kind = ?", (kind,))
            first = -1 if done is None else done
            oldest = database.execute(
                f"SELECT at FROM {kind} WHERE {number} > ? ORDER BY {number} LIMIT 1",  # noqa: S608
                (first,),
            )
            if oldest and oldest[0][0] < limit:
                end = _end_of_day(database, kind, first, oldest[0][0])
                rows = database.execute(
                    f"SELECT {', '.join(fields)} FROM {kind} WHERE {number} > ? AND {number} < ? "  # noqa: S608
                    f"ORDER BY {number} LIMIT {_MOST}",
                    (first, end),
                )
                self._write(database, kind, rows)
                return True
        return False

    def _write(self, database: Database, kind: str, rows: list[tuple[Any, ...]]) -> None:
        number, fields = _KINDS[kind]
        at = fields.index("at")
        day = day_of(int(rows[0][at]))
        frame = decision_frame(rows, self.policy) if kind == "decisions" else label_frame(rows)
        ((same,),) = database.execute(
            "SELECT count(*) FROM parts WHERE kind = ? AND file LIKE ?", (kind, f"{day}-%")
        )
        first, last = (rows[i][fields.index(number)] for i in (0, -1))
        file = self._write_file(kind, f"{day}-{same:03}", frame)
        database.execute("INSERT INTO parts VALUES (?, ?, ?, ?)", (file, kind, first, last))
        if kind == "decisions":
            database.execute(
                "UPDATE decisions SET content = NULL WHERE seq BETWEEN ? AND ?", (first, last)
            )

    def _write_file(self, kind: str, name: str, frame: pl.DataFrame) -> str:
        buffer = io.BytesIO()
        frame.write_parquet(buffer)
        data = buffer.getvalue()
        file = f"{name}-{hashlib.sha256(data).hexdigest()[:32]}.parquet"
        folder = self.folder / f"{kind}.parquet"
        folder.mkdir(exist_ok=True)
        durable_bytes(folder / file, data)
        return file

    def forget(self, database: Database, keys: Sequence[str]) -> list[Path]:
        """Delete the content of cases, within a transaction; return which files to delete after it."""
        seqs = sorted(
            seq for (seq,) in database.find("SELECT seq FROM decisions WHERE key IN", keys)
        )
        old = []
        for part in list_parts(database, "decisions"):
            if not any(part.first <= seq <= part.last for seq in seqs):
                continue
            frame = read_part(self.place(part))
            hit = pl.col("key").is_in(list(keys)) & pl.col("content").is_not_null()
            if frame.select(hit.any()).item():
                blank = pl.when(hit).then(None).otherwise(pl.col("content"))
                name = part.file.rsplit("-", 1)[0]
                file = self._write_file("decisions", name, frame.with_columns(content=blank))
                database.execute("UPDATE parts SET file = ? WHERE file = ?", (file, part.file))
                old.append(self.place(part))
        return old

    def contents(self, parts: Iterable[Part], seqs: Sequence[int]) -> Iterator[tuple[int, str]]:
        """Yield the content of decisions that stand in the files."""
        for part in parts:
            wanted = [seq for seq in seqs if part.first <= seq <= part.last]
            if part.kind == "decisions" and wanted:
                frame = pl.read_parquet(self.place(part), columns=["seq", "content"])
                yield from frame.filter(
                    pl.col("seq").is_in(wanted) & pl.col("content").is_not_null()
                ).iter_rows()


def _end_of_day(database: Database, kind: str, first: int, at: int) -> int:
    """Return the number of the first row after the day of a moment; only rows of this day are read."""
    number, _ = _KINDS[kind]
    later = database.execute(
        f"SELECT {number} FROM {kind} WHERE {number} > ? AND at >= ? ORDER BY {number} LIMIT 1",  # noqa: S608
        (first, (at // DAY + 1) * DAY),
    )
    return int(later[0][0]) if later else _NEVER


def list_parts(reader: StoreReader, kind: str | None = None) -> list[Part]:
    """Return the files of the archive, in the order of their rows."""
    rows = reader.execute("SELECT file, kind, first, last FROM parts ORDER BY kind, first")
    return [Part(*row) for row in rows if kind in {None, row[1]}]


def read_part(path: Path) -> pl.DataFrame:
    """Read a file whose bytes are those that its name promises."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise LogError(
            f"{path.parent.name}: {path.name} cannot be read ({error.strerror}); restore it from a copy"
        ) from None
    match = _NAME.fullmatch(path.name)
    if match is None or hashlib.sha256(data).hexdigest()[:32] != match[1]:
        raise LogError(
            f"{path.parent.name}: {path.name} was changed or cut off: its bytes are not those that its "
            "name promises; restore it from a copy"
        )
    return pl.read_parquet(io.BytesIO(data))


def durable_bytes(path: Path, data: bytes, *, mode: int = 0o644) -> None:
    """Write a file so that after a crash it is whole or what it was before."""
    draft = path.parent / f".{path.name}.{secrets.token_hex(4)}"
    binary = getattr(os, "O_BINARY", 0)
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | binary
        with os.fdopen(os.open(draft, flags, mode), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from None
    finally:
        draft.unlink(missing_ok=True)
    if sys.platform == "win32":  # pragma: no cover  # a folder cannot be opened there
        return
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
