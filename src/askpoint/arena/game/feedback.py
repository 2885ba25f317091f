"""What the model says of a case, and what its player sees of that."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Answer", "Feedback", "Resemblance"]


class Answer(NamedTuple):
    """What the model says of a case; never taken from the player's side.

    Parameters
    ----------
    probabilities : tuple of float
        One for each class, in the campaign's order.
    decision : str
        The class that the deployed system decides for, which need not be the likeliest.
    model : str
        Version of the model.
    """

    probabilities: tuple[float, ...]
    decision: str
    model: str = ""


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
