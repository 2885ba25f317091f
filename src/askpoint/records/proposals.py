"""Cases to label next, as a file that people fill in, and the file filled in."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from askpoint.errors import InputError, LogError
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray
from askpoint.measures.seals import count_sealed, order_by_seal, seal_of
from askpoint.records.artefacts import write_text
from askpoint.records.cells import as_ids
from askpoint.records.predictions import PredictionLog
from askpoint.records.tables import open_table
from askpoint.value.selection import label_selection

__all__ = [
    "FilledIn",
    "keep_sealed",
    "read_filled_in",
    "with_labels",
    "with_proposed",
    "write_proposal",
]

_CHANCE, _MARK, _SEAL = "chance", "mark", "seal"
_FEWEST_SEALED = 30  # labels that stand for all where others were selected, as for votes


class FilledIn(NamedTuple):
    """Labels that people filled in: the cases' names, labels, chances to be chosen, and marks."""

    path: str
    ids: list[str]
    labels: list[str]
    chances: list[float]
    marks: list[str]
    seal: str | None = None


def write_proposal(
    path: str | Path,
    log: PredictionLog,
    rows: IntArray,
    chances: FloatArray,
    shown: pl.DataFrame,
    *,
    label: str,
    measure: str,
    seal: str | None = None,
) -> None:
    """Write the cases, what people may see of them, an empty label and each one's chance.

    Cases of a sealed random order keep that order, and carry the seal.
    """
    if Path(path).exists():
        raise InputError(
            f"{path} exists already and may hold people's labels: name another file with --to"
        )
    if seal is None:
        order = np.argsort(rows, kind="stable")
        rows, chances = rows[order], chances[order]
    shown = shown.drop([n for n in ("id", label, _CHANCE, _MARK, _SEAL) if n in shown])
    frame = pl.DataFrame({"id": log.ids[rows].tolist()}, strict=False)
    frame = frame.hstack(shown[rows.tolist()]) if shown.width else frame
    frame = frame.with_columns(
        pl.lit("").alias(label),
        pl.Series(_CHANCE, chances),
        pl.Series(_MARK, _marks(log, rows, measure)),
    )
    if seal is not None:
        frame = frame.with_columns(pl.lit(seal).alias(_SEAL))
    write_text(path, frame.write_csv())


def read_filled_in(path: str, label: str) -> FilledIn:
    """Read the rows that have a label by now."""
    table = open_table(path)
    missing = [name for name in ("id", label, _CHANCE, _MARK) if name not in table.columns]
    if missing:
        raise LogError(
            f"{path} is not a file of proposed cases: it lacks the column {missing[0]!r}; fill in the "
            "file that --propose wrote and leave its columns as they are"
        )
    has_seal = _SEAL in table.columns
    frame = table.read(["id", label, _CHANCE, _MARK, *([_SEAL] if has_seal else [])])
    frame = frame.cast({label: pl.String, _MARK: pl.String})
    seals = {str(one) for one in frame[_SEAL]} if has_seal else set()
    if len(seals) > 1:
        raise LogError(
            f"the column {_SEAL!r} of {path} must carry one seal; got {len(seals)}. Leave it as it was."
        )
    frame = frame.filter(pl.col(label).str.strip_chars().fill_null("") != "")
    if not frame.height:
        raise LogError(f"no row of {path} has a label yet: fill in the column {label!r}")
    try:
        chances = frame[_CHANCE].cast(pl.Float64).to_list()
    except pl.exceptions.PolarsError:
        chances = [None]
    if any(chance is None or not 0 < chance <= 1 for chance in chances):
        raise LogError(
            f"the column {_CHANCE!r} of {path} was changed: chances must be above 0 and at most 1"
        )
    ids = [str(name) for name in as_ids(frame["id"]).tolist()]
    if len(set(ids)) < len(ids):
        raise LogError(f"{path} names a case twice; each case is labelled once")
    labels = [text.strip() for text in frame[label].to_list()]
    return FilledIn(
        str(path), ids, labels, chances, frame[_MARK].to_list(), next(iter(seals), None)
    )


def with_labels(frame: pl.DataFrame, label: str, files: Sequence[FilledIn]) -> pl.DataFrame:
    """The rows of a log with the labels of the files in place."""
    names = np.arange(frame.height) if "id" not in frame.columns else as_ids(frame["id"])
    where = {str(name): row for row, name in enumerate(names.tolist())}
    old = (
        frame[label].cast(pl.String).to_list() if label in frame.columns else [None] * frame.height
    )
    for file in files:
        for name, text in zip(file.ids, file.labels, strict=True):
            row = where.get(name)
            if row is None:
                raise LogError(
                    f"{file.path} labels the case {name!r}, which the log does not have: it was "
                    "made from another log"
                )
            if old[row] not in (None, "", text):
                raise LogError(
                    f"{file.path} labels the case {name!r} as {text!r}, but the log has "
                    f"{old[row]!r} already; keep one of them"
                )
            old[row] = text
    return frame.with_columns(pl.Series(label, old, dtype=pl.String))


def with_proposed(log: PredictionLog, files: Sequence[FilledIn], *, measure: str) -> PredictionLog:
    """The log with the chances of proposed cases, so that averages over cases stay unbiased.

    Labels that nobody proposed count as drawn at random; each round of labels estimates the
    averages for itself, and rounds count by their numbers of labels. Of files in sealed random order labels
    count as drawn at random; where others in the log were visibly selected, those in sealed order alone do.
    """
    where = {str(name): row for row, name in enumerate(log.ids.tolist())}
    for file in files:
        _check_marks(log, file, where, measure)
    if files and all(file.seal is not None for file in files):
        return keep_sealed(log, measure)
    chosen: BoolArray = np.zeros(log.n_items, dtype=np.bool_)
    share = np.zeros(log.n_items)
    n = log.n_labelled
    for file in files:
        rows = np.array([where[name] for name in file.ids])
        chosen[rows] = True
        share[rows] = np.array(file.chances) * n / len(rows)
    others = log.labelled & ~chosen
    share[others] = n / log.n_items
    known = share[log.labelled]
    return replace(log, propensity=known / max(float(known.max()), 1.0), chosen=chosen)


def _check_marks(
    log: PredictionLog, file: FilledIn, where: Mapping[str, int], measure: str
) -> None:
    """Refuse labels of cases that are not as they were, or that were drawn from other cases."""
    rows = np.array([where[name] for name in file.ids])
    for name, mark, now in zip(file.ids, file.marks, _marks(log, rows, measure), strict=True):
        if mark != now:
            raise LogError(
                f"the case {name!r} of {file.path} is not as it was when it was proposed: its "
                "row of the log, or the model's answer to it, has changed; propose again"
            )
    if file.seal is not None and file.seal != (own := seal_of(list(where))):
        raise LogError(
            f"the seal of {file.path} must be {own}, that of this log; got {file.seal}. Give the log that the "
            "labels were drawn from."
        )


def keep_sealed(log: PredictionLog, measure: str = "max_probability") -> PredictionLog:
    """Return the log with labels that are first in the sealed order, and others where all may be a random draw."""
    names = [str(name) for name in log.ids.tolist()]
    known = {name for name, has in zip(names, log.labelled.tolist(), strict=True) if has}
    n_sealed = count_sealed(names, known)
    if n_sealed in (len(known), 0) or n_sealed < _FEWEST_SEALED:
        return log
    found = label_selection(
        log.scores(measure).astype(np.float64),
        log.labelled,
        cluster=log.cluster,
        rng=np.random.default_rng(0),
    )
    if found is None or not found.is_selective:
        return log
    first = set(order_by_seal(names)[:n_sealed])
    keep = np.array([name in first for name in names])
    return replace(
        log, labelled=keep, label=log.label[keep[log.labelled]], n_uncounted=len(known) - n_sealed
    )


def _marks(log: PredictionLog, rows: IntArray, measure: str) -> list[str]:
    """What ties a proposed case to the row of the log that it was."""
    scores = log.scores(measure)[rows].tolist()
    answers = log.prediction[rows].tolist()
    return [
        hashlib.sha256(f"{name}\x1f{log.classes[code]}\x1f{score:.6g}".encode()).hexdigest()[:10]
        for name, code, score in zip(log.ids[rows].tolist(), answers, scores, strict=True)
    ]
