"""What evidence found: the part of each column, why, what it might have been, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from askpoint.records.readers.reading import Choices, Doubt, Finding

__all__ = ["Roles", "sureness"]

_MOST = 0.99


@dataclass(frozen=True, kw_only=True)
class Roles:
    """What the columns of a table are taken for.

    Parameters
    ----------
    choices : Choices
        The roles, as somebody would have named them by options.
    weight : float
        Evidence for these roles, in nats.
    rival : float
        Evidence for the best other roles.
    findings : sequence of Finding
        Why, column by column.
    doubts : sequence of Doubt
        What is said about it, or must be asked.
    form : str or None
        How a single score is to be used: "logarithm" where it is the logarithm of a confidence.
    abstentions : tuple of str
        Labels that judges say where they do not decide.
    """

    choices: Choices
    weight: float
    rival: float = 0.0
    findings: Sequence[Finding] = ()
    doubts: Sequence[Doubt] = ()
    form: str | None = None
    abstentions: tuple[str, ...] = ()

    @property
    def sure(self) -> float:
        """How sure these roles are, against the best others."""
        return sureness(self.weight - self.rival)


def sureness(weight: float) -> float:
    """Return a probability from evidence in nats, never beyond 0.99."""
    return min(_MOST, 1 / (1 + math.exp(-max(min(weight, 30.0), -30.0))))
