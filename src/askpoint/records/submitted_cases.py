"""Judged cases that were brought, not drawn: what players submitted, or any list of found mistakes."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from askpoint.errors import LogError, UnknownColumnError
from askpoint.measures.class_spellings import class_codes
from askpoint.measures.inputs import BoolArray, FloatArray
from askpoint.records.cells import as_numbers
from askpoint.records.judged_cases import find_labelled_cases
from askpoint.records.scored_batches import ScoredTable
from askpoint.records.table import Table
from askpoint.records.tables import open_table
from askpoint.records.texts import as_names
from askpoint.unknowns.severity import MAX_SEVERITY, severities

__all__ = ["JudgedFinds", "read_finds"]

_EXPORTED = ("case_id", "probabilities", "decision", "truth")  # columns of a campaign's export


class JudgedFinds(NamedTuple):
    """Judged cases that one method found.

    Attributes
    ----------
    wrong : ndarray of bool of shape (n_cases,)
        Whether the model was wrong, in a case that repeats no earlier one.
    severities : ndarray of shape (n_cases,)
        How wrongly sure it was; 0 in all other cases.
    labels : tuple of (str or None), or None
        True classes, as judged.
    texts : tuple of str, or None
        The cases themselves, where they are texts.
    """

    wrong: BoolArray
    severities: FloatArray
    labels: tuple[str | None, ...] | None
    texts: tuple[str, ...] | None


def read_finds(table: Table, like: ScoredTable, *, by: str, text: str | None) -> JudgedFinds:
    """Read judged cases from a file of one row a case."""
    if text is not None and text not in table.columns:
        raise UnknownColumnError(text, table.columns)
    if "severity" in table.columns:
        return _list_finds(table, text)
    new = None
    if set(_EXPORTED) <= set(table.columns):
        table, new = _judgements_of_export(table, like, text)
    scored = ScoredTable.open(table, classes=like.classes, costs=like.costs)
    if scored.columns.label is None:
        raise LogError(
            f"{table.name} needs a column severity (0 to {MAX_SEVERITY} where the model was wrong, "
            "empty where it was right), or probabilities and a column label"
        )
    cases = find_labelled_cases(scored, by=by)
    names = np.array(scored.classes, dtype=object)
    truths = names[cases.labels]
    wrong = (cases.decisions != cases.labels) & (True if new is None else new)
    severe = severities(cases.proba, scored.costs, names[cases.decisions], truths, by=by)
    return JudgedFinds(
        wrong,
        np.where(wrong, severe, 0.0),
        tuple(truths.tolist()),
        None if text is None else tuple(cases.cells[text].fill_null("").to_list()),
    )


def _judgements_of_export(
    table: Table, like: ScoredTable, text: str | None
) -> tuple[Table, BoolArray]:
    """Return the judged cases of a campaign's export as a log, and which repeat no earlier one."""
    wanted = [*_EXPORTED, *(name for name in ("kind", "place") if name in table.columns)]
    frame = table.read(list(dict.fromkeys([*wanted, *([] if text is None else [text])])))
    if "kind" in frame.columns:  # JSON lines hold the campaign and its ledger, too
        frame = frame.filter(pl.col("kind") == "case")
    frame = frame.filter(pl.col("truth").is_not_null())
    if not frame.height:
        raise LogError(f"{table.name} has no judged case yet; export it again when some are ruled")
    rows = [
        _in_order(table, str(case), cell, like.classes)
        for case, cell in zip(frame["case_id"], frame["probabilities"], strict=True)
    ]
    proba = np.array(rows, dtype=np.float64)
    columns: dict[str, Any] = {
        f"proba_{name}": proba[:, column] for column, name in enumerate(like.classes)
    }
    columns |= {"prediction": frame["decision"], "label": frame["truth"]}
    if text is not None:
        columns.setdefault(text, frame[text])
    places = frame["place"].to_list() if "place" in frame.columns else [""] * frame.height
    new = np.array([place not in ("repeat", "unpaid") for place in places], dtype=np.bool_)
    return replace(open_table(pl.DataFrame(columns)), name=table.name), new


def _in_order(table: Table, case: str, cell: Any, classes: tuple[str, ...]) -> list[float]:
    try:
        given = dict(json.loads(cell) if isinstance(cell, str) else cell)
        values, codes = list(given.values()), class_codes(list(given), classes)
        return [float(values[codes.index(place)]) for place in range(len(classes))]
    except (TypeError, ValueError):
        raise LogError(
            f"{table.name}: the probabilities of case {case} must be one for each of the log's "
            f"classes, {', '.join(map(repr, classes))}; got {cell!r:.80}"
        ) from None


def _list_finds(table: Table, text: str | None) -> JudgedFinds:
    wanted = [name for name in ("severity", "label", text) if name in table.columns]
    frame = table.read(wanted)
    severity = as_numbers(frame["severity"])
    wrong = ~np.isnan(severity)
    outside = wrong & ~((severity >= 0) & (severity <= MAX_SEVERITY))
    if outside.any():
        row = int(outside.argmax())
        raise LogError(
            f"{table.name}: a severity must be between 0 and {MAX_SEVERITY}, and is empty where the "
            f"model was right; got {severity[row]:g} in row {row}"
        )
    labels = None
    if "label" in frame.columns:
        found = as_names(frame["label"])
        given = iter(found.codes.tolist())
        labels = tuple(found.names[next(given)] if there else None for there in found.given)
    return JudgedFinds(
        wrong,
        np.where(wrong, severity, 0.0),
        labels,
        None if text is None else tuple(frame[text].fill_null("").to_list()),
    )
