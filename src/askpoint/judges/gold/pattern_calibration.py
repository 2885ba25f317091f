"""What checked items say of those that were not: one number per pattern, learnt from all patterns.

Inside a vote pattern whether a judge is right is decided by the true label alone, so the
probabilities p_vl of each true label given the pattern give everything, with no independence
assumed. Where a pattern was checked often, its own checks decide; where not, the label-free
posterior does, recalibrated on all checks. How far to trust it is learnt too: kappa says how many
checks it is worth.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import optimize, special

from askpoint.measures.inputs import FloatArray, IntArray

__all__ = ["LabelTotals", "label_totals"]

_KAPPAS = (4.0, 2.0, 1.0, 0.5, 0.25)
_SOFT = 0.005  # the posterior is not believed closer to 0
_SLOPE = (0.7, 0.5)  # mean and deviation of the prior: posteriors of judges are overconfident
_SHIFT = 1.5  # deviation of the prior of each label's shift


@dataclass(frozen=True)
class _Part:
    """All under one kappa."""

    weight: float
    totals: FloatArray
    share: FloatArray
    factor: FloatArray
    slopes: FloatArray
    covariance: FloatArray


@dataclass(frozen=True)
class LabelTotals:
    """Items of each pattern and true label, as far as they are known."""

    parts: tuple[_Part, ...]

    def mean(self) -> FloatArray:
        """Return the expected items of each pattern and label."""
        return np.sum([part.weight * part.totals for part in self.parts], axis=0)  # type: ignore[no-any-return]

    def total(self, weights: FloatArray) -> tuple[float, float]:
        """Return mean and variance of a weighted sum over all items."""
        means, variances = [], []
        for part in self.parts:
            means.append(float((weights * part.totals).sum()))
            first = (weights * part.share).sum(axis=1)
            second = (np.square(weights) * part.share).sum(axis=1)
            slope = np.einsum("vl,vlk->k", weights, part.slopes)
            within = float(part.factor @ np.maximum(second - np.square(first), 0))
            variances.append(within + float(slope @ part.covariance @ slope))
        return self._mixed(np.array(means), np.array(variances))

    def shares(self, right: FloatArray, cast: FloatArray, label: int) -> FloatArray:
        """Return each judge's accuracy on one label: mean, variance and expected items."""
        means, variances, sizes = [], [], []
        for part in self.parts:
            mine = part.totals[:, label]
            size = np.maximum(mine @ cast, 1e-9)
            share = mine @ right / size
            pull = (right - cast * share) / size
            p = part.share[:, label]
            slope = pull.T @ part.slopes[:, label]
            spread = (part.factor * p * (1 - p)) @ np.square(pull)
            variances.append(spread + np.einsum("jk,kl,jl->j", slope, part.covariance, slope))
            means.append(share)
            sizes.append(mine @ cast)
        weight = np.array([part.weight for part in self.parts])
        mean = weight @ means
        variance = weight @ (np.array(variances) + np.square(np.array(means) - mean))
        return np.array([mean, variance, weight @ sizes])

    def _mixed(self, means: FloatArray, variances: FloatArray) -> tuple[float, float]:
        weight = np.array([part.weight for part in self.parts])
        mean = float(weight @ means)
        return mean, float(weight @ (variances + np.square(means - mean)))


def label_totals(counts: IntArray, posterior: FloatArray, gold: IntArray) -> LabelTotals:
    """Learn from checked items how many items of each pattern have each label."""
    n_labels = posterior.shape[1]
    features = np.zeros((*posterior.shape, n_labels))  # shifts of all labels but the first, slope
    features[:, np.arange(1, n_labels), np.arange(n_labels - 1)] = 1
    features[:, :, -1] = np.log((posterior + _SOFT) / (1 + n_labels * _SOFT))
    seen = gold.sum(axis=1) > 0
    n_checked = gold.sum(axis=1)
    left = (counts - n_checked).astype(np.float64)
    theta = np.append(np.zeros(n_labels - 1), _SLOPE[0])
    parts, evidence = [], []
    for kappa in _KAPPAS:
        theta, covariance, logged = _fit(features[seen], gold[seen], kappa, theta)
        p = special.softmax(features @ theta, axis=1)
        known = kappa + n_checked
        expected = (kappa * p + gold) / known[:, None]
        # a large pattern may differ more than its checks show: one more of each label
        more = (1 - 1 / np.maximum(counts, 1))[:, None]
        share = (kappa * p + gold + more) / (known[:, None] + n_labels * more)
        steps = features - (p[:, :, None] * features).sum(axis=1, keepdims=True)
        parts.append(
            (
                gold + left[:, None] * expected,
                share,
                left * (known + left) / (known + 1),
                (left * kappa / known)[:, None, None] * p[:, :, None] * steps,
                covariance,
            )
        )
        evidence.append(logged)
    weights = special.softmax(evidence).tolist()
    return LabelTotals(
        tuple(_Part(weight, *part) for weight, part in zip(weights, parts, strict=True))
    )


def _fit(
    features: FloatArray, gold: IntArray, kappa: float, start: FloatArray
) -> tuple[FloatArray, FloatArray, float]:
    """Most probable recalibration, its covariance and log evidence (Laplace), for one kappa."""
    n_checked = gold.sum(axis=1)
    n_terms = features.shape[2]
    centre = np.append(np.zeros(n_terms - 1), _SLOPE[0])
    width = np.append(np.full(n_terms - 1, _SHIFT), _SLOPE[1])

    def loss(theta: FloatArray) -> tuple[float, FloatArray]:
        p = special.softmax(features @ theta, axis=1).clip(1e-12)
        prior = kappa * p
        likelihood = (special.gammaln(kappa) - special.gammaln(kappa + n_checked)).sum()
        likelihood += (special.gammaln(prior + gold) - special.gammaln(prior)).sum()
        by_p = kappa * (special.digamma(prior + gold) - special.digamma(prior))
        by_logit = p * (by_p - (p * by_p).sum(axis=1, keepdims=True))
        off = (theta - centre) / width
        gradient = np.einsum("vl,vlk->k", by_logit, features) - off / width
        return float(np.square(off).sum() / 2 - likelihood), -gradient

    found = optimize.minimize(loss, start, jac=True, method="BFGS").x
    step = 1e-4 * np.eye(n_terms)
    curvature = np.array([loss(found + e)[1] - loss(found - e)[1] for e in step]) / 2e-4
    values, axes = np.linalg.eigh((curvature + curvature.T) / 2)
    values = np.maximum(values, 1 / (2 * _SHIFT**2))  # not flatter than the prior
    evidence = -loss(found)[0] - np.log(values).sum() / 2
    return found, (axes / values) @ axes.T, float(evidence)
