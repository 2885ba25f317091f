"""What a person's answers say of the weights: a cloud of particles that moves with them.

Weights and manner are inferred jointly; with any of a person's manner fixed the regions would be too
narrow or too wide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from askpoint.elicitation.manners import Manner, PersonManner
from askpoint.elicitation.particles import Particles
from askpoint.elicitation.preferences import AnswerChances
from askpoint.elicitation.respondents import Answer
from askpoint.measures.inputs import FloatArray

__all__ = ["DirichletPrior", "Posterior", "Prior", "SeverityPrior"]


class Prior(Protocol):
    """What is thought of the logarithms of the weights before the first answer."""

    @property
    def n_weights(self) -> int:
        """Number of weights."""
        ...

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        """Draw logarithms of weights, of shape (n, n_weights)."""
        ...

    def log_density(self, log_weights: FloatArray) -> FloatArray:
        """Return the logarithm of the density at each row, up to a constant."""
        ...


@dataclass(frozen=True)
class DirichletPrior:
    """All shares of one whole are equally likely: weights are independent gamma variables.

    Parameters
    ----------
    n_weights : int
        How many.
    concentration : float, default=1
        Of the Dirichlet distribution; 1 is the uniform one.
    """

    n_weights: int
    concentration: float = 1.0

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        """Draw logarithms of weights."""
        drawn = rng.gamma(self.concentration, size=(n, self.n_weights))
        return np.asarray(np.log(np.maximum(drawn, 1e-30)))

    def log_density(self, log_weights: FloatArray) -> FloatArray:
        """Return the logarithm of the density of the logarithms."""
        return np.asarray(
            (self.concentration * log_weights - np.exp(np.minimum(log_weights, 50))).sum(axis=1)
        )


@dataclass(frozen=True)
class SeverityPrior:
    """Weights may differ by orders of magnitude: their logarithms are normal.

    Parameters
    ----------
    guess : tuple of float
        Logarithms of the weights that somebody stated, or zeros.
    spread : float, default=2
        Standard deviation of each logarithm; 2 is that of weights spread evenly over the
        magnitudes from 1 to 1,000.
    """

    guess: tuple[float, ...]
    spread: float = 2.0

    @property
    def n_weights(self) -> int:
        """Number of weights."""
        return len(self.guess)

    def sample(self, n: int, rng: np.random.Generator) -> FloatArray:
        """Draw logarithms of weights."""
        return np.asarray(rng.normal(self.guess, self.spread, size=(n, self.n_weights)))

    def log_density(self, log_weights: FloatArray) -> FloatArray:
        """Return the logarithm of the density of the logarithms."""
        z = (log_weights - np.array(self.guess)) / self.spread
        return np.asarray(-0.5 * np.square(z).sum(axis=1))


class Posterior:
    """Particles of weights and manner, as the answers so far leave them.

    Each answer reweighs the particles. When too few carry the weight, they are drawn anew and
    moved by Metropolis steps on the whole record, so the cloud never thins out (Chopin's
    iterated batch importance sampling).

    Parameters
    ----------
    prior : Prior
        Of the logarithms of the weights.
    rng : numpy Generator
        Draws and moves the particles.
    n_particles : int, default=1000
        How many.
    n_moves : int, default=8
        Metropolis steps after drawing anew.
    manner : Manner, optional
        How answers come about; by default a person's.

    References
    ----------
    Chopin, Biometrika 89 (2002).
    """

    def __init__(
        self,
        prior: Prior,
        rng: np.random.Generator,
        *,
        n_particles: int = 1000,
        n_moves: int = 8,
        manner: Manner | None = None,
    ) -> None:
        self._prior, self._rng, self._n_moves = prior, rng, n_moves
        self._manner = PersonManner() if manner is None else manner
        values = self._manner.sample(n_particles, rng)
        self._points = np.hstack([prior.sample(n_particles, rng), values])
        self._log_mass: FloatArray = np.zeros(n_particles)
        self._gains: list[FloatArray] = []
        self._losses: list[FloatArray] = []
        self._answers: list[Answer] = []

    @property
    def n_weights(self) -> int:
        """Number of weights."""
        return self._prior.n_weights

    @property
    def cloud(self) -> Particles:
        """What is believed of the weights."""
        mass = np.exp(self._log_mass - self._log_mass.max())
        return Particles(self._points[:, : self.n_weights], mass / mass.sum())

    def chances(self, ratio: FloatArray) -> AnswerChances:
        """Chances of the answers where sides are tossed, by each particle."""
        return self._manner.chances(ratio, self._points[:, self.n_weights :])

    def update(self, difference: ArrayLike, answer: Answer) -> None:
        """Take an answer."""
        d = np.asarray(difference, dtype=np.float64)
        self._gains.append(d.clip(min=0))
        self._losses.append((-d).clip(min=0))
        self._answers.append(answer)
        self._log_mass = self._log_mass + self._log_likelihood(self._points, [-1])
        if 1 / np.square(self.cloud.mass).sum() < len(self._points) / 2:
            self._move()

    def _log_likelihood(
        self, points: FloatArray, rows: Sequence[int] | slice = slice(None)
    ) -> FloatArray:
        k = self.n_weights
        logs = points[:, :k]
        weights = np.exp(logs - logs.max(axis=1, keepdims=True))
        answers = np.array([{True: 0, None: 1, False: 2}[a] for a in self._answers])[rows]
        gains, losses = np.array(self._gains)[rows], np.array(self._losses)[rows]
        return self._manner.log_likelihood(
            weights @ gains.T, weights @ losses.T, answers, points[:, k:]
        )

    def _log_density(self, points: FloatArray) -> FloatArray:
        k = self.n_weights
        prior = self._prior.log_density(points[:, :k]) + self._manner.log_density(points[:, k:])
        return np.asarray(prior + self._log_likelihood(points))

    def _move(self) -> None:
        """Draw the particles anew by mass, and move each by Metropolis steps."""
        n, d = self._points.shape
        steps = (self._rng.random() + np.arange(n)) / n  # systematic resampling
        chosen = np.minimum(np.searchsorted(np.cumsum(self.cloud.mass), steps), n - 1)
        points = self._points[chosen]
        self._log_mass = np.zeros(n)
        density = self._log_density(points)
        factor = np.linalg.cholesky(np.cov(points.T) + 1e-9 * np.eye(d))
        for i in range(self._n_moves):
            scale = (2.38 if i % 2 else 1.0) / np.sqrt(d)
            proposal = points + scale * self._rng.standard_normal((n, d)) @ factor.T
            proposed = self._log_density(proposal)
            taken = np.log(self._rng.random(n)) < proposed - density
            points = np.where(taken[:, None], proposal, points)
            density = np.where(taken, proposed, density)
        self._points = points
