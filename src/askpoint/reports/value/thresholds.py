"""Thresholds as they are printed: alike in words, on the page and in JSON, and acting as printed."""

from __future__ import annotations

import math

from askpoint.answers.value.answer import ValueAnswer
from askpoint.reports.words import threshold_text

__all__ = ["format_threshold", "threshold_number"]


def format_threshold(answer: ValueAnswer, threshold: float) -> str:
    """Write the confidence from which a model answers, in as many digits as tell the cases apart."""
    if math.isinf(threshold) or answer.places is None:
        return threshold_text(threshold, -math.inf)
    places = answer.places
    return threshold_text(threshold + places.slack(threshold), places.below(threshold))


def threshold_number(answer: ValueAnswer, threshold: float) -> float | None:
    """Return the same as a number; None where the model never answers."""
    return None if math.isinf(threshold) else float(format_threshold(answer, threshold))
