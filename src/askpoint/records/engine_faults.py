"""What engines raise, said as our own errors."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any

import narwhals as nw
import polars as pl

from askpoint.errors import LogError
from askpoint.records.table import Table

__all__ = ["engine_errors", "first_line", "is_here", "translate_engine_faults"]


def is_here(lazy: nw.LazyFrame[Any]) -> bool:
    """Say whether rows lie in this process's reach, so that they may be looked at one by one."""
    return bool(lazy.implementation.is_polars())


@contextlib.contextmanager
def translate_engine_faults(part: Table) -> Iterator[None]:
    """Say in one line what an engine could not do with a part of a log."""
    try:
        yield
    except engine_errors(nw.exceptions.NarwhalsError, pl.exceptions.PolarsError) as error:
        line = first_line(error)
        if part.lazy is None or is_here(part.lazy):
            raise LogError(f"{part.name} is broken or cut off: {line}") from None
        raise LogError(
            f"{part.lazy.implementation} could not count the rows: {line}; if a file is broken, the same "
            "command without an engine names the file"
        ) from None


def first_line(error: Exception) -> str:
    """Return one line of what an engine says; of a chain of Java's errors the one of Spark's own."""
    said, java = [str(error)], getattr(error, "java_exception", None)
    while java is not None:
        said.append(str(java.getMessage()))
        java = java.getCause()
    own = next((text for text in said if text.startswith("[")), said[0])
    return next(filter(None, map(str.strip, own.splitlines())), type(error).__name__)


def engine_errors(*others: type[Exception]) -> tuple[type[Exception], ...]:
    """Return the errors of those engines that are loaded, and others."""
    found = list(others)
    if "duckdb" in sys.modules:
        found.append(sys.modules["duckdb"].Error)
    if "pyspark" in sys.modules:
        found.append(sys.modules["pyspark"].errors.PySparkException)
    if "py4j.protocol" in sys.modules:
        found.append(sys.modules["py4j.protocol"].Py4JError)
    return tuple(found)
