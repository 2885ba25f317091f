"""Tables behind a query to a database, which counts its rows itself."""

from __future__ import annotations

import contextlib
import re
import sqlite3
import sys
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import narwhals as nw

from askpoint.errors import AskpointError, InputError, LogError
from askpoint.records.engine_faults import first_line

__all__ = ["database_faults", "is_database", "open_database", "shown_address"]

_PATIENCE = 10  # seconds, for a server to answer
_ADDRESS = re.compile(r"([a-z]+)(\+\w+)?://")  # SQLAlchemy names a driver, too


def is_database(source: Any) -> bool:
    """Say whether this is the address of a database, or a connection of SQLAlchemy or ADBC to one."""
    if isinstance(source, str):
        match = _ADDRESS.match(source)
        return match is not None and match[1] in _OPENERS
    return _is_connection(source)


def shown_address(source: Any) -> str:
    """Return how messages and titles call a database: without user and password."""
    if not isinstance(source, str):
        return "the query"
    parts = urlsplit(source)
    host = parts.hostname or ""
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{host}{port}{parts.path}"


def open_database(source: Any, query: str | None) -> Any:
    """Open what a query answers as a lazy table: the database groups and counts.

    Parameters
    ----------
    source : str or connection
        ``postgresql://USER:PASSWORD@HOST:PORT/NAME``, ``sqlite:///FILE``, ``duckdb:///FILE``, as SQLAlchemy
        writes them; or a connection of SQLAlchemy, ADBC or DB-API, whose rows are then fetched.
    query : str or None
        One SELECT, or the name of a table.

    Returns
    -------
    dataframe
        Of PostgreSQL an Ibis table and of DuckDB a relation: they count their own rows. Else the rows.

    Raises
    ------
    InputError
        If there is no query, or the package that reads databases is not installed.
    LogError
        If the database refuses, does not answer in time, or cannot answer the query.
    """
    if query is None or not query.strip():
        raise InputError(
            f"{shown_address(source)} must come with a query; got none. Add --query, a SELECT or a table's name"
        )
    query = query.strip().rstrip(";")
    if re.fullmatch(r"[\w.\"]+", query):
        query = f"SELECT * FROM {query}"  # noqa: S608 - the user's own database and words
    if not isinstance(source, str):
        return _fetch(source, query)
    with database_faults(source):
        return _OPENERS[source.partition(":")[0].partition("+")[0]](source, query)


def _is_connection(source: Any) -> bool:
    kind = type(source)
    has_cursor = callable(getattr(source, "cursor", None)) and callable(
        getattr(source, "commit", None)
    )
    return has_cursor or kind.__module__.startswith("sqlalchemy.")


def _fetch(connection: Any, query: str) -> Any:
    """Return the rows that a connection answers with."""
    import polars as pl

    try:
        return pl.read_database(query, connection, infer_schema_length=None)
    except Exception as error:  # noqa: BLE001 - each driver has errors of its own
        raise LogError(f"the database cannot answer the query: {first_line(error)}") from None


def _sqlite(address: str, query: str) -> Any:
    """Fetch the rows: SQLite counts in double precision only, and would put cases into other bins."""
    with contextlib.closing(sqlite3.connect(f"file:{_file(address)}?mode=ro", uri=True)) as opened:
        return _fetch(opened, query)


def _duckdb(address: str, query: str) -> Any:
    try:
        import duckdb
    except ImportError:
        raise InputError('DuckDB is an extra part: pip install "askpoint[duckdb]"') from None
    return duckdb.connect(_file(address), read_only=True).sql(query)


def _file(address: str) -> str:
    path = address.partition("://")[2].partition("?")[0].removeprefix("/")
    if not Path(path).is_file():
        raise LogError(f"there is no file {path}")
    return path


def _postgres(address: str, query: str) -> Any:
    try:
        import ibis
    except ImportError:
        raise InputError('PostgreSQL is an extra part: pip install "askpoint[sql]"') from None
    waiting = {} if "connect_timeout" in address else {"connect_timeout": _PATIENCE}
    connection = ibis.connect(f"postgres://{address.partition('://')[2]}", **waiting)
    weakref.finalize(connection, connection.con.close)  # which Ibis leaves to its user
    # Ibis would ask for the columns by making a view, which a copy that is read only refuses
    with connection.con.cursor() as cursor:
        cursor.execute(f"SELECT * FROM ({query}) AS asked LIMIT 0")  # noqa: S608
        described = cursor.description or ()
    names = [column.name for column in described]
    if twice := next((name for i, name in enumerate(names) if name in names[:i]), None):
        raise LogError(f"two columns of the query are named {twice!r}; rename one")
    types = {
        column.name: connection.con.adapters.types.get(column.type_code) for column in described
    }
    mapper = connection.compiler.type_mapper
    kinds = {
        name: mapper.from_string("text" if found is None else found.name)
        for name, found in types.items()
    }
    table = connection.sql(query, schema=ibis.schema(kinds))
    decimals = [name for name, kind in table.schema().items() if kind.is_decimal()]
    return table.mutate(**{name: table[name].cast("float64") for name in decimals})


_OPENERS: dict[str, Callable[[str, str], Any]] = {
    "postgresql": _postgres,
    "postgres": _postgres,
    "sqlite": _sqlite,
    "duckdb": _duckdb,
}


@contextlib.contextmanager
def database_faults(*addresses: Any) -> Iterator[None]:
    """Say in one line what a database refuses, without its password."""
    try:
        yield
    except AskpointError:
        raise
    except _errors() as error:
        found = [each for each in addresses if isinstance(each, str) and is_database(each)]
        if not found:
            raise
        names, line = ", ".join(map(shown_address, found)), first_line(error)
        if type(error).__name__ == "ConnectionTimeout":
            line = (
                "the database did not answer in time. Check the address, and whether this machine may reach it; "
                "?connect_timeout=60 in the address waits longer"
            )
        for password in filter(None, (urlsplit(each).password for each in found)):
            line = line.replace(password, "***")
        raise LogError(f"{names}: {line}") from None


def _errors() -> tuple[type[Exception], ...]:
    found: list[type[Exception]] = [nw.exceptions.NarwhalsError, OSError, sqlite3.Error]
    for module, name in (
        ("psycopg", "Error"),
        ("duckdb", "Error"),
        ("ibis.common.exceptions", "IbisError"),
        ("sqlglot.errors", "SqlglotError"),
    ):
        if module in sys.modules:
            found.append(getattr(sys.modules[module], name))
    return tuple(found)
