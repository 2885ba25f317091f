"""An examination drawn from a log of any length, in memory that has a bound.

First the range of estimated costs is found, and the log's fingerprint; then rows are drawn; and
at last the names and cells are read of those that were drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from askpoint.errors import InputError, LogError, UnknownColumnError
from askpoint.records.cells import id_column
from askpoint.records.cost_batches import CostBatches
from askpoint.records.estimates import log_estimates
from askpoint.records.log_stream import Progress
from askpoint.records.scored_batches import ScoredTable
from askpoint.unknowns.examination import ExaminationDesign, ExaminationSample

__all__ = ["OWN_COLUMNS", "DrawnSample", "draw_sample"]

OWN_COLUMNS = (
    *("id", "label", "judge", "order", "drawn", "bin", "bins", "low", "high", "size"),
    *("inclusion", "method", "seed", "digest"),
)
"""Columns that a sample file has of its own; the others are the log's."""

_ROWS = 1 << 18  # that are read at a time
_ID = "\x1fid"  # no column of a log is called so


@dataclass(frozen=True, eq=False)
class DrawnSample:
    """An examination and what judges are shown of its cases.

    Parameters
    ----------
    examination : Examination
        Its items are the log's ids as text.
    cells : polars.DataFrame
        The columns for the judges, one row a case in the order of the examination.
    n_items : int
        Rows of the log.
    """

    examination: ExaminationSample
    cells: pl.DataFrame
    n_items: int


def draw_sample(
    scored: ScoredTable,
    design: ExaminationDesign,
    seed: int,
    *,
    by: str = "decision",
    show: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> DrawnSample:
    """Draw an examination from a log."""
    shown = list(scored.others if show is None else show)
    _check_shown(shown, scored.table.columns)
    costs = CostBatches(scored, by, squared=design.method == "neyman")
    estimates = log_estimates(scored, progress=progress, costs=costs)
    if design.n > estimates.n_items:
        raise InputError(
            f"{design.n} cases are to be judged, but the log has only {estimates.n_items}; ask "
            "for fewer"
        )
    rng = np.random.default_rng(seed)
    reservoirs = design.reservoirs(estimates.low, estimates.high)
    for start, cost, squared in costs.again():
        rows = np.arange(start, start + len(cost))
        reservoirs.update(rows, cost, design.keys(cost, rng), squared=squared)
        if progress is not None:
            progress(estimates.n_items + start + len(cost))
    drawn = design.draw(reservoirs, rng, seed=seed, digest=estimates.digest)
    ids, cells = _names_and_cells(scored, drawn.items.astype(np.int64), shown)
    if len(set(ids)) < len(ids):
        raise LogError("two of the cases drawn have one id: each case of the log needs its own")
    return DrawnSample(replace(drawn, items=np.array(ids, dtype=object)), cells, estimates.n_items)


def _check_shown(shown: Sequence[str], columns: Sequence[str]) -> None:
    for name in shown:
        if name not in columns:
            raise UnknownColumnError(name, columns)
        if name in OWN_COLUMNS:
            raise LogError(
                f"the column {name!r} cannot be shown to judges, because the sample has one of "
                "that name: rename it in the log, or name others to show"
            )


def _names_and_cells(
    scored: ScoredTable, rows: NDArray[np.int64], shown: Sequence[str]
) -> tuple[list[str], pl.DataFrame]:
    """Return the names of some rows, and what judges are shown of them; the log goes by for no more."""
    own = scored.columns.id
    wanted = list(dict.fromkeys([*([] if own is None else [own]), *shown]))
    if not wanted:
        return [str(row) for row in rows.tolist()], pl.DataFrame()
    places = np.argsort(rows)
    start, ordered, parts = 0, rows[places], list[pl.DataFrame]()
    for frame in scored.table.batches(wanted, _ROWS):
        first, last = np.searchsorted(ordered, [start, start + frame.height])
        here = ordered[first:last]
        names = pl.Series(here) if own is None else id_column(frame[own])[here - start]
        cells = frame.select(shown)[here - start].get_columns() if shown else []
        parts.append(pl.DataFrame([names.cast(pl.String).alias(_ID), *cells]))
        start += frame.height
    found = pl.concat(parts, how="vertical_relaxed")[np.argsort(places)]
    return found[_ID].to_list(), found.select(shown)
