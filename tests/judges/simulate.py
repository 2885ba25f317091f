"""Votes whose truth is known, and the closed forms that the papers give for three judges."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from askpoint.judges.sketch.vote_sketch import VoteSketch

__all__ = ["exact_sketch", "sample_variances", "simulate", "true_shares"]


def simulate(rng, p, shares, n_items, pairs=(), shared=0.6):
    """Truth (1 for the second label) and votes of judges; `pairs` share some of their draws."""
    shares = np.asarray(shares)
    truth = (rng.random(n_items) >= p).astype(int)
    draws = rng.random((n_items, len(shares)))
    for i, j in pairs:
        same = rng.random(n_items) < shared
        draws[same, j] = draws[same, i]
    right = draws < shares.T[truth]
    return truth, np.where(right, truth[:, None], 1 - truth[:, None])


def true_shares(truth, votes, n_labels=2):
    """Share of each label's items that each judge gets right, over the items that he voted on."""
    return np.array(
        [
            [(votes[(truth == a) & (votes[:, k] >= 0), k] == a).mean() for a in range(n_labels)]
            for k in range(votes.shape[1])
        ]
    )


def exact_sketch(p, shares, scale):
    """The sketch of exactly independent judges: shares are Fractions, all counts whole numbers."""
    sketch = VoteSketch(len(shares), ["a", "b"])
    for votes in np.ndindex(*[2] * len(shares)):
        a, b = Fraction(p), 1 - Fraction(p)
        for vote, (right_a, right_b) in zip(votes, shares, strict=True):
            a *= right_a if vote == 0 else 1 - right_a
            b *= right_b if vote == 1 else 1 - right_b
        count = (a + b) * scale
        assert count.denominator == 1
        sketch.update_codes([votes], [int(count)])
    return sketch


def sample_variances(p, shares):
    """Variances of the errors of three independent judges' evaluation, times the items (J7)."""
    shares = np.asarray(shares, dtype=float)
    q, d, v = 1 - p, shares.sum(axis=1) - 1, shares * (1 - shares)
    all_a, all_b = v.prod(axis=0)
    prevalence = 4 * (q * all_b + p * all_a) / d.prod() ** 2
    prevalence += sum(
        (q * v[i, 1] * v[j, 1] + p * v[i, 0] * v[j, 0]) / (d[i] * d[j]) ** 2
        for i, j in ((0, 1), (0, 2), (1, 2))
    )
    accuracy = np.empty((3, 2))
    for k, i, j in ((0, 1, 2), (1, 0, 2), (2, 0, 1)):
        for a, b, mine, other in ((0, 1, p, q), (1, 0, q, p)):
            accuracy[k, a] = (
                v[k, a] * v[i, a] / (mine * d[i] ** 2)
                + v[k, a] * v[j, a] / (mine * d[j] ** 2)
                + other * d[k] ** 2 * v[i, b] * v[j, b] / (mine * d[i] * d[j]) ** 2
                + (v[:, a].prod() / mine + other * v[:, b].prod() / mine**2) / (d[i] * d[j]) ** 2
            )
    return prevalence, accuracy
