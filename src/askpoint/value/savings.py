"""Costs that differ from case to case: what answering is expected to save against asking."""

from __future__ import annotations

import numpy as np

from askpoint.measures.inputs import FloatArray
from askpoint.value.curve import ValueCurve

__all__ = ["best_gain_threshold", "expected_savings"]


def expected_savings(
    confidence: FloatArray, mistake_cost: FloatArray, reject_cost: FloatArray
) -> FloatArray:
    """What answering each case is expected to save: q - (1 - c) m."""
    return reject_cost - (1 - confidence) * mistake_cost


def best_gain_threshold(gain: FloatArray, score: FloatArray) -> float:
    """Threshold on a score at which the summed gains of the cases above it are greatest."""
    matters = gain != 0
    if not matters.any():  # both cost the same everywhere: ask
        return float("inf")
    curve = ValueCurve.from_outcomes(
        gain[matters] > 0, score[matters], sample_weight=np.abs(gain[matters])
    )
    return curve.threshold(1.0)
