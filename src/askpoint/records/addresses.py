"""Tables at an address: Parquet on a web server or in a store of objects, as polars reads it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import narwhals as nw
import polars as pl

from askpoint.errors import LogError
from askpoint.records.table import Table

__all__ = ["is_address", "open_address"]

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_FAULTS = (pl.exceptions.PolarsError, OSError)
_PATIENCE = {"max_retries": 2}

_Result = TypeVar("_Result")


def is_address(source: str | Path) -> bool:
    """Say whether a text is an address, such as https://... or s3://..., rather than a path."""
    return isinstance(source, str) and _ADDRESS.match(source) is not None


def open_address(address: str) -> Table:
    """Open Parquet at an address; a store of objects may hold several files, named by a pattern."""
    parts = urlsplit(address)
    name = address.removesuffix(f"?{parts.query}")  # which may hold a secret
    if not parts.path.endswith((".parquet", "/", "*")):
        raise LogError(
            f"{name} is no address of Parquet (it must end in .parquet, or in / or * for several files): "
            "files of other kinds are read from disk, so fetch them first"
        )

    def scan() -> pl.LazyFrame:
        return pl.scan_parquet(address, storage_options=_PATIENCE)

    def guard(work: Callable[[], _Result]) -> _Result:
        try:
            return work()
        except _FAULTS as error:
            reason = " ".join(str(error).split()).replace(f"?{parts.query}", "")
        raise LogError(f"{name} cannot be read: {reason}")

    def read(columns: Sequence[str]) -> pl.DataFrame:
        return guard(lambda: scan().select(columns).collect())

    def batches(columns: Sequence[str], size: int) -> Iterator[pl.DataFrame]:
        frames = guard(lambda: scan().select(columns).collect_batches(chunk_size=size))
        while (frame := guard(lambda: next(frames, None))) is not None:
            yield frame

    def count() -> int:
        return guard(lambda: int(scan().select(pl.len()).collect().item()))

    schema = guard(lambda: scan().collect_schema())
    columns = tuple(schema.names())
    return Table(name, columns, read, batches, count, schema=schema, lazy=nw.from_native(scan()))
