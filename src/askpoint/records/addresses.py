"""Tables at an address: Parquet on a web server or in a store of objects, as polars reads it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import narwhals as nw
import polars as pl

from askpoint.errors import LogError
from askpoint.records.table import Table

__all__ = ["is_address", "open_address", "without_query"]

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_FAULTS = (pl.exceptions.PolarsError, OSError)
_PATIENCE = {"max_retries": 2}
_SECONDS = 10.0  # for a web server or a store of objects to begin its answer
_LOOKS = 2  # requests that polars makes before it knows the columns: for the size, and for the end of the file
_PARQUET = b"PAR1"

_Result = TypeVar("_Result")


def is_address(source: str | Path) -> bool:
    """Say whether a text is an address, such as https://... or s3://..., rather than a path."""
    return isinstance(source, str) and _ADDRESS.match(source) is not None


def without_query(address: str) -> str:
    """Return how messages and titles call an address: what follows ? may hold a secret."""
    return address.removesuffix(f"?{urlsplit(address).query}")


def open_address(address: str) -> Table:
    """Open Parquet at an address; a store of objects may hold several files, named by a pattern.

    Raises
    ------
    LogError
        If it names no Parquet, cannot be read, or belongs to a web server or a store of objects that does not begin
        to answer within 10 seconds, or to a web server that answers with something else.
    """
    parts = urlsplit(address)
    name = without_query(address)
    if not parts.path.endswith((".parquet", "/", "*")):
        raise LogError(
            f"{name} is not an address of Parquet files (it must end in .parquet, or in / or * for several files): "
            "files of other kinds are read from disk, so fetch them first"
        )

    if parts.scheme in ("http", "https") and parts.path.endswith(".parquet"):
        _look_at(address, name)

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

    schema = guard(lambda: _first_look(address, name))
    columns = tuple(schema.names())
    return Table(name, columns, read, batches, count, schema=schema, lazy=nw.from_native(scan()))


def _first_look(address: str, name: str) -> pl.Schema:
    """Return the columns, asked for once: what does not answer small questions is not asked again and again."""
    each = f"{_SECONDS / _LOOKS:g}s"
    options = {"max_retries": 0, "timeout": each, "connect_timeout": each}
    try:
        return pl.scan_parquet(address, storage_options=options).collect_schema()
    except TimeoutError:
        raise _deadline_error(name) from None


def _deadline_error(name: str) -> LogError:
    return LogError(
        f"{name} did not begin to answer within {_SECONDS:g} seconds: fetch the file first, or try again later"
    )


def _look_at(address: str, name: str) -> None:
    """Refuse what never answers, and what answers with a page: polars waits for the one, and says little of the other."""
    asked = Request(address, headers={"Range": "bytes=0-3"})  # noqa: S310 - http or https
    try:
        with urlopen(asked, timeout=_SECONDS) as answer:  # noqa: S310
            first, kind = answer.read(len(_PARQUET)), answer.headers.get_content_type()
    except TimeoutError:
        first, kind = None, ""
    except OSError as error:
        if not isinstance(getattr(error, "reason", None), TimeoutError):
            return  # polars meets it, too, and says what it is
        first, kind = None, ""
    if first is None:
        raise _deadline_error(name)
    if first != _PARQUET:
        raise LogError(
            f"{name} answered with {kind}, which is not Parquet (does the address need a sign-in?): fetch the file "
            "first, and give its path"
        )
