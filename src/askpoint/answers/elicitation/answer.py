"""What a session found on a log."""

from __future__ import annotations

from dataclasses import dataclass, field

from askpoint.elicitation.costing import ElicitedCosts
from askpoint.elicitation.reliability import Reliability
from askpoint.elicitation.session import ElicitSession
from askpoint.records.predictions import PredictionLog

__all__ = ["ElicitationAnswer"]


@dataclass(frozen=True, eq=False)
class ElicitationAnswer:
    """What mistakes cost, as far as a session tells.

    Parameters
    ----------
    log : PredictionLog
        What the questions were made of.
    session : ElicitSession
        The questions, the answers, and what is believed.

    Attributes
    ----------
    found : ElicitedCosts
        What mistakes cost.
    """

    log: PredictionLog
    session: ElicitSession
    found: ElicitedCosts = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "found", self.session.costs)

    @property
    def reliability(self) -> dict[str, Reliability]:
        """How far the answers of each part can be relied on."""
        state = self.session.estimate
        parts = {
            "mistakes": None if state.mistakes is None else state.mistakes.reliability,
            "omega": state.omega.reliability,
        }
        return {name: part for name, part in parts.items() if part is not None}
