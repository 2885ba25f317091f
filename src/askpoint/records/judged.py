"""The cases of a log that were judged: those of an examination, or all that have a label."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

from askpoint.errors import InputError, LogError
from askpoint.measures.inputs import FloatArray, IntArray
from askpoint.records.fingerprints import Fingerprint
from askpoint.records.passing_logs import Progress
from askpoint.records.scored import ScoredBatch, ScoredTable
from askpoint.unknowns.cases import check_digest
from askpoint.unknowns.examination import Examination

__all__ = ["FoundCases", "find_cases", "labelled_cases"]

_ROUND_OFF = 1e-6  # of the bins' range: what a detour through a spreadsheet may cost


class FoundCases(NamedTuple):
    """Some cases of a log.

    Attributes
    ----------
    n_items : int
        Rows of the whole log.
    proba : ndarray of shape (n_cases, n_classes)
        Probabilities.
    decisions : ndarray of int of shape (n_cases,)
        Positions of the decisions among the classes.
    labels : ndarray of int of shape (n_cases,)
        Those of the labels that the log has; -1 without one.
    estimated : ndarray of shape (n_cases,)
        Estimated costs.
    cells : polars.DataFrame
        The other columns.
    """

    n_items: int
    proba: FloatArray
    decisions: IntArray
    labels: IntArray
    estimated: FloatArray
    cells: pl.DataFrame


def find_cases(
    scored: ScoredTable,
    examination: Examination,
    *,
    by: str = "decision",
    progress: Progress | None = None,
) -> FoundCases:
    """Find the cases of an examination in its log, which goes by once."""
    wanted = {item: place for place, item in enumerate(examination.items.tolist())}
    fingerprint, parts, places, rows = Fingerprint(), [], list[int](), 0
    for batch in scored.batches(scored.others):
        batch.log.add_to(fingerprint, labels=False)
        ids = [str(item) for item in batch.log.ids.tolist()]
        mine = np.array([row for row, item in enumerate(ids) if item in wanted], dtype=np.int64)
        places += [wanted[ids[row]] for row in mine]
        parts.append(_cases(scored, batch, mine, by))
        rows += len(ids)
        if progress is not None:
            progress(rows)
    check_digest(examination, fingerprint.digest())
    if len(set(places)) < len(places):
        raise LogError("a case of the examination occurs more than once in the log")
    cases = _joined(parts, rows, np.argsort(places))
    _check_bins(examination, cases.estimated)
    return cases


def labelled_cases(
    scored: ScoredTable, *, by: str = "decision", progress: Progress | None = None
) -> FoundCases:
    """Return the cases of a log that have a label; the log goes by once."""
    parts, rows = [], 0
    for batch in scored.batches(scored.others):
        parts.append(_cases(scored, batch, np.flatnonzero(batch.log.labelled), by))
        rows += batch.log.n_items
        if progress is not None:
            progress(rows)
    return _joined(parts, rows, None)


def _cases(scored: ScoredTable, batch: ScoredBatch, rows: IntArray, by: str) -> FoundCases:
    label = np.full(batch.log.n_items, -1, dtype=np.int64)
    label[batch.log.labelled] = batch.log.label
    return FoundCases(
        len(rows),
        batch.proba[rows],
        batch.log.prediction[rows],
        label[rows],
        scored.estimated(batch, by)[rows],
        batch.frame.select(scored.others)[rows] if scored.others else pl.DataFrame(),
    )


def _joined(parts: list[FoundCases], n_items: int, order: IntArray | None) -> FoundCases:
    """Return the cases of all batches, in another order if one is given."""
    rows: IntArray = np.arange(sum(part.n_items for part in parts)) if order is None else order
    cells = pl.concat([part.cells for part in parts], how="vertical_relaxed")
    return FoundCases(
        n_items,
        np.concatenate([part.proba for part in parts])[rows],
        np.concatenate([part.decisions for part in parts])[rows],
        np.concatenate([part.labels for part in parts])[rows],
        np.concatenate([part.estimated for part in parts])[rows],
        cells[rows] if cells.width else cells,
    )


def _check_bins(examination: Examination, estimated: FloatArray) -> None:
    edges, bins = examination.edges, examination.bins
    slack = _ROUND_OFF * max(edges[-1] - edges[0], abs(edges[-1]))
    if ((estimated < edges[bins] - slack) | (estimated > edges[bins + 1] + slack)).any():
        raise InputError(
            "the estimated costs of the cases lie outside the bins that they were drawn from; "
            "give the costs (--costs, --by) by which the examination was drawn"
        )
