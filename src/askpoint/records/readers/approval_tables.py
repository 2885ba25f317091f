"""Logs of what people allowed an agent to do, as tables: recognised here, answered elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from askpoint.records.readers.evidence.findings import Roles
from askpoint.records.readers.grids import CellGrid
from askpoint.records.readers.reading import Reading
from askpoint.records.roles import ColumnFacts

__all__ = ["read_approvals"]


def read_approvals(
    grid: CellGrid,
    facts: Sequence[ColumnFacts],
    roles: Roles,
    files: Sequence[str],
) -> Reading:
    """Read a table in which each row is a request of an agent and what people decided about it."""
    decision, called = str(roles.choices.label), roles.choices.system
    counts = (
        grid.frame[decision].drop_nulls().cast(pl.String).value_counts(name="\x00n").sort(decision)
    )
    ids = [f.name for f in facts if f.role == "id"]
    empty = grid.frame[decision].null_count()
    return Reading(
        "approvals",
        "table",
        tuple(files),
        grid.frame,
        items=grid.frame.height,
        id=roles.choices.id or next(iter(ids), None),
        label=decision,
        label_counts=dict(counts.iter_rows()),
        missing={decision: {"": empty}} if empty else {},
        systems=() if called is None else tuple(
            str(name) for name in grid.frame[called].unique(maintain_order=True) if name is not None
        ),
        doubts=grid.said,
        findings=tuple(roles.findings),
        is_guess=True,
    )  # fmt: skip
