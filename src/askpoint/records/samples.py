"""The file that judges fill in: an examination at rest, and what was said on its cases.

It carries all that is needed to evaluate it beside its log: the order of judging, each case's bin
with its edges and size, the probability with which it was drawn, method, seed and fingerprint.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from askpoint.errors import LogError, UnknownColumnError
from askpoint.measures.class_spellings import class_codes
from askpoint.records.examinations import OWN_COLUMNS, DrawnSample
from askpoint.records.table import Table
from askpoint.records.texts import as_names
from askpoint.unknowns.examination import ExaminationSample
from askpoint.unknowns.examination_names import METHODS

__all__ = ["JudgedSample", "read_sample", "sample_csv"]


def sample_csv(drawn: DrawnSample) -> str:
    """Return the file for the judges: they fill in the label, and who said it.

    Several judges of one case take one row each, which differ in label and judge only.
    """
    examination = drawn.examination
    n = len(examination.items)
    nothing = pl.Series([None] * n, dtype=pl.String)
    columns: dict[str, Any] = {
        "id": examination.items.tolist(),
        "label": nothing,
        "judge": nothing,
        **{name: drawn.cells[name] for name in drawn.cells.columns},
        "order": np.arange(1, n + 1),
        "drawn": [n] * n,
        "bin": examination.bins + 1,
        "bins": [len(examination.sizes)] * n,
        "low": examination.edges[examination.bins],
        "high": examination.edges[examination.bins + 1],
        "size": examination.sizes[examination.bins],
        "inclusion": examination.inclusion,
        "method": [examination.method] * n,
        "seed": [examination.seed] * n,
        "digest": [examination.digest] * n,
    }
    return pl.DataFrame(columns).write_csv()


class JudgedSample(NamedTuple):
    """A sample file as judges left it.

    Attributes
    ----------
    examination : Examination
        What was drawn; its items are ids as text, in the order of judging.
    items : tuple of str
        The case of each row.
    labels : tuple of (str or None)
        What was said of it; None where nothing was said yet.
    judges : tuple of (str or None)
        Who said it.
    """

    examination: ExaminationSample
    items: tuple[str, ...]
    labels: tuple[str | None, ...]
    judges: tuple[str | None, ...]

    def in_classes(self, classes: Sequence[str]) -> JudgedSample:
        """Return the same with the labels written as the log writes its classes."""
        names = sorted({label for label in self.labels if label is not None})
        codes = dict(zip(names, class_codes(names, classes), strict=True))
        for item, label in zip(self.items, self.labels, strict=True):
            if label is not None and codes[label] is None:
                raise LogError(
                    f"the case {item!r} was labelled {label!r}, which is not among the classes "
                    f"{', '.join(map(repr, classes))}"
                )
        known = {name: classes[code] for name, code in codes.items() if code is not None}
        return self._replace(
            labels=tuple(None if label is None else known[label] for label in self.labels)
        )


def read_sample(table: Table) -> JudgedSample:
    """Read a sample file that `sample_csv` made and judges filled in."""
    for name in OWN_COLUMNS:
        if name != "judge" and name not in table.columns:
            raise UnknownColumnError(name, table.columns)
    own = [name for name in OWN_COLUMNS if name in table.columns]
    frame = table.read(own).select(pl.all().cast(pl.String))
    try:
        return _sample(frame)
    except LogError as error:
        raise LogError(f"{table.name}: {error}") from None


def _sample(frame: pl.DataFrame) -> JudgedSample:
    order = _numbers(frame, "order", int)
    items = tuple(item or "" for item in _texts(frame["id"]))
    labels = _texts(frame["label"])
    judges = _texts(frame["judge"]) if "judge" in frame.columns else (None,) * len(items)
    first: dict[int, int] = {}
    cells = frame.drop("label", "judge", strict=False).rows()
    for row, place in enumerate(order):
        if cells[row] != cells[first.setdefault(place, row)]:
            raise LogError(
                f"two rows for the case {items[row]!r} differ in more than label and judge; fill "
                "in only those two columns"
            )
    drawn = _numbers(frame, "drawn", int)[0]
    for place in sorted(set(range(1, drawn + 1)) ^ set(first))[:1]:
        if place in first:
            raise LogError(f"the case {items[first[place]]!r} was not drawn; judge only what was")
        raise LogError(
            f"case {place} of the {drawn} drawn is missing; keep every row of the sample and leave "
            "the label empty where no judge decided, because leaving out hard cases makes the model look better"
        )
    rows = [first[place] for place in sorted(first)]
    if len({items[row] for row in rows}) < len(rows):
        raise LogError("two cases of the order have one id; leave the ids as they were drawn")
    return JudgedSample(
        _examination(frame[rows], [items[row] for row in rows]), items, labels, judges
    )


def _examination(frame: pl.DataFrame, items: list[str]) -> ExaminationSample:
    method, n_bins = frame["method"][0], _numbers(frame, "bins", int)[0]
    if method not in METHODS:
        raise LogError(f"the method must be one of {', '.join(METHODS)}; got {method!r}")
    bins = np.array(_numbers(frame, "bin", int)) - 1
    if bins.min() < 0 or bins.max() >= n_bins:
        raise LogError(f"bins are numbered from 1 to {n_bins}; got {bins.max() + 1}")
    low, high = _numbers(frame, "low", float), _numbers(frame, "high", float)
    inclusion = np.array(_numbers(frame, "inclusion", float))
    sizes = np.zeros(n_bins, dtype=np.int64)
    sizes[bins] = _numbers(frame, "size", int)
    width = high[0] - low[0]
    start = low[0] - int(bins[0]) * width
    return ExaminationSample(
        method=method,
        items=np.array(items, dtype=object),
        bins=bins,
        inclusion=inclusion,
        sizes=sizes,
        edges=np.linspace(start, start + n_bins * width, n_bins + 1),
        seed=_numbers(frame, "seed", int)[0],
        digest=frame["digest"][0] or "",
    )


def _numbers(frame: pl.DataFrame, column: str, kind: type) -> list[Any]:
    numbers = []
    for cell in frame[column]:
        try:
            numbers.append(kind(cell))
        except (TypeError, ValueError):
            raise LogError(
                f"the column {column!r} must hold numbers as they were written; got {cell!r}"
            ) from None
    return numbers


def _texts(column: pl.Series) -> tuple[str | None, ...]:
    names = as_names(column)
    found = np.full(len(column), None, dtype=object)
    found[names.given] = np.array(names.names, dtype=object)[names.codes]
    return tuple(found.tolist())
