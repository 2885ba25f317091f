"""What engines raise, said as our own errors."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any

import narwhals as nw

from askpoint.errors import LogError

__all__ = ["is_here", "raised_by_engines", "said_plainly"]


def is_here(lazy: nw.LazyFrame[Any]) -> bool:
    """Say whether rows lie in this process's reach, so that they may be looked at one by one."""
    return bool(lazy.implementation.is_polars())


@contextlib.contextmanager
def said_plainly(lazy: nw.LazyFrame[Any] | None) -> Iterator[None]:
    """Say in one line what an engine could not do."""
    try:
        yield
    except raised_by_engines() as error:
        engine = "the engine" if lazy is None else str(lazy.implementation)
        line = next(filter(None, map(str.strip, str(error).splitlines())), type(error).__name__)
        raise LogError(f"{engine} could not count the rows: {line}") from None


def raised_by_engines(*others: type[Exception]) -> tuple[type[Exception], ...]:
    """Return the errors of those engines that are loaded, and others."""
    found = list(others)
    if "duckdb" in sys.modules:
        found.append(sys.modules["duckdb"].Error)
    if "pyspark" in sys.modules:
        found.append(sys.modules["pyspark"].errors.PySparkException)
    if "py4j.protocol" in sys.modules:
        found.append(sys.modules["py4j.protocol"].Py4JError)
    return tuple(found)
