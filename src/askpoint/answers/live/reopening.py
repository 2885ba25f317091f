"""When a closed policy answers again: the forecast, and what earlier forecasts were worth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from askpoint.live.forecast import Forecast, forecast_reopening
from askpoint.live.history import History

__all__ = ["NO_REOPENING", "Reopening", "answer_reopening"]

_PAST = 4  # spells that are forecast again
_HELD = 0.75  # of the forecasts of the past must have held, or no number is told


@dataclass(frozen=True)
class Reopening:
    """When a policy answers again.

    Parameters
    ----------
    is_closed : bool
        Whether it sends every case to review, for want of labels that allow more.
    forecast : Forecast or None
        None while too little is known, and where it answers.
    past, held : int
        Earlier spells of asking everything that were forecast again, and those that the range held.
    """

    is_closed: bool
    forecast: Forecast | None = None
    past: int = 0
    held: int = 0

    @property
    def is_trusted(self) -> bool:
        """Whether forecasts of its own past held often enough to tell a number."""
        return self.held >= _HELD * self.past


NO_REOPENING = Reopening(is_closed=False)
"""Of a policy that answers."""


def answer_reopening(history: History) -> Reopening:
    """Say when a policy answers again, if people go on to find what they found lately."""
    state, terms = history.state, history.document.terms
    if state.threshold is not None:
        return NO_REOPENING
    forecast = forecast_reopening(state, terms, np.random.default_rng(0))
    if forecast is None:
        return Reopening(is_closed=True)
    past = held = 0
    for spell in history.spells[-_PAST:]:
        then = forecast_reopening(spell.state, terms, np.random.default_rng(0))
        if then is not None:
            past += 1
            held += then.lower <= spell.labels <= then.upper
    return Reopening(is_closed=True, forecast=forecast, past=past, held=held)
