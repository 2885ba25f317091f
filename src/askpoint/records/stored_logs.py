"""A log of probabilities kept for later: what the model said, the labels and the ids, nothing else."""

from __future__ import annotations

import io

import numpy as np
import polars as pl

from askpoint.errors import LogError
from askpoint.records.logs import read_log
from askpoint.records.predictions import PredictionLog

__all__ = ["pack_log", "unpack_log"]


def pack_log(log: PredictionLog) -> bytes:
    """Return a log as Parquet, without contents and all else that was in its file.

    Raises
    ------
    LogError
        If it has no probabilities, or several models.
    """
    if log.proba is None:
        raise LogError(
            "questions about mistakes are made of probabilities, and the log has only a "
            "prediction and a confidence; use one with a column of probabilities for each class"
        )
    if log.model is not None and len(log.model.names) > 1:
        raise LogError("the log holds several models; keep the rows of the model in use")
    label = np.full(log.n_items, None, dtype=object)
    label[log.labelled] = np.asarray(log.classes, dtype=object)[log.label]
    columns = {f"proba_{j}": log.proba[:, j] for j in range(len(log.classes))}
    frame = pl.DataFrame({"id": log.ids, "label": label.tolist(), **columns})
    out = io.BytesIO()
    frame.write_parquet(out)
    return out.getvalue()


def unpack_log(content: bytes, classes: list[str]) -> PredictionLog:
    """Return the log of `pack_log`; its classes are kept beside it."""
    frame = pl.read_parquet(io.BytesIO(content))
    proba = [f"proba_{j}" for j in range(len(classes))]
    return read_log(frame, proba=proba, classes=classes)
