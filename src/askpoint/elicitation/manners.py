"""How answers come about: a person's manner, learned with the weights, or sides that are turned round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from askpoint.elicitation.preferences import AnswerChances, answer_chances, log_ratio
from askpoint.errors import InputError
from askpoint.measures.inputs import FloatArray, IntArray

__all__ = ["FlippingManner", "Manner", "PersonManner"]

# how people answer, before they have: means and standard deviations of the logarithm of the
# slope, the logit of the lapse, the logarithm of Davidson's nu, and the logit of the share of
# lapses that take the first
_MEAN = np.array([np.log(0.4), -2.5, -1.5, 0.0])
_SPREAD = np.array([1.0, 1.6, 1.5, 1.5])

_LEAST = 1e-6  # an answer that cannot be leaves particles a way back


class Manner(Protocol):
    """How somebody answers, with what is unknown of it as numbers of each particle."""

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        """Draw what is unknown, of shape (n, number of unknowns)."""
        ...

    def log_density(self, values: FloatArray) -> FloatArray:
        """Return the logarithm of the prior density at each row, up to a constant."""
        ...

    def chances(self, ratio: FloatArray, values: FloatArray) -> AnswerChances:
        """Return the chances of the answers where sides are tossed, by row."""
        ...

    def log_likelihood(
        self, gain: FloatArray, loss: FloatArray, answers: IntArray, values: FloatArray
    ) -> FloatArray:
        """Return the logarithm of the chance of all answers (0 first, 1 equal, 2 second), by row.

        Columns of gain and loss are what the first of a question has more, and less, than the second.
        """
        ...


class PersonManner:
    """Slope, lapse, the width of "about equal" and the side that is taken without looking."""

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        """Draw the four numbers of n people."""
        return np.asarray(rng.normal(_MEAN, _SPREAD, size=(n, len(_MEAN))))

    def log_density(self, values: FloatArray) -> FloatArray:
        """Return the logarithm of a normal density."""
        z = (values - _MEAN) / _SPREAD
        return np.asarray(-0.5 * np.square(z).sum(axis=1))

    def chances(self, ratio: FloatArray, values: FloatArray) -> AnswerChances:
        """Return the chances of the three answers."""
        return answer_chances(ratio, *_read(values)[:3])

    def log_likelihood(
        self, gain: FloatArray, loss: FloatArray, answers: IntArray, values: FloatArray
    ) -> FloatArray:
        """Return the logarithm of the chance of all answers."""
        chances = answer_chances(log_ratio(gain, loss), *_read(values))
        likelihood = np.choose(answers, chances)
        return np.asarray(np.log(np.maximum(likelihood, 1e-300)).sum(axis=1))


def _read(values: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Slope, lapse, weight of "about equal" and lapses' share of the first, each as a column."""
    slope = np.exp(np.clip(values[:, :1], -5, 5))
    lapse, first = (1 / (1 + np.exp(-values[:, [i]])) for i in (1, 3))
    return slope, lapse, np.exp(values[:, 2:3]), first


@dataclass(frozen=True)
class FlippingManner:
    """The right side, turned round with a known probability; never "about equal".

    Parameters
    ----------
    rate : float
        Probability that an answer is turned round, at least 0 and below one half.

    Raises
    ------
    InputError
        If the rate is outside: at one half answers tell nothing.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.elicitation.manners import FlippingManner
    >>> chances = FlippingManner(0.25).chances(np.array([[0.7, -0.2]]), np.empty((1, 0)))
    >>> chances.first.tolist(), chances.equal.tolist()
    ([[0.75, 0.25]], [[0.0, 0.0]])
    """

    rate: float

    def __post_init__(self) -> None:
        if not 0 <= self.rate < 0.5:
            raise InputError(
                f"a rate of turned answers must be at least 0 and below .5; got {self.rate}: from "
                "one half on "
                "answers tell nothing, and above it turn them round yourself"
            )

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        """Nothing is unknown: no column."""
        del rng
        return np.empty((n, 0))

    def log_density(self, values: FloatArray) -> FloatArray:
        """Return zeros."""
        return np.zeros(len(values))

    def chances(self, ratio: FloatArray, values: FloatArray) -> AnswerChances:
        """Return the chances of either side."""
        del values
        first = np.where(ratio > 0, 1 - self._flips, self._flips)
        return AnswerChances(first, np.zeros_like(first), 1 - first)

    def log_likelihood(
        self, gain: FloatArray, loss: FloatArray, answers: IntArray, values: FloatArray
    ) -> FloatArray:
        """Return the logarithm of the chance of all answers; "about equal" names no side."""
        del values
        sided = answers != 1
        as_meant = ((gain > loss) == (answers == 0))[:, sided].sum(axis=1)
        n = int(sided.sum())
        log_likelihood: FloatArray = as_meant * np.log(1 - self._flips)
        return np.asarray(log_likelihood + (n - as_meant) * np.log(self._flips))

    @property
    def _flips(self) -> float:
        return max(self.rate, _LEAST)
