"""The log of a version in the server's tables, as `askpoint.records.stores` reads and writes that of a deployment.

The tables of all classifiers are the same few. A statement of the stores finds those of one policy under the
names that it knows: each is named before it, in a `WITH`, with the rows of the policy alone.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.db import connection

from askpoint.live.documents import PolicyDocument

__all__ = ["PolicyTables"]

_MICROS = {
    "postgresql": "CAST(EXTRACT(EPOCH FROM at) * 1000000 AS bigint)",
    "sqlite": "CAST(strftime('%%s', substr(at, 1, 19)) AS INTEGER) * 1000000 "  # a fraction is rounded up
    "+ CAST(substr(substr(at, 21) || '000000', 1, 6) AS INTEGER)",
}
_AS_THEY_ARE = {
    "forgotten": ("deployments_deletedcontent", ("seq", "at", "leaf")),
    "leases": (
        "deployments_grantedlease",
        ("number", "decider", "episode", "threshold", "rate", "answers", "granted", "expires", "leaf"),
    ),
    "hand_ins": (
        "deployments_leasehandin",
        ("lease", "at", "answers", "cases", "booked", "digest", "leaf"),
    ),
    "nodes": ("deployments_lognode", ("level", "place", "hash")),
    "heads": ("deployments_signedhead", ("size", "root", "at", "signer", "signature")),
}  # fmt: skip
_NAMES = re.compile(r"\b(decisions|labels|events|forgotten|leases|hand_ins|nodes|heads)\b")
_PART = 500  # values of one statement
_FETCHED = 2000  # rows


class PolicyTables:
    """A `StoreReader` of the log of one policy, and what writes its smaller tables.

    Parameters
    ----------
    policy : int
        Its row; what is written needs the lock of its deployment.
    document : PolicyDocument
        Of the same.
    """

    def __init__(self, policy: int, document: PolicyDocument) -> None:
        self._policy = policy
        self._classes: Sequence[str] = document.model["classes"]
        self._version: str = document.model.get("version", "")

    def execute(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a statement."""
        with connection.cursor() as cursor:
            cursor.execute(*self._qualify(statement, values))
            return list(map(tuple, cursor.fetchall()))

    def find(self, select: str, values: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a statement for some values; it ends with ``WHERE column IN``."""
        wanted = list(values)
        for start in range(0, len(wanted), _PART):
            part = wanted[start : start + _PART]
            yield from self.execute(f"{select} ({', '.join('?' * len(part))})", part)

    def stream(self, statement: str) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a statement one by one, within a transaction."""
        with connection.chunked_cursor() as cursor:
            cursor.execute(*self._qualify(statement, ()))
            while rows := cursor.fetchmany(_FETCHED):
                yield from map(tuple, rows)

    def insert(self, table: str, fields: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        """Write new rows of a table that stands here as it stands in a deployment."""
        name, _ = _AS_THEY_ARE[table]
        marks = ", ".join(["%s"] * (len(fields) + 1))
        statement = f"INSERT INTO {name} (policy_id, {', '.join(fields)}) VALUES ({marks})"  # noqa: S608
        with connection.cursor() as cursor:
            cursor.executemany(statement, [(self._policy, *row) for row in rows])

    def _qualify(self, statement: str, values: Sequence[Any]) -> tuple[str, list[Any]]:
        """Return a statement with its tables named before it, and all values."""
        tables, given = [], []
        for name in sorted(set(_NAMES.findall(statement))):
            text, before = self._table(name)
            tables.append(f"{name} AS NOT MATERIALIZED ({text} WHERE policy_id = %s)")
            given += [*before, self._policy]
        said = statement.replace("%", "%%").replace("?", "%s")
        return f"WITH {', '.join(tables)} {said}", [*given, *values]

    def _table(self, name: str) -> tuple[str, list[Any]]:
        if name in _AS_THEY_ARE:
            table, fields = _AS_THEY_ARE[name]
            return f"SELECT {', '.join(fields)} FROM {table}", []  # noqa: S608
        text = _statement(name, connection.vendor, len(self._classes))
        return text, [self._version, *self._classes] if name == "decisions" else []


@functools.cache
def _statement(name: str, vendor: str, classes: int) -> str:
    """Return what makes of rows of the server those that the stores know."""
    at = f"{_MICROS[vendor]} AS at"
    if name == "decisions":
        said = "".join(f" WHEN {code} THEN %s" for code in range(classes))
        return (
            f"SELECT seq, key, {at}, %s AS model_version, CASE prediction{said} END AS prediction, confidence, "  # noqa: S608
            "CASE WHEN action = 1 THEN 0 ELSE 1 END AS answer, CASE WHEN action = 2 THEN 1 ELSE 0 END AS audit, "
            "propensity, drawn, episode, CASE WHEN held THEN 1 ELSE 0 END AS held, NULL AS content, digest, "
            '"group" AS region, rate, chain, clock_back, leaf, salt, lease FROM deployments_receipt'
        )
    if name == "labels":
        return (
            f"SELECT n, key, label, judge, source, truth, {at}, after, CASE WHEN counts THEN 1 ELSE 0 END AS counts, "  # noqa: S608
            "chain, NULL AS clock_back, leaf FROM deployments_label"
        )
    return f"SELECT n, seq, kind, numbers, {at}, leaf FROM deployments_event"  # noqa: S608
