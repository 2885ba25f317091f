"""How often the model is right where it is so sure: the posterior, as arithmetic on arrays."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from askpoint.errors import InputError, NotEstimableError
from askpoint.measures.inputs import (
    FloatArray,
    IntArray,
    as_choice,
    as_finite,
    as_right,
    as_same_length,
    as_weights,
)
from askpoint.measures.sampling import effective_size
from askpoint.value.posterior.chain import (
    draw_states,
    emissions,
    filter_forwards,
    smooth_backwards,
)
from askpoint.value.posterior.curves import choose_curves
from askpoint.value.posterior.deviation import DRAWN, LIKELY, STATES
from askpoint.value.posterior.evidence import Evidence
from askpoint.value.posterior.prior import RightnessPrior
from askpoint.value.posterior.scale import LinearScale, LogitScale, Scale, scale_of

__all__ = ["RightnessModel"]


class RightnessModel:
    """The arithmetic of `askpoint.value.posterior.rightness.RightnessPosterior`, which is its estimator.

    Parameters
    ----------
    scale, prior, power
        As there.
    """

    evidence_: Evidence
    right_: FloatArray
    n_labelled_: float
    law_weights_: FloatArray

    def __init__(
        self,
        *,
        scale: str = "auto",
        prior: RightnessPrior | None = None,
        power: float = 0.8,
    ) -> None:
        self.scale = scale
        self.prior = prior
        self.power = power

    def fit(
        self,
        confidence: ArrayLike,
        right: ArrayLike,
        all_confidence: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        all_weight: ArrayLike | None = None,
    ) -> Self:
        """Learn from labelled cases, and from where all cases lie.

        Parameters
        ----------
        confidence : array-like of shape (n_labelled,)
            Confidence of the labelled cases; may be empty where `all_confidence` is given.
        right : array-like of bool of shape (n_labelled,)
            Whether the model was right on each.
        all_confidence : array-like of shape (n_cases,), optional
            Confidence of all cases, the labelled ones included; without it the labelled cases
            are all.
        sample_weight : array-like of shape (n_labelled,), optional
            How many cases each label stands for. Not needed where the chance of a label depends
            on the confidence only.
        all_weight : array-like of shape (n_cases,), optional
            How many cases each of all cases stands for.

        Returns
        -------
        self

        Raises
        ------
        InputError
            If arrays do not fit together or hold no number.
        """
        cases: FloatArray
        labelled: FloatArray = as_finite(confidence, "confidence").astype(np.float64, copy=False)
        hit = as_right(right) if len(labelled) else np.zeros(0, dtype=np.bool_)
        as_same_length(labelled, hit, ("confidence", "right"))
        known = _informative(sample_weight, len(labelled))
        cases = labelled
        if all_confidence is not None:
            cases = as_finite(all_confidence, "all_confidence").astype(np.float64, copy=False)
        weight = as_weights(sample_weight if all_confidence is None else all_weight, len(cases))
        _check_any(cases)
        scale = self._scale(np.append(cases, labelled) if len(labelled) else cases, weight, cases)
        size = len(cases) if weight is None else effective_size(weight)
        groups = Evidence.of_cases(scale, cases, weight, size)
        return self.fit_evidence(groups.with_labels(labelled, known * hit, known * ~hit))

    def fit_counts(
        self,
        confidence: ArrayLike,
        right: ArrayLike,
        wrong: ArrayLike,
        unlabelled: ArrayLike | None = None,
    ) -> Self:
        """Learn from cases that are counted already, as in a score sketch.

        Parameters
        ----------
        confidence : array-like of shape (n_groups,)
            Confidence of each group.
        right, wrong, unlabelled : array-like of shape (n_groups,)
            Cases of each kind.

        Returns
        -------
        self

        Raises
        ------
        InputError
            If a count is negative or lengths differ.
        """
        cases = as_finite(confidence, "confidence").astype(np.float64, copy=False)
        none = np.zeros(len(cases))
        hits, misses, open_ones = (
            _counts(counts, len(cases), name)
            for counts, name in (
                (right, "right"),
                (wrong, "wrong"),
                (none if unlabelled is None else unlabelled, "unlabelled"),
            )
        )
        mass = hits + misses + open_ones
        some = mass > 0
        _check_any(mass[some])
        if not some.all():
            cases, mass = cases[some], mass[some]
            hits, misses = hits[some], misses[some]
        scale = self._scale(cases, mass, cases)
        groups = Evidence.of_cases(scale, cases, mass, float(mass.sum()))
        return self.fit_evidence(groups.with_labels(cases, hits, misses))

    def fit_evidence(self, evidence: Evidence) -> Self:
        """Learn from grouped cases.

        Parameters
        ----------
        evidence : Evidence
            Cases and labels by group.

        Returns
        -------
        self
        """
        curves = choose_curves(evidence, self.prior)
        self._seen = emissions(evidence, curves)
        self._filtered = filter_forwards(self._seen)
        told = self._filtered.log_evidence + curves.log_weights
        weights = special.softmax(np.log(LIKELY)[:, None] + told)
        cautious = curves.log_weights + self.power * self._filtered.log_evidence
        self._cautious = special.softmax(np.log(DRAWN)[:, None] + cautious)
        self._logits = curves.logits
        self.evidence_, self.n_labelled_ = evidence, evidence.n_labelled
        self.law_weights_ = weights.sum(axis=1)
        self.right_ = self._mean(smooth_backwards(self._seen, self._filtered, weights))
        return self

    def copy_settings(self) -> Self:
        """Return another one with the same settings, which has learned nothing."""
        return type(self)(scale=self.scale, prior=self.prior, power=self.power)

    def _mean(self, states: FloatArray) -> FloatArray:
        """Mean of q in each group, of the probabilities of curve and state in each segment."""
        evidence, seen = self.evidence_, self._seen
        x = (self._logits.T[:, :, None] + STATES).astype(np.float32)
        along = states[evidence.segment]
        rates = seen.rates
        own = along[rates.groups] * seen.own
        along[rates.groups] -= own
        right = np.einsum("gcs,gcs->g", along, special.expit(x), dtype=np.float64)
        right[rates.groups] += (own.sum(axis=2) * rates.mean).sum(axis=1)
        return np.asarray(right.clip(0, 1))

    def predict(self, confidence: ArrayLike) -> FloatArray:
        """Return the posterior mean of q(c): that of the group in which c lies.

        Parameters
        ----------
        confidence : array-like of shape (n_items,)
            Of any cases.

        Returns
        -------
        ndarray of shape (n_items,)
            P(right | c).
        """
        group = self._group_of(confidence)  # which first looks whether it is fitted
        return self.right_[group]

    def draw(self, confidence: ArrayLike, n: int, rng: np.random.Generator) -> FloatArray:
        """Draw curves q from the posterior and return their values.

        Parameters
        ----------
        confidence : array-like of shape (n_items,)
            Of any cases.
        n : int
            How many curves.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        ndarray of shape (n, n_items)
            One curve a row.
        """
        groups = self._group_of(confidence)
        return self.draw_groups(n, rng)[:, groups]

    def draw_groups(self, n: int, rng: np.random.Generator) -> FloatArray:
        """Draw curves q from the posterior, in the groups of `evidence_`.

        Parameters
        ----------
        n : int
            How many curves.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        ndarray of shape (n, n_groups)
            One curve a row.
        """
        curves, states = self._draw_paths(n, rng)
        right = special.expit(self._logits[curves] + STATES[states][:, self.evidence_.segment])
        rates, own = self._seen.rates, self._seen.own
        chance = rng.random((len(rates.groups), n))
        for tie, group in enumerate(rates.groups.tolist()):
            state = states[:, self.evidence_.segment[group]]
            alone = np.flatnonzero(chance[tie] < own[tie, curves, state])
            curve = curves[alone]
            right[alone, group] = rng.beta(rates.right[tie, curve], rates.wrong[tie, curve])
        return np.asarray(right)

    def draw_departures(self, n: int, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
        """Draw how q departs from its base curve, and what that curve says.

        Parameters
        ----------
        n : int
            How many paths.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        departures, logits : ndarray of shape (n, n_groups)
            Departures, and the logit of P(right) without them; one path a row.
        """
        curves, states = self._draw_paths(n, rng)
        departures = STATES[states][:, self.evidence_.segment]
        return departures, np.asarray(self._logits[curves])

    def _draw_paths(self, n: int, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
        """Draw curves and states; laws and curves by systematic sampling."""
        self._check_fitted()
        upto = np.cumsum(self._cautious)
        places = np.searchsorted(upto, (np.arange(n) + rng.random()) / n * upto[-1])
        laws, curves = np.unravel_index(rng.permutation(places), self._cautious.shape)
        return curves, draw_states(self._filtered, laws, curves, rng)

    def _group_of(self, confidence: ArrayLike) -> IntArray:
        self._check_fitted()
        return self.evidence_.group_of(as_finite(confidence, "confidence"))

    def _check_fitted(self) -> None:
        if not hasattr(self, "evidence_"):
            from sklearn.exceptions import NotFittedError

            raise NotFittedError(f"This {type(self).__name__} is not fitted: call fit first.")

    def _scale(self, every: FloatArray, mass: FloatArray | None, cases: FloatArray) -> Scale:
        as_choice(self.scale, ("auto", "probability", "score"), "scale")
        if self.scale == "score":
            return LinearScale.of(cases, mass)
        scale = scale_of(every)
        if isinstance(scale, LogitScale):
            return scale
        if self.scale == "probability":
            raise InputError(
                f"probabilities must be between 0 and 1; these confidences go from {every.min():g} to "
                f"{every.max():g}; take scale='score' for scores"
            )
        return LinearScale.of(cases, mass)


def _informative(weights: ArrayLike | None, n: int) -> FloatArray:
    """Weights that sum to Kish's effective number of labels."""
    weight = as_weights(weights, n)
    if weight is None or not n:
        return np.ones(n)
    return np.asarray(weight * (effective_size(weight) / weight.sum()), dtype=np.float64)


def _counts(counts: ArrayLike, n: int, name: str) -> FloatArray:
    array = as_finite(counts, name).astype(np.float64)
    if len(array) != n or (array < 0).any():
        raise InputError(f"{name} must hold one count, 0 or more, for each of {n} confidences")
    return array


def _check_any(cases: Any) -> None:
    if not len(cases):
        raise NotEstimableError("there is no case; give the confidence of at least one")
