"""Connections to PostgreSQL, and its errors in words."""

from __future__ import annotations

import functools
import os
import socket
from typing import TYPE_CHECKING, Any

from askpoint.errors import InputError, LogError, StoreError
from askpoint.records.stores.postgres_addresses import Address

if TYPE_CHECKING:
    from psycopg import Connection

__all__ = ["connect", "is_gone", "statement_text", "translate_error"]

_GONE = ("08", "57P", "53300", "25P03", "25P04")  # lost, shut down, full of connections, timed out
_ALIVE = {  # a server that vanished without a word is noticed within half a minute
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}


@functools.cache
def statement_text(statement: str) -> Any:
    """Return a statement whose values stand where a question mark does, as psycopg takes it."""
    return statement.replace("%", "%%").replace("?", "%s").encode()


def connect(address: Address) -> tuple[Connection[Any], str]:
    """Return a connection, and the setting by which a commit on it survives a power cut.

    Where the address itself says ``options=-c synchronous_commit=off``, the last commits may not.
    """
    psycopg = _psycopg()
    stated = psycopg.conninfo.conninfo_to_dict(address.conninfo)
    usual = {"application_name": f"askpoint {os.getpid()} on {socket.gethostname()}"} | _ALIVE
    more = {name: value for name, value in usual.items() if name not in stated}
    connection = psycopg.connect(
        address.conninfo, autocommit=True, **more | {"client_encoding": "UTF8"}
    )
    from psycopg.types.numeric import Int8BinaryDumper, Int8Dumper

    for dumper in (Int8Dumper, Int8BinaryDumper):  # whatever its size: one statement, one plan
        connection.adapters.register_dumper(int, dumper)
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        connection.close()
        raise InputError(
            f"{address} keeps texts as {encoding}, which not every key fits into; make a database by "
            "CREATE DATABASE posts ENCODING 'UTF8' TEMPLATE template0"
        )
    ((commits,),) = connection.execute("SHOW synchronous_commit").fetchall()
    is_stated = "synchronous_commit" in str(stated.get("options", ""))
    return connection, "on" if commits == "off" and not is_stated else commits


def _psycopg() -> Any:
    try:
        import psycopg
    except ImportError:
        raise InputError(
            "a deployment in PostgreSQL needs psycopg: pip install 'askpoint[postgres]'"
        ) from None
    return psycopg


def is_gone(error: BaseException) -> bool:
    """Say whether the server, or the connection to it, went away."""
    psycopg = _psycopg()
    if not isinstance(error, psycopg.Error):
        return False
    state = error.sqlstate
    if state is None:
        return isinstance(error, psycopg.OperationalError)
    return str(state).startswith(_GONE)


def translate_error(error: Exception, address: Address, patience: float) -> Exception | None:
    """Return an error of PostgreSQL in our words; None if it is none of its."""
    psycopg = _psycopg()
    if not isinstance(error, psycopg.Error):
        return None
    line = (str(error).strip().splitlines() or [type(error).__name__])[0]
    state = str(error.sqlstate or "")
    if isinstance(error, psycopg.ProgrammingError) and not state:
        return InputError(f"{address} is not an address that PostgreSQL knows: {line}")
    if state == "53100":
        return StoreError(
            f"the disk of {address} is full: this batch was NOT decided, everything before is safe; make "
            "room there and send it again"
        )
    if state == "55P03":
        return StoreError(
            f"{address} has been locked for {patience:g} seconds, by {_holder(address)}: nothing was "
            "decided; end that process if it hangs, and send it again"
        )
    if state == "25006":
        return StoreError(
            f"{address} only reads, as a copy of a database does: nothing was decided; name the server "
            "that writes"
        )
    if state == "42501":
        return InputError(
            f"{address} allows this user too little ({line}); let its owner say CREATE SCHEMA "
            f'"{address.schema}" AUTHORIZATION {_user(address)}'
        )
    if state == "42P01":
        return LogError(f"{address} holds other tables ({line}); restore it from a copy")
    if is_gone(error):
        return StoreError(f"{address} cannot be reached: {line}; nothing was decided")
    return StoreError(f"{address} failed ({line}): nothing was decided")


def _holder(address: Address) -> str:
    """Return who holds the writers' lock."""
    who = (
        "SELECT application_name, client_addr FROM pg_stat_activity WHERE pid IN (SELECT pid FROM pg_locks "
        "WHERE locktype = 'advisory' AND granted AND ((classid::bigint << 32) | objid::bigint) = %s)"
    )
    try:
        with connect(address)[0] as connection:
            row = connection.execute(who, (address.lock,)).fetchone()
    except Exception:  # noqa: BLE001  # the first error is the one to tell
        row = None
    if row is None:
        return "a process that has ended meanwhile"
    return f"{row[0] or 'a program without a name'}, from {row[1] or 'the same machine'}"


def _user(address: Address) -> str:
    stated = _psycopg().conninfo.conninfo_to_dict(address.conninfo).get("user")
    return str(stated or "USER")
