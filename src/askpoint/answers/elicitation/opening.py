"""Sessions on a log of predictions: opened, or resumed from their text."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from askpoint.elicitation.session import ElicitSession, resume_session
from askpoint.errors import LogError
from askpoint.measures.inputs import FloatArray
from askpoint.records.predictions import PredictionLog

__all__ = ["open_session", "reopen_session"]


def open_session(log: PredictionLog, **settings: Any) -> ElicitSession:
    """Start a session on the labelled rows of a log, with the settings of `ElicitSession`."""
    labels, proba = _label_rows(log)
    return ElicitSession(labels, proba, np.random.default_rng, classes=log.classes, **settings)


def reopen_session(text: str, log: PredictionLog) -> ElicitSession:
    """Go on with a session that was left, on the log that it was started with."""
    labels, proba = _label_rows(log)
    return resume_session(text, labels, proba, np.random.default_rng, classes=log.classes)


def _label_rows(log: PredictionLog) -> tuple[NDArray[Any], FloatArray]:
    """Labels by name, and their rows' probabilities."""
    if log.model is not None and len(log.model.names) > 1:
        raise LogError(
            "the log holds several models; ask about one: keep the rows of the model in use"
        )
    if log.proba is None:
        raise LogError(
            "questions about mistakes are made of probabilities, and the log has only a "
            "prediction and a confidence; give the columns with --proba"
        )
    return np.asarray(log.classes, dtype=object)[log.label], log.proba[log.labelled]
