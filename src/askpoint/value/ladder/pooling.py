"""One opinion of several rungs: a weighted product of their probabilities."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import special

from askpoint.measures.inputs import FloatArray, IntArray

__all__ = ["Opinion", "pool", "pool_weights"]

# maximum likelihood on twelve logs of several models: dearest .4-2, median .7; others 0-.6, median .13
_DEAREST, _DEAREST_SPREAD = 0.75, 0.5
_OTHER, _OTHER_SPREAD = 0.2, 0.2
_STEPS, _ENOUGH = 50, 1e-10


class Opinion(NamedTuple):
    """What several rungs say together: the likeliest class of each case, and its probability."""

    answer: IntArray
    confidence: FloatArray


def pool(log_p: FloatArray, weights: FloatArray) -> Opinion:
    """Return the opinion of rungs together.

    Parameters
    ----------
    log_p : ndarray of shape (n_rungs, n_items, n_classes)
        Logarithms of the probabilities.
    weights : ndarray of shape (n_rungs,)
        Of the rungs, 0 or more.

    Returns
    -------
    Opinion
        The first class of equal ones.
    """
    together = np.tensordot(weights, log_p, axes=1)
    answer = together.argmax(axis=1)
    top = together[np.arange(len(answer)), answer]
    return Opinion(answer, np.exp(top - special.logsumexp(together, axis=1)).clip(0, 1))


def pool_weights(log_p: FloatArray, label: IntArray, prices: FloatArray) -> FloatArray:
    """Return the likeliest weights of rungs, given labels and what weights usually are.

    Parameters
    ----------
    log_p : ndarray of shape (n_rungs, n_labelled, n_classes)
        Logarithms of the probabilities on labelled cases.
    label : ndarray of int of shape (n_labelled,)
        Positions of the true classes.
    prices : ndarray of shape (n_rungs,)
        Of a call; the dearest rung is expected to weigh most.

    Returns
    -------
    ndarray of shape (n_rungs,)
        0 or more; 1 for a single rung, whose confidence is taken as it is.

    Notes
    -----
    Maximum of the multinomial likelihood times independent normals, cut at 0: the dearest N(.75, .5), each
    other one of m N(.2 / sqrt(m), .2), in standard deviations. Newton's method on the weights
    that are free; the problem is convex.
    """
    n_rungs = len(log_p)
    if n_rungs == 1:
        return np.ones(1)
    dearest = n_rungs - 1 - int(np.argmax(prices[::-1]))
    mean = np.full(n_rungs, _OTHER / np.sqrt(n_rungs - 1))
    spread = np.full(n_rungs, _OTHER_SPREAD)
    mean[dearest], spread[dearest] = _DEAREST, _DEAREST_SPREAD
    weights = mean.copy()
    true = log_p[:, np.arange(len(label)), label].sum(axis=1)

    def loss(w: FloatArray) -> float:
        lost = special.logsumexp(np.tensordot(w, log_p, axes=1), axis=1).sum() - w @ true
        return float(lost + (((w - mean) / spread) ** 2).sum() / 2)

    now = loss(weights)
    for _ in range(_STEPS):
        chance = special.softmax(np.tensordot(weights, log_p, axes=1), axis=1)
        expected = np.einsum("jnk,nk->jn", log_p, chance)
        slope = expected.sum(axis=1) - true + (weights - mean) / spread**2
        bend = np.einsum("ink,jnk,nk->ij", log_p, log_p, chance) - expected @ expected.T
        bend += np.diag(1 / spread**2)
        free = (weights > 0) | (slope < 0)
        step = np.zeros(n_rungs)
        step[free] = np.linalg.solve(bend[np.ix_(free, free)], slope[free])
        size = 1.0
        while (then := loss(tried := (weights - size * step).clip(0))) > now and size > _ENOUGH:
            size /= 2
        if now - then < _ENOUGH:
            break
        weights, now = tried, then
    return np.asarray(weights)
