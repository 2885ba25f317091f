"""SQLite as the database of a deployment: a file in its folder, or in memory."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import shutil
import socket
import sqlite3
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from askpoint.errors import InputError, LogError, StoreError
from askpoint.records.stores.tables import SCHEMA

__all__ = ["FILE", "SqliteDatabase", "SqliteReader", "file_system", "truncate_log"]

FILE = "state.sqlite"
"""Its name in the folder of a deployment."""
_HOLDER = ".writer"
_PATIENCE = 60.0  # seconds for which another writer is waited for
_TYPES = {
    "long": "INTEGER",
    "real": "REAL",
    "blob": "BLOB",
    "key": "TEXT NOT NULL",
    "key_once": "CREATE UNIQUE INDEX decisions_key ON decisions (key)",
    "by_key": "(key)",
}
_REMOTE = {
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "9p", "afs", "ceph", "glusterfs", "lustre", "gpfs", "beegfs",
    "davfs", "ocfs2", "gfs2", "vboxsf", "fuse.ceph", "fuse.glusterfs", "fuse.sshfs", "fuse.s3fs", "fuse.gcsfuse",
    "fuse.rclone", "fuse.blobfuse2", "fuse.davfs2",
}  # fmt: skip
_DRIVE_REMOTE = 4  # Windows' word for a letter that stands for a network drive
_MEGABYTE = 1 << 20
_LOOKS, _BETWEEN = 20, 0.05  # for a moment without readers, and seconds between two looks
_AT_ONCE = 10_000  # values in one statement


def truncate_log(execute: Callable[[str], sqlite3.Cursor]) -> bool:
    """Let the log of a database forget what was deleted; False where others read or write all the time for a second.

    While it waits nobody else does: SQLite itself would wait for readers with the lock of who writes, and every writer
    would hear that the database is locked.
    """
    (usual,) = execute("PRAGMA busy_timeout").fetchone()
    execute("PRAGMA busy_timeout = 0").fetchone()
    try:
        for _ in range(_LOOKS):
            if not execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
                return True
            time.sleep(_BETWEEN)
        return False
    finally:
        execute(f"PRAGMA busy_timeout = {usual}").fetchone()


class SqliteReader:
    """Statements on a connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def execute(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a statement."""
        return self._connection.execute(statement, values).fetchall()

    def find(self, select: str, values: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a statement for some values; it ends with ``WHERE column IN``."""
        wanted = list(dict.fromkeys(values))
        if len(wanted) == 1:
            yield from self._connection.execute(f"{select} (?)", wanted)
            return
        for start in range(0, len(wanted), _AT_ONCE):
            part = json.dumps(wanted[start : start + _AT_ONCE])
            several = f"{select} (SELECT value FROM json_each(?))"  # noqa: S608  # own names
            yield from self._connection.execute(several, (part,))

    def stream(self, statement: str) -> Iterable[tuple[Any, ...]]:
        """Yield the rows of a statement one by one."""
        return self._connection.execute(statement)


class SqliteDatabase(SqliteReader):
    """A connection that writes, and others that read what is committed.

    Parameters
    ----------
    folder : Path or None
        Where its file is; None keeps it in memory, for as long as this object.
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.path = None if folder is None else folder / FILE
        if folder is not None:
            _check_local(folder)
        with self._words():
            self._open()

    def _open(self) -> None:
        self._process = os.getpid()
        self._mark: int | None = None
        place = ":memory:" if self.path is None else self.path
        self._connection = sqlite3.connect(
            place,
            isolation_level=None,
            check_same_thread=False,
            timeout=_PATIENCE,
            cached_statements=256,
        )
        if self.path is None:
            return
        (mode,) = self._connection.execute("PRAGMA journal_mode=WAL").fetchone()
        if mode != "wal":
            raise StoreError(_no_wal(self.path.parent))
        # a commit survives a power cut; what is deleted is overwritten
        self._connection.execute("PRAGMA synchronous=FULL")
        self._connection.execute("PRAGMA secure_delete=ON")

    @property
    def is_memory(self) -> bool:
        """Whether readers see what is not committed yet, on the one connection that there is."""
        return self.path is None

    @property
    def is_new(self) -> bool:
        """Whether it has no tables yet."""
        found = self._connection.execute(
            "SELECT 1 FROM sqlite_master WHERE name = 'meta'"
        ).fetchone()
        return found is None

    def create(self, tables: Sequence[str] = SCHEMA) -> None:
        """Make tables, within a transaction."""
        for statement in tables:
            self._connection.execute(statement.format(**_TYPES))

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction that no other process writes beside; committed at the end unless it was rolled back."""
        if self._process != os.getpid():
            self._open()  # a connection does not survive a fork
        with self._words():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                self._sign()
                yield
                if self._connection.in_transaction:
                    self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def roll_back(self) -> None:
        """End the transaction without a change."""
        self._connection.execute("ROLLBACK")

    def insert(self, table: str, fields: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        """Write new rows within the transaction."""
        self.change(_insert(table, tuple(fields)), rows)

    def change(self, statement: str, rows: Sequence[Sequence[Any]]) -> None:
        """Run a statement for each row of values within the transaction."""
        self._connection.executemany(statement, rows)

    @contextlib.contextmanager
    def reading(self) -> Iterator[SqliteReader]:
        """A look at what is committed, as of one moment."""
        with self._words():
            if self.path is None:
                yield self
                return
            connection = _read_only(self.path)
            try:
                connection.execute("BEGIN")
                yield SqliteReader(connection)
            finally:
                connection.close()

    def clean(self) -> None:
        """Let what was deleted leave the log of the database, too."""
        if self.path is not None:
            truncate_log(self._connection.execute)

    def close(self) -> None:
        """Close it; what was committed stays."""
        self._connection.close()
        if self._mark is not None:
            os.close(self._mark)
            self._mark = None

    def _sign(self) -> None:
        """Note who writes, for whoever waits in vain."""
        if self.folder is None:
            return
        with contextlib.suppress(OSError):  # on a full disk nobody is named
            if self._mark is None:
                flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
                self._mark = os.open(self.folder / _HOLDER, flags, 0o600)
                self._name = f"{os.getpid()} on {socket.gethostname()}".ljust(80).encode()
            os.lseek(self._mark, 0, os.SEEK_SET)
            os.write(self._mark, self._name)

    @contextlib.contextmanager
    def _words(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self._translate(error) from None

    def _translate(self, error: sqlite3.Error) -> Exception:
        name = getattr(error, "sqlite_errorname", "")
        place = self.path or "the memory"
        if name.startswith("SQLITE_FULL") or (name.startswith("SQLITE_IOERR") and self._is_full()):
            return StoreError(
                "the disk is full: this batch was NOT decided, everything before is safe; make room "
                f"({self._room_needed()} MB would do) and send it again"
            )
        if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            return StoreError(
                f"{self.folder} has been locked for {_PATIENCE:g} seconds, last by process {self._holder()}: "
                "nothing was decided; end that process if it hangs, and send it again"
            )
        if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_FORMAT")):
            return LogError(
                f"{place} was changed or cut off ({error}); restore the folder from a copy"
            )
        if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_AUTH")):
            return InputError(f"{place} cannot be written: {error}")
        if name.startswith("SQLITE_IOERR"):
            return StoreError(f"{place} cannot be read or written ({error}): nothing was decided")
        if name.startswith("SQLITE_ERROR"):
            return LogError(f"{place} holds other tables ({error}); restore the folder from a copy")
        return error

    def _is_full(self) -> bool:
        return self.folder is not None and shutil.disk_usage(self.folder).free < _MEGABYTE

    def _room_needed(self) -> int:
        size = 0 if self.path is None else self.path.stat().st_size
        return max(10, size // _MEGABYTE // 10)

    def _holder(self) -> str:
        try:
            text = (self.path or Path()).with_name(_HOLDER).read_text(encoding="utf-8").strip()
        except OSError:
            text = ""
        return text or "unknown"


@functools.cache
def _insert(table: str, fields: tuple[str, ...]) -> str:
    places = ", ".join("?" * len(fields))
    return f"INSERT INTO {table} ({', '.join(fields)}) VALUES ({places})"  # noqa: S608  # own names


def _read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{path.resolve().as_uri()}?mode=ro",
        uri=True,
        isolation_level=None,
        timeout=_PATIENCE,
        check_same_thread=False,
    )


def _check_local(folder: Path) -> None:
    """Refuse a network drive: SQLite's log needs memory that all writers share."""
    if file_system(folder) in _REMOTE:
        raise StoreError(_no_wal(folder))


def file_system(folder: Path) -> str:
    """Return the kind of file system on which a folder lies; empty where the system does not say."""
    place = os.path.realpath(folder)
    if sys.platform == "win32":  # pragma: no cover
        import ctypes

        root = os.path.splitdrive(place)[0] + "\\"
        kind = ctypes.windll.kernel32.GetDriveTypeW(root)  # type: ignore[attr-defined,unused-ignore]
        return "cifs" if place.startswith("\\\\") or kind == _DRIVE_REMOTE else ""
    try:
        lines = Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    best, kind = "", ""
    for line in lines:
        _, mount, name, *_ = line.split(" ")
        mount = mount.replace("\\040", " ")
        inside = place == mount or place.startswith(mount.rstrip("/") + "/")
        if inside and len(mount) >= len(best):
            best, kind = mount, name
    return kind


def _no_wal(folder: Path) -> str:
    return (
        f"{folder} lies on a network drive, where several writers cannot be kept apart; use a folder of "
        "this machine, or a database: postgresql://HOST/DATABASE"
    )
