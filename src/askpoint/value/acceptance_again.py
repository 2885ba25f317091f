"""A promise about a batch that may be looked at after every label: prior-posterior ratios.

Thresholds are tested one after the other, from cautious to bold, so the one error probability pays for all:
a promise breaks only where the first threshold with too many mistakes passes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from askpoint.measures.inputs import FloatArray, as_finite, as_level, as_right, as_same_length

__all__ = ["log_prior_posterior_ratio", "threshold_at_any_time"]

_THRESHOLDS = 50


def log_prior_posterior_ratio(
    wrong: FloatArray, labels: FloatArray, n_items: int, allowed: int, share: float
) -> FloatArray:
    """Return the evidence, as a logarithm, that at most `allowed` of the cases are wrong.

    Parameters
    ----------
    wrong, labels : ndarray of shape (n_looks,)
        Mistakes among the labels, and labels, drawn at random without replacement.
    n_items : int
        Cases of which they are drawn.
    allowed : int
        Mistakes that may be among them all.
    share : float
        Mean of the prior, Beta-binomial(1, 1 / share - 1), of the number wrong; it sets the
        power, and no part of the promise.

    Returns
    -------
    ndarray of shape (n_looks,)
        Where more than `allowed` are wrong it ever exceeds ln(1 / delta) with a probability of at
        most delta.

    References
    ----------
    Waudby-Smith and Ramdas, Confidence Sequences for Sampling Without Replacement (NeurIPS 2020).
    """
    from scipy import stats

    if allowed + 1 > n_items:
        return np.full(len(wrong), np.inf)
    a, b = 1.0, 1 / max(share, 0.5 / n_items) - 1
    likely = (
        special.betaln(wrong + a, labels - wrong + b)
        - special.betaln(a, b)
        + special.gammaln(labels + 1)
        - special.gammaln(wrong + 1)
        - special.gammaln(labels - wrong + 1)
    )
    # of all numbers above the limit the one that makes the labels most likely
    most = np.floor((n_items + 1) * wrong / np.maximum(labels, 1))
    worst = np.clip(most, allowed + 1, n_items)
    return np.asarray(likely - stats.hypergeom.logpmf(wrong, n_items, worst, labels))


def threshold_at_any_time(
    all_confidence: ArrayLike,
    confidence: ArrayLike,
    right: ArrayLike,
    *,
    allowed: int,
    delta: float,
) -> float:
    """Return the boldest threshold proven so far, in a batch whose labels come one by one.

    Parameters
    ----------
    all_confidence : array-like of shape (n_items,)
        Of all cases of the batch.
    confidence, right : array-like of shape (n_labelled,)
        Of the cases labelled so far, drawn at random. Their order does not count: what is looked at is
        how many there are and how many are wrong.
    allowed : int
        Mistakes that may be left in the output.
    delta : float
        Probability that any threshold returned, after whatever number of labels, leaves more, at most.

    Returns
    -------
    float
        Infinity where nothing is proven yet.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.value.acceptance_again import threshold_at_any_time
    >>> every = np.linspace(0.5, 1, 1000)
    >>> threshold_at_any_time(every, every[::5], np.ones(200), allowed=50, delta=0.1)
    0.5
    """
    cases, score = as_finite(all_confidence, "confidence"), as_finite(confidence, "confidence")
    hit = as_right(right)
    as_same_length(score, hit, ("confidence", "right"))
    bound = -np.log(as_level(delta, "delta"))
    shares = np.arange(1, _THRESHOLDS + 1) / _THRESHOLDS
    ordered = np.sort(cases)
    thresholds = ordered[(len(cases) * (1 - shares)).astype(np.int64)]
    share, best = allowed / len(cases), np.inf
    for threshold in thresholds:
        n_above = int(len(cases) - np.searchsorted(ordered, threshold))
        above = score >= threshold
        wrong, labels = np.array([(above & ~hit).sum()], float), np.array([above.sum()], float)
        if log_prior_posterior_ratio(wrong, labels, n_above, allowed, share)[0] < bound:
            break
        best = float(threshold)
    return best
