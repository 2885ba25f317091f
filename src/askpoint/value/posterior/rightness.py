"""How often the model is right where it is so sure: a posterior from few labels."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import special
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from askpoint.errors import InputError, NotEstimableError
from askpoint.measures.inputs import (
    FloatArray,
    as_choice,
    as_finite,
    as_right,
    as_same_length,
    as_weights,
)
from askpoint.measures.sampling import effective_size
from askpoint.value.posterior.correction import bins_of_equal_mass, rising
from askpoint.value.posterior.evidence import Evidence, scale_of
from askpoint.value.posterior.grid import (
    cell_parameters,
    log_likelihood,
    mean_right,
    right_probability,
)
from askpoint.value.posterior.prior import (
    CELLS,
    LOG_SLOPES,
    PROBABILITIES,
    SCORES,
    SHIFTS,
    RightnessPrior,
)
from askpoint.value.posterior.scale import LogitScale, RankScale, Scale

__all__ = ["RightnessPosterior"]

_NEGLIGIBLE = 1e-9
_BINS, _LABELS_A_BIN, _MOST_BINS = 20, 50, 200


class RightnessPosterior(BaseEstimator):  # type: ignore[misc]
    """Posterior of q(c) = P(right | confidence c), from a prior learned on real models.

    Parameters
    ----------
    scale : {"auto", "probability", "score"}, default="auto"
        Whether confidences are probabilities, of which the logit counts, or scores, of which only
        the ranks count. "auto": probabilities where all lie between 0 and 1.
    prior : RightnessPrior, optional
        What is known before the first label; without, that of `askpoint.value.posterior.prior`
        for the scale.
    power : float, default=0.8
        Power of the likelihood in draws, so that they are as far apart as real logs are from the
        curve of three numbers; the point keeps the whole likelihood.

    Attributes
    ----------
    evidence_ : Evidence
        The cases in groups of about equal confidence, and their labels.
    right_ : ndarray of shape (n_groups,)
        Posterior mean of q in each group, rising with confidence.
    n_labelled_ : float
        Number of labels (with weights: of as many as tell as much).

    Notes
    -----
    q = e/2 + (1 - e) sigmoid(A + B z), z the logit of the confidence: shift A, slope B and lapse
    e are summed over a grid of 2,772 cells. In bins of equal mass (20, more from 1,000 labels
    on) the rate of right answers departs from the curve as a Beta variable of 50 cases would;
    its posterior mean is the local correction. Then isotonic regression.

    References
    ----------
    Platt, Advances in Large Margin Classifiers (1999). Zadrozny and Elkan, KDD 2002 (PAV).

    Examples
    --------
    >>> from askpoint.value.posterior.rightness import RightnessPosterior
    >>> posterior = RightnessPosterior().fit([0.99, 0.9, 0.8, 0.6], [1, 1, 0, 1])
    >>> bool(posterior.predict([0.95])[0] > posterior.predict([0.7])[0])
    True
    """

    evidence_: Evidence
    right_: FloatArray
    n_labelled_: float

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
        scale = self._scale(np.append(cases, labelled) if len(labelled) else cases, cases, weight)
        size = len(cases) if weight is None else effective_size(weight)
        return self.fit_evidence(
            Evidence.count(scale, cases, weight, size, labelled, known * hit, known * ~hit)
        )

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
        scale = self._scale(cases, cases, mass)
        return self.fit_evidence(
            Evidence.count(scale, cases, mass, float(mass.sum()), cases, hits, misses)
        )

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
        prior = self.prior
        if prior is None:
            prior = PROBABILITIES if isinstance(evidence.scale, LogitScale) else SCORES
        likelihood = log_likelihood(evidence.nodes, evidence.right, evidence.wrong)
        self.evidence_, self.n_labelled_ = evidence, evidence.n_labelled
        self._prior = prior
        self.grid_weights_ = special.softmax(prior.log_weights + likelihood)
        self._cautious = special.softmax(prior.log_weights + self.power * likelihood)
        wanted = int(np.clip(evidence.n_labelled / _LABELS_A_BIN, _BINS, _MOST_BINS))
        self._bins = bins_of_equal_mass(evidence.mass, wanted)

        curve = mean_right(evidence.nodes, self.grid_weights_)
        labels = evidence.right + evidence.wrong
        excess = np.bincount(self._bins, evidence.right - labels * curve)
        correction = excess / (np.bincount(self._bins, labels) + prior.local)
        self.right_ = rising((curve + correction[self._bins]).clip(0, 1), evidence.mass)
        return self

    def predict(self, confidence: ArrayLike) -> FloatArray:
        """Return the posterior mean of q(c): linear in z between groups, constant beyond them.

        Parameters
        ----------
        confidence : array-like of shape (n_items,)
            Of any cases.

        Returns
        -------
        ndarray of shape (n_items,)
            P(right | c), rising with c.
        """
        z = self._z(confidence)
        return np.interp(z, self.evidence_.z, self.right_)

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
        z, known = self._z(confidence), self.evidence_.z
        curves = self.draw_groups(n, rng)
        upper = np.searchsorted(known, z).clip(1, max(len(known) - 1, 1))
        lower = upper - 1
        upper = upper.clip(max=len(known) - 1)
        width = np.where(upper > lower, known[upper] - known[lower], 1.0)
        part = ((z - known[lower]) / width).clip(0, 1)
        return np.asarray(curves[:, lower] * (1 - part) + curves[:, upper] * part)

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
        check_is_fitted(self)
        evidence = self.evidence_
        shift, slope, lapse = cell_parameters(rng.choice(CELLS, n, p=self._cautious))
        within = rng.random((2, n)) - 0.5  # anywhere in the cell
        shift = shift + within[0] * (SHIFTS[1] - SHIFTS[0])
        slope = slope * np.exp(within[1] * (LOG_SLOPES[1] - LOG_SLOPES[0]))
        curve = right_probability(shift, slope, lapse, evidence.z)

        first = np.flatnonzero(np.diff(self._bins, prepend=-1))
        labels = evidence.right + evidence.wrong
        some = np.add.reduceat(labels, first)[self._bins] > 0
        share = np.where(some, labels, evidence.mass)
        share = share / np.add.reduceat(share, first)[self._bins]
        centre = np.add.reduceat(curve * share, first, axis=1).clip(_NEGLIGIBLE, 1 - _NEGLIGIBLE)
        local = self._prior.local
        rate = rng.beta(
            local * centre + np.add.reduceat(evidence.right, first),
            local * (1 - centre) + np.add.reduceat(evidence.wrong, first),
        )
        return np.asarray((curve + (rate - centre)[:, self._bins]).clip(0, 1))

    def _z(self, confidence: ArrayLike) -> FloatArray:
        check_is_fitted(self)
        return self.evidence_.scale.z(as_finite(confidence, "confidence"))

    def _scale(self, every: FloatArray, cases: FloatArray, mass: FloatArray | None) -> Scale:
        as_choice(self.scale, ("auto", "probability", "score"), "scale")
        if self.scale == "score":
            return RankScale.of(cases, mass)
        scale = scale_of(every)
        if self.scale == "auto" and not isinstance(scale, LogitScale):
            return RankScale.of(cases, mass)
        if self.scale == "probability" and not isinstance(scale, LogitScale):
            raise InputError(
                f"probabilities lie between 0 and 1; confidences go from {every.min():g} to "
                f"{every.max():g}; take scale='score' for scores"
            )
        return scale


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
