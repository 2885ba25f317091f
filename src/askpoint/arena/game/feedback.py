"""What a player sees of what the model says of a case."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Feedback", "Resemblance"]


class Resemblance(NamedTuple):
    """How like an earlier success a case is, and which classifier says so."""

    similarity: float = 0.0
    classifier: str = ""


class Feedback(NamedTuple):
    """What a player sees at once.

    Parameters
    ----------
    decision : str
        The model's.
    confidence : float
        The probability that the model gives to its decision.
    points : int
        What the best ruling would bring, base pay apart; provisional.
    similarity : float
        To an earlier success.
    reason : str
        Why the case was turned away; empty when it may be submitted.
    kept : float, default=1
        Share of the reward that is left for likeness to earlier successes.
    kept_as_copy : float, default=1
        The same for a copy.
    repeats : bool, default=False
        Whether it nearly repeats a case that was submitted before.
    """

    decision: str
    confidence: float
    points: int
    similarity: float
    reason: str
    kept: float = 1.0
    kept_as_copy: float = 1.0
    repeats: bool = False
