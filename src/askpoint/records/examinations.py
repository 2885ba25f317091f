"""An examination drawn from a log that goes by twice; memory does not grow with the rows.

The first time the range of estimated costs is found, and the log's fingerprint; the second time
the cases are drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from askpoint.errors import InputError, LogError, UnknownColumnError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.records.passing_logs import Progress
from askpoint.records.scored import ScoredBatch, ScoredTable, log_estimates
from askpoint.unknowns.case_costs import decision_cost, mistakes_only
from askpoint.unknowns.examination import Examination, ExaminationDesign

__all__ = ["OWN_COLUMNS", "DrawnSample", "draw_sample"]

OWN_COLUMNS = (
    *("id", "label", "judge", "order", "drawn", "bin", "bins", "low", "high", "size"),
    *("inclusion", "method", "seed", "digest"),
)
"""Columns that a sample file has of its own; the others are the log's."""

_ROW, _ID = "\x1frow", "\x1fid"  # no column of a log is called so


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

    examination: Examination
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
    """Draw an examination from a log; the log goes by twice."""
    shown = list(scored.others if show is None else show)
    _check_shown(shown, scored.table.columns)
    estimates = log_estimates(scored, by=by, progress=progress)
    if design.n > estimates.n_items:
        raise InputError(
            f"{design.n} cases are to be judged, but the log has only {estimates.n_items}; ask "
            "for fewer"
        )
    rng = np.random.default_rng(seed)
    reservoirs = design.reservoirs(estimates.low, estimates.high)
    squared_costs = CostMatrix(
        range(len(scored.classes)), np.square(mistakes_only(scored.costs).cost)
    )
    rows, kept = 0, pl.DataFrame()
    for batch in scored.without_labels().batches(shown):
        cost = scored.estimated(batch, by)
        squared = None
        if design.method == "neyman":
            squared = decision_cost(batch.proba, squared_costs, batch.log.prediction)
        numbers = np.arange(rows, rows + len(cost))
        reservoirs.update(numbers, cost, design.keys(cost, rng), squared=squared)
        kept = _keep(kept, reservoirs.kept, batch, shown, rows)
        rows += len(cost)
        if progress is not None:
            progress(estimates.n_items + rows)
    drawn = design.draw(reservoirs, rng, seed=seed, digest=estimates.digest)
    order = pl.DataFrame({_ROW: drawn.items.astype(np.int64)})
    cells = order.join(kept, on=_ROW, how="left", maintain_order="left")
    ids = np.array(cells[_ID].to_list(), dtype=object)
    if len(set(ids.tolist())) < len(ids):
        raise LogError("two of the cases drawn have one id: each case of the log needs its own")
    return DrawnSample(replace(drawn, items=ids), cells.select(shown), rows)


def _check_shown(shown: Sequence[str], columns: Sequence[str]) -> None:
    for name in shown:
        if name not in columns:
            raise UnknownColumnError(name, columns)
        if name in OWN_COLUMNS:
            raise LogError(
                f"the column {name!r} cannot be shown to judges, because the sample has one of "
                "that name: rename it in the log, or name others to show"
            )


def _keep(
    kept: pl.DataFrame,
    wanted: NDArray[np.int64],
    batch: ScoredBatch,
    shown: Sequence[str],
    start: int,
) -> pl.DataFrame:
    """Return the cells of those rows that the reservoirs keep now."""
    new = wanted[wanted >= start] - start
    ids = pl.Series(_ID, batch.log.ids[new].tolist()).cast(pl.String)
    rows = pl.DataFrame([pl.Series(_ROW, new + start, dtype=pl.Int64), ids]).hstack(
        batch.frame.select(shown)[new].get_columns() if shown else []
    )
    if not kept.width:
        return rows
    if not new.size:
        return kept
    old = kept.filter(np.isin(kept[_ROW].to_numpy(), wanted))
    return pl.concat([old, rows], how="vertical_relaxed")
