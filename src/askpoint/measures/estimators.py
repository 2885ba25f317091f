"""Probabilities of a classifier: where it gives none, the sentence that says what to do."""

from __future__ import annotations

from typing import Any

import numpy as np

from askpoint.errors import InputError
from askpoint.measures.inputs import FloatArray

__all__ = ["check_gives_probabilities", "class_probabilities"]


def check_gives_probabilities(estimator: Any) -> None:
    """Refuse a classifier without ``predict_proba``, such as LinearSVC."""
    if hasattr(estimator, "predict_proba"):
        return
    last = getattr(estimator, "steps", [("", estimator)])[-1][1]
    name = type(last).__name__
    remedy = (
        f"CalibratedClassifierCV({name}(...)) of sklearn.calibration makes them from its scores"
        if hasattr(estimator, "decision_function")
        else "askpoint.hard_label_probabilities makes them from labelled cases and what it said of them"
    )
    raise InputError(
        f"{name} gives no probabilities (it has no predict_proba as it is set up), and how sure an "
        f"answer is must be known here: {remedy}"
    )


def class_probabilities(estimator: Any, X: Any) -> FloatArray:
    """Return what a fitted classifier says of cases, of shape (n_items, n_classes)."""
    check_gives_probabilities(estimator)
    return np.asarray(estimator.predict_proba(X))
