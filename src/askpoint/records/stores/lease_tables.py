"""The leases of a deployment in its tables: what was granted, and what was handed in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from askpoint.errors import LogError
from askpoint.live.blocks import HandInBlock, LeaseBlock
from askpoint.live.leases.lease import Lease
from askpoint.records.stores.database import StoreReader

__all__ = [
    "HAND_IN",
    "LEASE",
    "find_hand_in",
    "find_lease",
    "open_leases",
    "read_hand_ins",
    "read_leases",
    "select_hand_ins",
    "select_leases",
]

LEASE = (
    "number", "decider", "episode", "threshold", "rate", "answers", "granted", "expires", "leaf"
)  # fmt: skip
"""Columns of the table leases."""
HAND_IN = ("lease", "at", "answers", "cases", "booked", "digest", "leaf")
"""Columns of the table hand_ins."""
_LEASES = f"SELECT {', '.join(LEASE)} FROM leases"  # noqa: S608
_HAND_INS = f"SELECT {', '.join(HAND_IN)} FROM hand_ins"  # noqa: S608
_TEXTS = frozenset({"decider", "digest"})
_REALS = frozenset({"threshold", "rate"})
_Row = Sequence[Any]


def read_leases(rows: Callable[[str], Iterable[_Row]]) -> Iterator[LeaseBlock]:
    """Yield what was granted, in the order of the log."""
    for row in rows(f"{_LEASES} ORDER BY leaf"):
        yield LeaseBlock(lease=_lease(row))


def read_hand_ins(rows: Callable[[str], Iterable[_Row]]) -> Iterator[HandInBlock]:
    """Yield what was handed in, in the order of the log."""
    for row in rows(f"{_HAND_INS} ORDER BY leaf"):
        yield _hand_in(row)


def select_leases(reader: StoreReader, low: int, high: int) -> list[LeaseBlock]:
    """Return those granted at some places of the log."""
    found = reader.execute(f"{_LEASES} WHERE leaf >= ? AND leaf < ?", (low, high))
    return [LeaseBlock(lease=_lease(row)) for row in found]


def select_hand_ins(reader: StoreReader, low: int, high: int) -> list[HandInBlock]:
    """Return those at some places of the log."""
    found = reader.execute(f"{_HAND_INS} WHERE leaf >= ? AND leaf < ?", (low, high))
    return [_hand_in(row) for row in found]


def find_lease(reader: StoreReader, number: int) -> Lease | None:
    """Return a lease by its number; None if there is none."""
    found = reader.execute(f"{_LEASES} WHERE number = ?", (number,))
    return _lease(found[0]) if found else None


def find_hand_in(reader: StoreReader, number: int) -> HandInBlock | None:
    """Return what was handed in of a lease; None if nothing was yet."""
    found = reader.execute(f"{_HAND_INS} WHERE lease = ?", (number,))
    return _hand_in(found[0]) if found else None


def open_leases(reader: StoreReader) -> list[Lease]:
    """Return the leases of which nothing was handed in, in their order."""
    out = " WHERE number NOT IN (SELECT lease FROM hand_ins) ORDER BY number"
    return [_lease(row) for row in reader.execute(_LEASES + out)]


def _lease(row: _Row) -> Lease:
    _check("leases", LEASE, row)
    return Lease(**dict(zip(LEASE, row, strict=True)))


def _hand_in(row: _Row) -> HandInBlock:
    _check("hand_ins", HAND_IN, row)
    return HandInBlock(**dict(zip(HAND_IN, row, strict=True)))


def _check(table: str, names: Sequence[str], row: _Row) -> None:
    """Refuse a row that no program of ours wrote."""
    for name, value in zip(names, row, strict=True):
        kind = str if name in _TEXTS else float if name in _REALS else int
        if type(value) is not kind and not (name == "threshold" and value is None):
            raise LogError(
                f"the table {table}: the column {name} holds {value!r:.80}, which no lease writes; restore the "
                "deployment from a copy"
            )
