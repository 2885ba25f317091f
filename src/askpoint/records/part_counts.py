"""Counts of one part of a log: by the engine behind it, in batches, or as they were kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import narwhals as nw
import numpy as np
import polars as pl

from askpoint.errors import InputError, LogError
from askpoint.measures.class_spellings import class_codes
from askpoint.measures.confidence import confidence_range
from askpoint.measures.log_columns import Columns
from askpoint.records.cells import as_parts
from askpoint.records.class_counts import ClassCounts, count_classes, spell_classes
from askpoint.records.engine_faults import is_here, translate_engine_faults
from askpoint.records.log_stream import Progress, log_batches
from askpoint.records.predictions import PredictionLog
from askpoint.records.sketch_cache import SketchCache
from askpoint.records.table import Table
from askpoint.value.sketch.bins import Bins, RelativeBins
from askpoint.value.sketch.frame_measures import FRAME_MEASURES, ROUNDED_MEASURES
from askpoint.value.sketch.frames import count_parts
from askpoint.value.sketch.score_sketch import ScoreSketch

__all__ = ["Counting", "PartCounts"]

_WIDER = 1e-6  # than a measure's range, for round-off

_Key = tuple[str | None, str | None]  # model and group


class PartCounts(NamedTuple):
    """What was counted in a part: what occurs, and a sketch of each model and group."""

    occurring: ClassCounts
    sketches: Mapping[_Key, ScoreSketch]


@dataclass
class Counting:
    """How a log is counted.

    Parameters
    ----------
    columns : Columns
        What its columns are.
    measure : str
        The confidence measure.
    cache : SketchCache, optional
        Where counts of files are kept.
    """

    columns: Columns
    measure: str
    cache: SketchCache | None = None
    _cells: dict[int, pl.DataFrame] = field(init=False, default_factory=dict)
    _kept: dict[int, tuple[dict[str, Any], list[Any]]] = field(init=False, default_factory=dict)
    _found: dict[int, ClassCounts] = field(init=False, default_factory=dict)

    def bins(self, n_classes: int) -> Bins:
        """Return which confidences are counted together."""
        if self.columns.confidence is not None:
            return RelativeBins()
        low, high = confidence_range(self.measure, n_classes)
        return RelativeBins() if high == 1 else RelativeBins(low - _WIDER, high + _WIDER)

    def occurring(self, part: Table) -> ClassCounts:
        """Return what occurs in a part."""
        kept = None if self.cache is None else self.cache.get(part, self._about(part))
        if kept is not None:
            self._kept[id(part)] = kept
            header = kept[0]
            labels = {model: dict(named) for model, named in header["labels"]}
            found = ClassCounts(header["rows"], labels, tuple(header["answers"]))
        else:
            found = self._look(part)
        self._found[id(part)] = found
        return found

    def count(
        self, part: Table, classes: tuple[str, ...], order: list[int], progress: Progress | None
    ) -> PartCounts:
        """Count a part, of which is known what occurs in it."""
        occurring = self._found[id(part)]
        meaning = self._meaning(occurring, classes, order)
        bins = self.bins(len(classes))
        if (kept := self._kept.get(id(part))) is not None and kept[0]["meaning"] == meaning:
            keys = [(model, group) for model, group in kept[0]["sketches"]]
            read = [ScoreSketch.from_bytes(array.tobytes()) for array in kept[1]]
            return PartCounts(occurring, dict(zip(keys, read, strict=True)))
        if not occurring.rows:
            return PartCounts(occurring, {})
        sketches = self._sketches(part, classes, order, bins, progress)
        if self.cache is not None:
            header = {
                "rows": occurring.rows,
                "labels": [[model, dict(named)] for model, named in occurring.labels.items()],
                "answers": list(occurring.answers),
                "meaning": meaning,
                "sketches": [list(key) for key in sketches],
            }
            arrays = [np.frombuffer(one.to_bytes(), np.uint8) for one in sketches.values()]
            self.cache.put(part, self._about(part), header, arrays)
        return PartCounts(occurring, sketches)

    def _look(self, part: Table) -> ClassCounts:
        with translate_engine_faults(part):
            found, self._cells[id(part)] = count_classes(part, self.columns)
        return found

    def _about(self, part: Table) -> dict[str, Any]:
        """Say what the counts of a file depend on beside its content."""
        kinds = {name: str((part.schema or {}).get(name)) for name in self.columns.wanted}
        return {
            "counts": "scores",
            "columns": self.columns._asdict(),
            "kinds": kinds,
            "measure": self.measure,
        }

    def _meaning(
        self, occurring: ClassCounts, classes: tuple[str, ...], order: list[int]
    ) -> dict[str, Any]:
        """Say which class each name of a part means; a class that others bring changes nothing."""
        codes = class_codes(occurring.names, classes)
        pairs = zip(occurring.names, codes, strict=True)
        named = {name: None if code is None else classes[code] for name, code in pairs}
        return {"names": named, "classes": list(classes) if order else [], "order": order}

    def _sketches(
        self,
        part: Table,
        classes: tuple[str, ...],
        order: list[int],
        bins: Bins,
        progress: Progress | None,
    ) -> dict[_Key, ScoreSketch]:
        if part.lazy is not None and self._can_ask(part.lazy):
            try:
                with translate_engine_faults(part):
                    return self._by_engine(part, classes, order, bins)
            except (InputError, OSError):
                if not is_here(part.lazy):
                    raise
                # what goes by in batches is read more freely, and a bad row is named
        elif part.lazy is not None and not is_here(part.lazy):
            raise InputError(
                f"an engine counts the measures {', '.join(FRAME_MEASURES)}, not {self.measure}; read the "
                "log without one"
            )
        return self._by_batches(part, classes, bins, progress)

    def _can_ask(self, lazy: nw.LazyFrame[Any]) -> bool:
        """Say whether rows are counted by the engine behind them; NumPy rounds some measures better."""
        if self.columns.confidence is not None:
            return True
        here = self.measure in ROUNDED_MEASURES and is_here(lazy)
        return self.measure in FRAME_MEASURES and not here

    def _by_engine(
        self, part: Table, classes: tuple[str, ...], order: list[int], bins: Bins
    ) -> dict[_Key, ScoreSketch]:
        columns = self.columns
        if columns.label is None:
            raise LogError("an engine counts right answers: name the column of labels")
        if id(part) not in self._cells:  # what occurs was kept, but not what it means
            self._look(part)
        cells = self._cells[id(part)]
        label = spell_classes(columns.label, cells, classes)
        keys = [name for name in (columns.model, columns.group) if name is not None]
        prediction = columns.prediction
        found, places, counts = count_parts(
            part.lazy,
            bins,
            label=label,
            prediction=None if prediction is None else spell_classes(prediction, cells, classes),
            confidence=columns.confidence,
            proba=[columns.proba[i] for i in order] if len(columns.proba) > 1 else columns.proba,
            of_first=order == [0],
            measure=self.measure,
            keys=keys,
        )
        names = dict(zip(keys, map(as_parts, found.to_polars().get_columns()), strict=True))
        of_row = [
            [None] * len(counts)
            if name is None
            else [names[name].names[code] for code in names[name].codes]
            for name in (columns.model, columns.group)
        ]
        rows: dict[_Key, list[int]] = {}
        for row, key in enumerate(zip(*of_row, strict=True)):
            rows.setdefault(key, []).append(row)
        sketches: dict[_Key, ScoreSketch] = {}
        for key, mine in rows.items():
            right, wrong, unlabelled = counts[mine].T
            sketches[key] = ScoreSketch.from_counts(
                bins.lowest(places[mine]), right, wrong, unlabelled, measure=self.measure, bins=bins
            )
        return sketches

    def _by_batches(
        self, part: Table, classes: tuple[str, ...], bins: Bins, progress: Progress | None
    ) -> dict[_Key, ScoreSketch]:
        sketches: dict[_Key, ScoreSketch] = {}
        rows = 0
        for _, log in log_batches(part, self.columns, classes):
            for model, of_model in log.by_model() if log.model is not None else [(None, log)]:
                for group, rest in (
                    of_model.by_group() if log.group is not None else [(None, of_model)]
                ):
                    _add(sketches.setdefault((model, group), ScoreSketch(self.measure, bins)), rest)
            rows += log.n_items
            if progress is not None:
                progress(rows)
        return sketches


def _add(sketch: ScoreSketch, log: PredictionLog) -> None:
    right = np.zeros(log.n_items, dtype=np.bool_)
    right[log.labelled] = log.right
    sketch.update_many(np.ma.MaskedArray(right, mask=~log.labelled), log.scores(sketch.measure))
