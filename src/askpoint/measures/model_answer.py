"""What a model says of one case."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["ModelAnswer"]


class ModelAnswer(NamedTuple):
    """What the model says of a case; never taken from who sent it.

    Parameters
    ----------
    probabilities : tuple of float
        One for each class, in the classifier's order.
    decision : str
        The class that the deployed system decides for, which need not be the likeliest.
    model : str
        Version of the model.
    """

    probabilities: tuple[float, ...]
    decision: str
    model: str = ""
