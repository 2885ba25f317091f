"""Respondents: who says which of two confusion matrices is better."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from askpoint.errors import InputError
from askpoint.measures.inputs import FloatArray

__all__ = [
    "Answer",
    "ExactRespondent",
    "FlippingRespondent",
    "MajorityRespondent",
    "Metric",
    "NoisyRespondent",
    "Respondent",
    "pair_digest",
]

Answer = bool | None
"""True: the first is better, False: the second, None: about equal."""

Metric = Callable[[FloatArray], float]
"""A confusion matrix in, its worth out: more is better."""


class Respondent(Protocol):
    """Whoever compares two outcomes: a person, an A/B test, a metric."""

    def prefers(self, first: FloatArray, second: FloatArray) -> Answer:
        """Say which of two confusion matrices is better."""
        ...


class ExactRespondent:
    """Answers by a metric, without a mistake.

    Parameters
    ----------
    metric : callable
        A confusion matrix in, its worth out.
    indifference : float, default=0
        Differences up to this size count as about equal.

    Raises
    ------
    InputError
        If the indifference is negative.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.elicitation.respondents import ExactRespondent
    >>> respondent = ExactRespondent(np.trace)
    >>> respondent.prefers(np.diag([0.4, 0.3]), np.diag([0.1, 0.5]))
    True
    """

    def __init__(self, metric: Metric, indifference: float = 0.0) -> None:
        if not indifference >= 0:
            raise InputError(f"an indifference must be 0 or more; got {indifference}")
        self.metric = metric
        self.indifference = indifference

    def prefers(self, first: FloatArray, second: FloatArray) -> Answer:
        """Compare the metric's values."""
        difference = self.metric(first) - self.metric(second)
        return None if abs(difference) <= self.indifference else bool(difference > 0)


class NoisyRespondent:
    """Answers by a metric, but at random where two values lie close together.

    Parameters
    ----------
    metric : callable
        A confusion matrix in, its worth out.
    omega : float
        Values that differ by no more than this are told apart by the toss of a coin (the paper's
        feedback noise, symbol Omega).
    rng : numpy Generator
        Tosses the coin.

    References
    ----------
    Hiranandani et al., NeurIPS 2019, definition 7.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.elicitation.respondents import NoisyRespondent
    >>> respondent = NoisyRespondent(np.trace, 0.01, np.random.default_rng(0))
    >>> respondent.prefers(np.diag([0.4, 0.3]), np.diag([0.1, 0.5]))
    True
    """

    def __init__(self, metric: Metric, omega: float, rng: np.random.Generator) -> None:
        self._exact = ExactRespondent(metric, omega)
        self._rng = rng

    def prefers(self, first: FloatArray, second: FloatArray) -> Answer:
        """Compare the metric's values, or toss a coin."""
        answer = self._exact.prefers(first, second)
        return bool(self._rng.random() < 0.5) if answer is None else answer


class FlippingRespondent:
    """Passes on another respondent's answers, each turned round with some probability.

    Parameters
    ----------
    respondent : Respondent
        Who knows.
    rate : float
        Probability that an answer is turned round, in [0, 1].
    rng : numpy Generator
        Decides which ones.
    """

    def __init__(self, respondent: Respondent, rate: float, rng: np.random.Generator) -> None:
        if not 0 <= rate <= 1:
            raise InputError(f"a rate of turned answers must be between 0 and 1; got {rate}")
        self._respondent = respondent
        self._rate = rate
        self._rng = rng

    def prefers(self, first: FloatArray, second: FloatArray) -> Answer:
        """Ask the other respondent, and turn the answer round now and then."""
        answer = self._respondent.prefers(first, second)
        flip = self._rng.random() < self._rate
        return answer if answer is None else answer != flip


class MajorityRespondent:
    """Asks another respondent several times and passes on what most answers say.

    Parameters
    ----------
    respondent : Respondent
        Who is asked, with independent mistakes.
    n_votes : int, default=5
        How often; odd.

    Attributes
    ----------
    n_asked : int
        Questions put to the other respondent so far.
    """

    def __init__(self, respondent: Respondent, n_votes: int = 5) -> None:
        if n_votes < 1 or n_votes % 2 == 0:
            raise InputError(f"a majority needs an odd number of votes; got {n_votes}")
        self._respondent = respondent
        self._n_votes = n_votes
        self.n_asked = 0

    def prefers(self, first: FloatArray, second: FloatArray) -> Answer:
        """Count the other respondent's answers; a draw is about equal."""
        answers = [self._respondent.prefers(first, second) for _ in range(self._n_votes)]
        self.n_asked += self._n_votes
        lead = answers.count(True) - answers.count(False)
        return None if lead == 0 else lead > 0


def pair_digest(first: ArrayLike, second: ArrayLike) -> str:
    """Return what identifies a pair of confusion matrices, whatever the last digits."""
    rates = np.stack([np.asarray(first, np.float64), np.asarray(second, np.float64)])
    rounded = np.round(rates, 9) + 0.0  # no -0
    text = f"{rounded.shape}".encode() + rounded.astype("<f8").tobytes()
    return hashlib.sha256(text).hexdigest()[:16]
