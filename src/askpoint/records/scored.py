"""A log of probabilities that goes by in batches: what is decided on each case, and its fingerprint."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import polars as pl

from askpoint.errors import CostsError, InputError, LogError, UnknownColumnError
from askpoint.measures.class_spellings import class_codes
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.inputs import FloatArray
from askpoint.measures.log_columns import Columns, find_columns
from askpoint.records.fingerprints import Fingerprint
from askpoint.records.logs import name_classes
from askpoint.records.occurring import find_occurring
from askpoint.records.passing_logs import Progress, log_batches
from askpoint.records.predictions import PredictionLog
from askpoint.records.table import Table
from askpoint.records.texts import as_names, class_names
from askpoint.unknowns.case_costs import estimated_cost

__all__ = ["Estimates", "ScoredBatch", "ScoredTable", "log_estimates"]


class ScoredBatch(NamedTuple):
    """Some rows of a log.

    Attributes
    ----------
    frame : polars.DataFrame
        The rows as they stand.
    log : PredictionLog
        What they say; its prediction is what is decided.
    proba : ndarray of shape (n_rows, n_classes)
        Probabilities.
    """

    frame: pl.DataFrame
    log: PredictionLog
    proba: FloatArray


class ScoredTable(NamedTuple):
    """A table of which is known what its columns are.

    Attributes
    ----------
    table : Table
        A file or a dataframe.
    columns : Columns
        Its columns, without that of decisions.
    decision : str or None
        The column of the decisions that are really made; None: the most probable class is.
    classes : tuple of str
        All classes.
    costs : CostMatrix
        For these classes, in this order.
    """

    table: Table
    columns: Columns
    decision: str | None
    classes: tuple[str, ...]
    costs: CostMatrix

    @classmethod
    def open(
        cls,
        table: Table,
        *,
        label: str | None = None,
        proba: str | Sequence[str] | None = None,
        decision: str | None = None,
        classes: Sequence[str] | None = None,
        costs: CostMatrix | None = None,
    ) -> ScoredTable:
        """Find the columns of a table of probabilities."""
        if label is None and "label" in table.columns:
            label = "label"
        if decision is None and "prediction" in table.columns:
            decision = "prediction"
        if decision is not None and decision not in table.columns:
            raise UnknownColumnError(decision, table.columns)
        columns = find_columns(table.columns, label=label, proba=proba)
        if not columns.proba:
            raise LogError(
                f"{table.name} has no probabilities: what a case is estimated to cost takes one "
                "column for each class (proba_CLASS), not a confidence alone"
            )
        columns = columns._replace(prediction=None)
        known = len(columns.proba) > 1 or classes is not None
        seen = () if known else _classes_that_occur(table, columns._replace(prediction=decision))
        names = name_classes(columns, seen, classes)[0]
        if costs is None:
            return cls(table, columns, decision, names, CostMatrix.zero_one(names))
        try:
            return cls(table, columns, decision, names, costs.reordered(names))
        except InputError as error:
            raise CostsError(f"the costs do not fit the log: {error}") from None

    @property
    def others(self) -> tuple[str, ...]:
        """Columns that say nothing of the model or the label: what judges may see."""
        own = {*self.columns.wanted, self.decision, "prediction", "confidence", "label"}
        return tuple(name for name in self.table.columns if name not in own)

    def without_labels(self) -> ScoredTable:
        """Return the same table for a second look, which needs no labels."""
        return self._replace(columns=self.columns._replace(label=None))

    def batches(self, extra: Sequence[str] = ()) -> Iterator[ScoredBatch]:
        """Yield the rows a batch at a time, numbered through where the log has no ids."""
        start = 0
        wanted = [*extra, *([] if self.decision is None else [self.decision])]
        for frame, log in log_batches(self.table, self.columns, self.classes, wanted):
            proba = log.proba
            if proba is None:
                raise LogError(f"{self.table.name} has no probabilities")
            if self.columns.id is None:
                log.ids[:] += start
            if self.decision is not None:
                log = replace(log, prediction=self._decided(frame[self.decision], start))
            start += log.n_items
            yield ScoredBatch(frame, log, proba)

    def estimated(self, batch: ScoredBatch, by: str) -> FloatArray:
        """Return what the model thinks that each case of a batch costs."""
        by_code = CostMatrix(range(len(self.classes)), self.costs.cost)
        return estimated_cost(batch.proba, by_code, batch.log.prediction, by=by)

    def _decided(self, column: pl.Series, start: int) -> np.ndarray:
        found = as_names(column)
        codes = class_codes(found.names, self.classes)
        bad = np.flatnonzero(~found.given)
        if not bad.size:
            strange = np.array([code is None for code in codes], np.bool_)
            bad = np.flatnonzero(strange[found.codes])
        if bad.size:
            row = int(bad[0])
            raise LogError(
                f"the column {column.name!r} must hold a decision in every row, one of "
                f"{', '.join(map(repr, self.classes[:10]))}; row {start + row} has "
                f"{column[row]!r}"
            )
        return np.array(codes, dtype=np.int32)[found.codes]


def _classes_that_occur(table: Table, columns: Columns) -> tuple[str, ...]:
    """Return the labels and answers that occur, sorted; the table goes by once."""
    parts = table.parts or (table,)
    return class_names(name for part in parts for name in find_occurring(part, columns)[0].names)


class Estimates(NamedTuple):
    """What the model thinks that the cases of a log cost, seen once.

    Attributes
    ----------
    n_items : int
        Rows.
    low, high : float
        Range of the estimated costs.
    digest : str
        Fingerprint of the cases and what the model says on them.
    """

    n_items: int
    low: float
    high: float
    digest: str


def log_estimates(
    scored: ScoredTable, *, by: str = "decision", progress: Progress | None = None
) -> Estimates:
    """Let a log go by for the range of its estimated costs, and its fingerprint."""
    fingerprint, rows, low, high = Fingerprint(), 0, np.inf, -np.inf
    for batch in scored.batches():
        cost = scored.estimated(batch, by)
        low, high = min(low, float(cost.min())), max(high, float(cost.max()))
        batch.log.add_to(fingerprint, labels=False)
        rows += batch.log.n_items
        if progress is not None:
            progress(rows)
    return Estimates(rows, low, high, fingerprint.digest())
