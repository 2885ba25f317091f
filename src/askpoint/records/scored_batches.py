"""A log of probabilities that goes by in batches: what is decided on each case."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from askpoint.errors import CostsError, InputError, LogError, UnknownColumnError
from askpoint.measures.class_spellings import class_codes
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.inputs import FloatArray, IntArray
from askpoint.measures.log_columns import Columns, find_columns
from askpoint.records.cells import check_one_row_per_case, id_column
from askpoint.records.class_counts import count_classes
from askpoint.records.column_words import looks_like
from askpoint.records.label_words import CORRECT
from askpoint.records.log_stream import number_rows_from
from askpoint.records.logs import codes_of, name_classes, scores_of
from askpoint.records.table import Table
from askpoint.records.texts import as_names, class_names

__all__ = ["ScoredBatch", "ScoredTable"]

_ROWS = 1 << 18  # that are read at a time
_GRADES = ("false", "true")
_CELLS = 1 << 16  # of probabilities, worked on at a time: larger arrays are new memory each time


class ScoredBatch(NamedTuple):
    """Some rows of a log.

    Attributes
    ----------
    frame : polars.DataFrame
        The rows as they stand.
    start : int
        Rows of the table before these.
    proba : ndarray of shape (n_rows, n_classes)
        Probabilities.
    ids : polars.Series or None
        Names of the cases; None where the log has none, and rows are numbered.
    decided : ndarray of int of shape (n_rows,), or None
        Positions of the decisions among the classes; None: each most probable class.
    labels : ndarray of int of shape (n_rows,), or None
        Positions of the labels, -1 where there is none; None where they were not asked for.
    """

    frame: pl.DataFrame
    start: int
    proba: FloatArray
    ids: pl.Series | None
    decided: IntArray | None
    labels: IntArray | None

    def names(self, rows: IntArray) -> pl.Series:
        """Return the names of some of the cases as texts."""
        names = pl.Series(rows + self.start) if self.ids is None else self.ids[rows]
        return names.cast(pl.String)

    def decisions(self, rows: IntArray) -> IntArray:
        """Return what is decided on some of the cases, as positions among the classes."""
        return self.proba[rows].argmax(axis=1) if self.decided is None else self.decided[rows]


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
    order : tuple of int
        Where the column of each class stands among those of probabilities.
    costs : CostMatrix
        For these classes, in this order.
    """

    table: Table
    columns: Columns
    decision: str | None
    classes: tuple[str, ...]
    order: tuple[int, ...]
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
        if not known and not seen and label is not None and looks_like(label, CORRECT):
            seen = _GRADES  # what the column is to say, once somebody looked
        names, order = name_classes(columns, seen, classes)
        if costs is None:
            return cls(table, columns, decision, names, tuple(order), CostMatrix.zero_one(names))
        try:
            return cls(table, columns, decision, names, tuple(order), costs.reorder(names))
        except InputError as error:
            raise CostsError(f"the costs do not fit the log: {error}") from None

    @property
    def others(self) -> tuple[str, ...]:
        """Columns that say nothing of the model or the label: what judges may see."""
        own = {*self.columns.wanted, self.decision, "prediction", "confidence", "label"}
        return tuple(name for name in self.table.columns if name not in own)

    def without_labels(self) -> ScoredTable:
        """Return the same table for those who need no labels."""
        return self._replace(columns=self.columns._replace(label=None))

    def batches(self, extra: Sequence[str] = ()) -> Iterator[ScoredBatch]:
        """Yield the rows a batch at a time."""
        start, size = 0, max(_CELLS // len(self.classes), 1)
        own = [] if self.decision is None else [self.decision]
        wanted = list(dict.fromkeys([*self.columns.wanted, *extra, *own]))
        for frame in self.table.batches(wanted, _ROWS):
            with number_rows_from(start):
                ids = None if self.columns.id is None else _ids(frame[self.columns.id])
                labels = None
                if self.columns.label is not None:
                    labels = self.labels_of(frame[self.columns.label])
            decided = (
                None if self.decision is None else self._decision_codes(frame[self.decision], start)
            )
            for first in range(0, frame.height, size):
                some = slice(first, first + size)
                part = frame[some]
                with number_rows_from(start + first):
                    proba = scores_of(part, self.columns, self.order)
                yield ScoredBatch(
                    part,
                    start + first,
                    proba,
                    None if ids is None else ids[some],
                    None if decided is None else decided[some],
                    None if labels is None else labels[some],
                )
            start += frame.height

    def labels_of(self, column: pl.Series) -> IntArray:
        """Return the positions of labels among the classes, -1 where there is none."""
        found = as_names(column)
        labels = np.full(len(column), -1, dtype=np.int64)
        labels[found.given] = codes_of(found, self.classes, column.name)
        return labels

    def _decision_codes(self, column: pl.Series, start: int) -> np.ndarray:
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


def _ids(column: pl.Series) -> pl.Series:
    names = id_column(column)
    check_one_row_per_case(column, None)
    return names


def _classes_that_occur(table: Table, columns: Columns) -> tuple[str, ...]:
    """Return the labels and answers that occur, sorted; the table goes by once."""
    parts = table.parts or (table,)
    return class_names(name for part in parts for name in count_classes(part, columns)[0].names)
