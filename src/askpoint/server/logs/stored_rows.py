"""What is kept of a log from which a policy can be chosen: labels, groups and what the model said."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from askpoint.records.logs import read_log
from askpoint.records.predictions import PredictionLog

__all__ = ["MOST_KEPT", "frame_to_keep", "log_of_frame"]

MOST_KEPT = 500_000
"""Rows of a log that are kept: the last, which are the newest of a log in order of time."""


def frame_to_keep(log: PredictionLog) -> pl.DataFrame:
    """Return labels, groups where they were asked for, and what the model said of the last rows; nothing else of a case."""
    names = np.array(log.classes, dtype=object)
    label = np.full(log.n_items, None, dtype=object)
    label[log.labelled] = names[log.label]
    columns: dict[str, Any] = {"label": pl.Series(label.tolist(), dtype=pl.String)}
    if log.proba is not None:
        columns |= {f"proba_{i}": log.proba[:, i] for i in range(len(names))}
    else:
        columns |= {"prediction": names[log.prediction].tolist(), "confidence": log.confidence}
    if log.group is not None:
        groups = np.array(log.group.names, dtype=object)[log.group.codes]
        columns["group"] = pl.Series(groups.tolist(), dtype=pl.String)
    if log.propensity is not None:
        chance = np.full(log.n_items, np.nan)
        chance[log.labelled] = log.propensity
        columns["propensity"] = pl.Series(chance).fill_nan(None)
    return pl.DataFrame(columns).tail(MOST_KEPT)


def log_of_frame(frame: pl.DataFrame, classes: list[str]) -> PredictionLog:
    """Return the log of `frame_to_keep`; its classes are kept beside it."""
    scored = "proba_0" in frame.columns
    return read_log(
        frame,
        proba=[f"proba_{i}" for i in range(len(classes))] if scored else None,
        classes=classes,
        prediction=None if scored else "prediction",
        confidence=None if scored else "confidence",
        group="group" if "group" in frame.columns else None,
        propensity="propensity" if "propensity" in frame.columns else None,
    )
