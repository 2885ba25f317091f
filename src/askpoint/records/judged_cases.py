"""The cases of a log that were judged: those of an examination, or all that have a label."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

from askpoint.errors import InputError, LogError
from askpoint.measures.inputs import FloatArray, IntArray
from askpoint.records.case_fingerprints import CaseFingerprint
from askpoint.records.log_stream import Progress
from askpoint.records.scored_batches import ScoredBatch, ScoredTable
from askpoint.unknowns.case_costs import CostEstimate
from askpoint.unknowns.cases import check_digest
from askpoint.unknowns.examination import ExaminationSample

__all__ = ["FoundCases", "find_cases", "find_labelled_cases"]

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


class _Part(NamedTuple):
    """Cases of a batch, with the cells of their labels."""

    proba: FloatArray
    decisions: IntArray
    estimated: FloatArray
    cells: pl.DataFrame


def find_cases(
    scored: ScoredTable,
    examination: ExaminationSample,
    *,
    by: str = "decision",
    progress: Progress | None = None,
) -> FoundCases:
    """Find the cases of an examination in its log, which goes by once."""
    wanted = _Wanted(examination.items.tolist())
    fingerprint = CaseFingerprint(scored.classes, like=examination.digest)
    parts, places, rows = [], list[int](), 0
    estimate = CostEstimate(scored.costs, by)
    label = [] if scored.columns.label is None else [scored.columns.label]
    for batch in scored.without_labels().batches([*label, *scored.others]):
        fingerprint.add(batch)
        mine = wanted.rows(batch)
        places += wanted.places(batch.names(mine))
        parts.append(_cases(batch, mine, [*label, *scored.others], estimate))
        rows += batch.frame.height
        if progress is not None:
            progress(rows)
    check_digest(examination, fingerprint.digest())
    if len(set(places)) < len(places):
        raise LogError("a case of the examination occurs more than once in the log")
    cases = _join(scored, parts, rows, np.argsort(places))
    _check_bins(examination, cases.estimated)
    return cases


def find_labelled_cases(
    scored: ScoredTable, *, by: str = "decision", progress: Progress | None = None
) -> FoundCases:
    """Return the cases of a log that have a label; the log goes by once."""
    parts, rows = [], 0
    estimate = CostEstimate(scored.costs, by)
    label = [] if scored.columns.label is None else [scored.columns.label]
    for batch in scored.batches(scored.others):
        given = np.empty(0, np.int64) if batch.labels is None else np.flatnonzero(batch.labels >= 0)
        parts.append(_cases(batch, given, [*label, *scored.others], estimate))
        rows += batch.frame.height
        if progress is not None:
            progress(rows)
    return _join(scored, parts, rows, None)


class _Wanted:
    """Cases of an examination, looked for by their names."""

    def __init__(self, names: list[str]) -> None:
        self._places = {name: place for place, name in enumerate(names)}
        self._names = pl.Series(names, dtype=pl.String)
        numbers = self._names.cast(pl.Int64, strict=False)
        self._numbers = numbers.filter(numbers.cast(pl.String) == self._names).sort().to_numpy()

    def rows(self, batch: ScoredBatch) -> IntArray:
        """Return which rows of a batch are wanted."""
        if batch.ids is None:
            first, last = np.searchsorted(
                self._numbers, [batch.start, batch.start + batch.frame.height]
            )
            return self._numbers[first:last] - batch.start
        found = batch.ids.cast(pl.String).is_in(self._names.implode())
        return np.flatnonzero(found.to_numpy())

    def places(self, names: pl.Series) -> list[int]:
        """Return where in the examination cases stand."""
        return [self._places[name] for name in names.to_list()]


def _cases(batch: ScoredBatch, rows: IntArray, columns: list[str], estimate: CostEstimate) -> _Part:
    proba, decisions = batch.proba[rows], batch.decisions(rows)
    cells = batch.frame.select(columns)[rows] if columns else pl.DataFrame()
    return _Part(proba, decisions, estimate.of(proba, decisions), cells)


def _join(
    scored: ScoredTable, parts: list[_Part], n_items: int, order: IntArray | None
) -> FoundCases:
    """Return the cases of all batches, in another order if one is given."""
    proba, decisions, estimated, frames = zip(*parts, strict=True)
    rows: IntArray = np.arange(sum(map(len, proba))) if order is None else order
    cells = pl.concat(frames, how="vertical_relaxed")
    cells = cells[rows] if cells.width else cells
    label = scored.columns.label
    return FoundCases(
        n_items,
        np.concatenate(proba)[rows],
        np.concatenate(decisions)[rows],
        np.full(len(rows), -1) if label is None else scored.labels_of(cells[label]),
        np.concatenate(estimated)[rows],
        cells.select(scored.others),
    )


def _check_bins(examination: ExaminationSample, estimated: FloatArray) -> None:
    edges, bins = examination.edges, examination.bins
    slack = _ROUND_OFF * max(edges[-1] - edges[0], abs(edges[-1]))
    if ((estimated < edges[bins] - slack) | (estimated > edges[bins + 1] + slack)).any():
        raise InputError(
            "the estimated costs of the cases lie outside the bins that they were drawn from; "
            "give the costs (--costs, --by) by which the examination was drawn"
        )
