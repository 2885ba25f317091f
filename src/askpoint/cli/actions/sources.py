"""What a command reads: files, addresses of databases, and data that a program holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from askpoint.cli.report import shown_name
from askpoint.errors import InputError
from askpoint.records.addresses import is_address, open_address, without_query
from askpoint.records.databases import is_database, open_database
from askpoint.records.readers.python_data import is_lazy, source_of
from askpoint.records.readers.reading import Choices
from askpoint.records.readers.sources import Source
from askpoint.records.readers.table_opening import open_grids
from askpoint.records.tables import open_table

__all__ = ["fetch_sources", "is_counted", "open_sources", "read_rows", "source_name"]

_MOST_ROWS = 20_000_000  # that are fetched to be looked through


def source_name(source: Any) -> str:
    """Return how messages and titles call what is read."""
    if isinstance(source, str) and is_address(source) and not is_database(source):
        return without_query(source)
    if isinstance(source, str | Path):
        return shown_name(str(source)) if is_database(source) else str(source)
    return source.name if isinstance(source, Source) else "the data"


def open_sources(sources: Sequence[Any], query: str | None) -> list[Any]:
    """Open databases and addresses: what a query answers is a dataframe that the database counts."""
    if query is not None and not any(map(is_database, sources)):
        raise InputError(
            "--query must come with the address of a database (postgresql://, sqlite:/// or duckdb:///); got "
            f"{', '.join(map(source_name, sources))}. Of others, export the rows to a file"
        )
    return [_open(each, query) for each in sources]


def _open(source: Any, query: str | None) -> Any:
    if is_database(source):
        return open_database(source, query)
    if not isinstance(source, str) or not is_address(source):
        return source
    table = open_address(source)
    return table.lazy if table.n_rows() > _MOST_ROWS else table.read(table.columns)


def is_counted(source: Any, *, as_many: bool) -> bool:
    """Say whether rows are counted where they lie: by a database or an engine, if they are many."""
    if isinstance(source, str | Path | Source) or not is_lazy(source):
        return False
    return as_many or open_table(source).n_rows() > _MOST_ROWS


def fetch_sources(sources: Sequence[Any], names: Sequence[str]) -> list[str | Path | Source]:
    """Return dataframes as files would hold them, and files as they are."""
    return [
        source if isinstance(source, str | Path | Source) else replace(source_of(source), name=name)
        for source, name in zip(sources, names, strict=True)
    ]


def read_rows(source: Any) -> Any:
    """Return what a program holds as one dataframe, and files as they are."""
    if isinstance(source, str | Path):
        return source
    held = source if isinstance(source, Source) else source_of(source)
    return open_grids(held, Choices())[0].frame
