"""PostgreSQL as the database of deployments: each has a schema of its own, and a lock for its writer.

A transaction takes three round trips: begin, lock and look; the keys that are known; all rows and the
commit. All settings are those of the transaction, so that a pool of connections between may stand.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from askpoint.errors import StoreError
from askpoint.records.stores.database import BrokenOffError
from askpoint.records.stores.postgres_addresses import Address
from askpoint.records.stores.postgres_wire import connect, is_gone, statement_text, translate_error
from askpoint.records.stores.tables import SCHEMA

if TYPE_CHECKING:
    from psycopg import Connection, Cursor

__all__ = ["PostgresDatabase", "PostgresReader"]

_PATIENCE = 60.0  # seconds for which another writer, or a server that is gone, is waited for
_PAUSE = 0.25  # seconds between two attempts to reach it
_AT_ONCE = 10_000  # values in one statement
_FEW = 30  # rows that are not worth a COPY
_STREAMED = 5_000  # rows fetched at once
_IDLE = 4  # connections kept for readers
_TYPES = {
    "long": "BIGINT",
    "real": "DOUBLE PRECISION",
    "blob": "BYTEA",
    # whatever the database's own collation says, two keys are one if their bytes are
    "key": 'TEXT COLLATE "C" NOT NULL',
    # a B-tree ends at keys of 2,700 bytes
    "key_once": "ALTER TABLE decisions ADD EXCLUDE USING hash (key WITH =)",
    "by_key": "USING hash (key)",
}
_NOTHING = "nothing was decided; send it again"
_UNKNOWN = "whether this was kept is not known until it is back; send it again then, for a key decides once"
_SETTINGS = (
    "SELECT set_config('search_path', ?, true), set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true), "
    "set_config('lock_timeout', ?, true), "
    "set_config('idle_in_transaction_session_timeout', ?, true), "
    "set_config('synchronous_commit', ?, true)"
)


class PostgresReader:
    """Statements on a connection, within a transaction."""

    def __init__(self, connection: Connection[Any]) -> None:
        self._connection = connection
        self._streams: list[Cursor[Any]] = []

    def execute(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a statement."""
        cursor = self._connection.execute(statement_text(statement), values or None)
        if not statement.startswith("SELECT"):
            return []  # without a wait for it
        return cursor.fetchall()

    def find(self, select: str, values: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a statement for some values; it ends with ``WHERE column IN``."""
        wanted = list(dict.fromkeys(values))
        text = f"{select.removesuffix(' IN')} = ANY(?)"
        for start in range(0, len(wanted), _AT_ONCE):
            yield from self.execute(text, (wanted[start : start + _AT_ONCE],))

    def stream(self, statement: str) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a statement one by one."""
        with self._connection.cursor(name=f"rows_{time.monotonic_ns()}") as cursor:
            self._streams.append(cursor)
            cursor.itersize = _STREAMED
            cursor.execute(statement_text(statement))
            yield from cursor
            self._streams.remove(cursor)

    def close(self) -> None:
        """Close the connection, and then what was being read when it failed."""
        self._connection.close()
        for cursor in self._streams:
            cursor.close()  # a cursor that is collected before its generator warns that it is open


class PostgresDatabase(PostgresReader):
    """A connection that writes, others that read, and what becomes of them when the server goes away.

    Parameters
    ----------
    address : Address
        Of the server and the deployment.
    """

    def __init__(self, address: Address) -> None:
        self.address = address
        self._lost_since: float | None = None
        self._sent: int | None = None  # number of a transaction whose commit was sent
        self._start()

    def _start(self) -> None:
        self._process = os.getpid()
        self._idle: list[Connection[Any]] = []
        self._streams = []
        self._guard = threading.Lock()
        self._pipeline: contextlib.ExitStack | None = None
        self._in_transaction = self._is_rolled_back = False
        with self._words():
            self._connection, self._commits = connect(self.address)

    @property
    def is_memory(self) -> bool:
        """Readers have connections of their own."""
        return False

    @property
    def is_new(self) -> bool:
        """Whether it has no tables yet; within a transaction."""
        ((name,),) = self.execute("SELECT to_regclass('meta')")
        return name is None

    def create(self, tables: Sequence[str] = SCHEMA) -> None:
        """Make tables, within a transaction."""
        known = self.execute("SELECT 1 FROM pg_namespace WHERE nspname = ?", (self.address.schema,))
        if not known:
            self.execute(f'CREATE SCHEMA "{self.address.schema}"')
        for statement in tables:
            self.execute(statement.format(**_TYPES))

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction that nobody else writes beside; committed at the end unless it was rolled back."""
        if self._process != os.getpid():
            self._start()  # a connection is its process's own
        with self._words():
            if self._connection.closed:
                self._connect_again(None)
            self._sent = None
            try:
                number = self._begin()
                yield
                self._commit(number)
            except BaseException as error:
                self._abandon()
                if not (is_gone(error) and self._connection.closed):
                    raise
                if not self._connect_again(self._sent):
                    raise BrokenOffError(
                        f"{self.address} went away, and is back: nothing was decided; send it again"
                    ) from None
            self._lost_since = None

    def _begin(self) -> Cursor[Any]:
        """Begin behind whoever writes; return the cursor that will know the transaction's number."""
        self._is_rolled_back, self._in_transaction = False, True
        self._enter_pipeline()
        self._connection.execute("BEGIN")
        self._set(self._connection, _PATIENCE)
        self._connection.execute(
            statement_text("SELECT pg_advisory_xact_lock(?)"), (self.address.lock,)
        )
        return self._connection.execute("SELECT txid_current()")

    def _commit(self, number: Cursor[Any]) -> None:
        if self._is_rolled_back:
            return
        ((self._sent,),) = number.fetchall()  # it came long ago, with the first rows
        self._connection.execute("COMMIT")
        self._leave_pipeline()
        self._in_transaction = False

    def _set(self, connection: Connection[Any], patience: float) -> None:
        milliseconds = f"{1000 * patience:.0f}"
        values = (f'"{self.address.schema}"', milliseconds, milliseconds, self._commits)
        connection.execute(statement_text(_SETTINGS), values)

    def _abandon(self) -> None:
        """End a transaction whatever state it is in; a connection that does not come along is closed."""
        with contextlib.suppress(Exception):
            self._leave_pipeline()
        self._pipeline = None
        if not self._in_transaction:
            return
        self._in_transaction = False
        try:
            self._connection.execute("ROLLBACK")
        except Exception:  # noqa: BLE001  # the server rolls back by itself
            self._connection.close()

    def _connect_again(self, xid: int | None) -> bool:
        """Wait for the server; return whether a transaction of a connection that was lost is committed."""
        now = time.monotonic()
        self._lost_since = self._lost_since or now
        self._connection.close()
        while True:
            try:
                self._connection, self._commits = connect(self.address)
                status = _status(self._connection, xid)
            except Exception as error:
                if not is_gone(error):
                    raise
                status = "gone"
            late = time.monotonic() - self._lost_since > _PATIENCE
            if status == "committed" or (status == "aborted" and not late):
                return status == "committed"
            if late:
                self._lost_since = None
                raise StoreError(
                    f"{self.address} has not answered for {_PATIENCE:g} seconds: "
                    + (_NOTHING if xid is None or status == "aborted" else _UNKNOWN)
                )
            time.sleep(_PAUSE)

    def _enter_pipeline(self) -> None:
        self._pipeline = contextlib.ExitStack()
        self._pipeline.enter_context(self._connection.pipeline())

    def _leave_pipeline(self) -> None:
        if self._pipeline is not None:
            pipeline, self._pipeline = self._pipeline, None
            pipeline.close()

    def roll_back(self) -> None:
        """End the transaction without a change."""
        self._connection.execute("ROLLBACK")
        self._leave_pipeline()
        self._in_transaction, self._is_rolled_back = False, True

    def insert(self, table: str, fields: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        """Write new rows within the transaction."""
        names = ", ".join(fields)
        if len(rows) < _FEW:
            places = ", ".join("?" * len(fields))
            self.change(f"INSERT INTO {table} ({names}) VALUES ({places})", rows)  # noqa: S608
            return
        self._leave_pipeline()
        with (
            self._connection.cursor() as cursor,
            cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy,
        ):
            for row in rows:
                copy.write_row(row)
        self._enter_pipeline()

    def change(self, statement: str, rows: Sequence[Sequence[Any]]) -> None:
        """Run a statement for each row of values within the transaction."""
        text = statement_text(statement)
        for row in rows:
            self._connection.execute(text, row)

    @contextlib.contextmanager
    def reading(self) -> Iterator[PostgresReader]:
        """A look at what is committed, as of one moment."""
        with self._words():
            connection = self._reader()
            reader = PostgresReader(connection)
            try:
                yield reader
                connection.execute("ROLLBACK")
            except BaseException:
                reader.close()
                raise
            with self._guard:
                if len(self._idle) < _IDLE and self._process == os.getpid():
                    self._idle.append(connection)
                    return
            connection.close()

    def _reader(self) -> Connection[Any]:
        """Begin on a connection that is idle, or on a new one if that was lost meanwhile."""
        if self._process != os.getpid():
            self._start()
        with self._guard:
            connection = self._idle.pop() if self._idle else None
        if connection is not None:
            try:
                return self._look(connection)
            except Exception as error:
                connection.close()
                if not is_gone(error):
                    raise
        return self._look(connect(self.address)[0])

    def _look(self, connection: Connection[Any]) -> Connection[Any]:
        connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        self._set(connection, 0)
        return connection

    def clean(self) -> None:
        """Let what was deleted leave the tables, too."""
        with self._words():
            self._connection.execute(f'VACUUM "{self.address.schema}".decisions')

    def close(self) -> None:
        """Close its connections; what was committed stays."""
        if self._process != os.getpid():
            return  # they are those of the process that was forked
        for connection in (self._connection, *self._idle):
            connection.close()

    @contextlib.contextmanager
    def _words(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            words = translate_error(error, self.address, _PATIENCE)
            if words is None:
                raise
            raise words from None


def _status(connection: Connection[Any], xid: int | None) -> str:
    if xid is None:
        return "aborted"
    row = connection.execute("SELECT txid_status(%s)", (xid,)).fetchone()
    return str(row[0]) if row is not None else "aborted"
