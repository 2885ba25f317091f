"""Refit the prior of `askpoint.value.posterior.prior` on logs of real models.

    python benchmarks/fit_prior.py [HALF]

Empirical Bayes: the hyperparameters under which all logs together are most likely, each log
summed over the posterior's own grid. A log counts as at most 1,000 labels, for beyond that it
says more of its departure from three numbers than of the three numbers. Without HALF (0 or 1)
all 31 sets are read; the benchmark of tomorrow's cost fits on half 0 and publishes half 1.
"""

from __future__ import annotations

import sys

import numpy as np
from real_logs import MODELS, half, log, sets
from scipy import optimize, special
from scipy.stats import rankdata

from askpoint.value.posterior.grid import log_likelihood
from askpoint.value.posterior.prior import LAPSES, RightnessPrior
from askpoint.value.posterior.scale import NODES, LogitScale, node, z_of_ranks

MOST_LABELS = 1000
DEGREES = 4.0


def ranked(confidence):
    """Scores' place on the scale of ranks."""
    return z_of_ranks((rankdata(confidence) - 0.5) / len(confidence))


def likelihoods(z_of, which=None):
    """Log-likelihood of each log in each cell of the grid."""
    rows = []
    for name in sets():
        if which is None or half(name) == which:
            for model in MODELS:
                _, _, confidence, right = log(name, model)
                place = node(z_of(confidence))
                hits, misses = (
                    np.bincount(place, part, len(NODES)).astype(float) for part in (right, ~right)
                )
                some = np.flatnonzero(hits + misses)
                found = log_likelihood(some, hits[some], misses[some])
                rows.append(found * min(1, MOST_LABELS / len(right)))
    return np.array(rows)


def logits(confidence):
    """Probabilities' place on the scale of logits."""
    return LogitScale.of(confidence).z(confidence)


def prior_of(numbers):
    shift, wide, slope, steep, bend, *lapses = numbers
    weights = special.softmax(np.append(lapses, 0.0))
    return RightnessPrior(
        (float(shift), float(np.exp(wide))),
        (float(slope), float(np.exp(steep))),
        float(np.tanh(bend)),
        tuple(np.maximum(weights, 1e-6).tolist()),
        DEGREES,
    )


def fitted(z_of, which=None):
    """The prior under which the logs of a half, or of all sets, are most likely."""
    known = likelihoods(z_of, which)

    def surprise(numbers):
        weights = prior_of(numbers).log_weights
        # held a little, as by a dozen labels of V10's own prior, where few logs speak
        hold = 0.5 * np.square(np.asarray(numbers[5:]) / 3).sum()
        return hold - special.logsumexp(known + weights, axis=1).sum()

    start = np.array([0, np.log(0.7), 0, np.log(0.7), 0.1, *np.zeros(len(LAPSES) - 1)])
    best = optimize.minimize(surprise, start, method="L-BFGS-B")
    return prior_of(best.x), -best.fun / len(known), len(known)


def said(prior):
    weights = ", ".join(f"{100 * weight:.0f}" for weight in prior.lapse_weights)
    return (
        f"RightnessPrior(({prior.shift[0]:.2f}, {prior.shift[1]:.2f}), "
        f"({prior.log_slope[0]:.2f}, {prior.log_slope[1]:.2f}), {prior.correlation:.2f}, "
        f"({weights}), {prior.degrees:g})"
    )


if __name__ == "__main__":
    which = int(sys.argv[1]) if len(sys.argv) > 1 else None
    for name, z_of in (("PROBABILITIES", logits), ("SCORES", ranked)):
        prior, mean, logs = fitted(z_of, which)
        print(f"{name} = {said(prior)}  # {logs} logs, mean log evidence {mean:.2f}")
