"""When a closed policy answers again, in words."""

from __future__ import annotations

import math

from askpoint.answers.live.reopening import Reopening
from askpoint.reports.words import count, plural

__all__ = ["reopening_text"]

_ENOUGH = 200


def reopening_text(reopening: Reopening) -> str:
    """Return when it answers again, if people go on to find what they found lately."""
    forecast = reopening.forecast
    if forecast is None:
        return f"When that will be is not yet known: it takes {_ENOUGH} labels of a time that looks good enough."
    if forecast.is_never and forecast.is_silent:
        return "While as many labels are missing as now, it does not come back: get these labels first."
    if forecast.is_never:
        return (
            "At what people find now it does not come back on these terms: fit the model again. "
            f"The last {plural(forecast.labels, 'label says', 'labels say')} so."
        )
    if not reopening.is_trusted:
        return (
            "When that will be is not known: its earlier forecasts held only "
            f"{reopening.held} times of {reopening.past}."
        )
    first = "If people go on to find what they found lately, it answers after"
    if math.isinf(forecast.upper):
        return f"{first} {count(forecast.lower)} more labels at the least, or never."
    if forecast.lower == forecast.upper:
        return f"{first} about {count(forecast.upper)} more labels."
    return f"{first} {count(forecast.lower)} to {count(forecast.upper)} more labels."
