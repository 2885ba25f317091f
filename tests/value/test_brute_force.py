"""The curve against brute force over all thresholds, in exact integers: not one mismatch.

Every sample of up to 10 items with up to three confidences, and random ones of up to 14 with up
to eight; `make soak` takes 100,759. Prices are fractions at which ties abound.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

from askpoint.value.curve import ValueCurve
from askpoint.value.priced import CheckCost

OMEGAS = [Fraction(p, q) for p, q in [(0, 1), (1, 3), (1, 2), (1, 1), (3, 2), (2, 1), (5, 1)]]
RHOS = [1 / (1 + omega) for omega in OMEGAS]
BETAS = [Fraction(1, 2), Fraction(1, 10), Fraction(1), Fraction(2)]


class Truth:
    """What brute force says of samples given as counts, in one batch.

    Parameters
    ----------
    right, wrong : ndarray of int of shape (n_samples, n_levels)
        Right and wrong items at each confidence, the surest first.
    """

    def __init__(self, right, wrong):
        at_none = np.zeros((len(right), 1), dtype=int)
        self.right = np.hstack([at_none, right.cumsum(axis=1)])
        self.wrong = np.hstack([at_none, wrong.cumsum(axis=1)])
        self.n = (self.right + self.wrong)[:, -1]
        # the first of the greatest asks most
        self.best = np.stack([self._value(omega).argmax(axis=1) for omega in OMEGAS], axis=1)
        self.best_f = np.stack([self._best_f(beta) for beta in BETAS], axis=1)
        self.vertex = self._vertices()

    def _value(self, omega):
        return omega.denominator * self.right - omega.numerator * self.wrong

    def f_beta(self, beta):
        a, b = (beta * beta).as_integer_ratio()
        answered = self.right + self.wrong
        return (a + b) * self.right, a * self.n[:, None] + b * answered

    def _best_f(self, beta):
        top, bottom = self.f_beta(beta)
        rows, best = np.arange(len(top)), np.zeros(len(top), dtype=int)
        for k in range(1, top.shape[1]):
            better = top[:, k] * bottom[rows, best] > top[rows, best] * bottom[:, k]
            best[better] = k
        return best

    def _vertices(self):
        """No two other points have it on or below the line between them, nor are equal to it."""
        x, y = self.wrong, self.right
        vertex = np.ones(x.shape, dtype=bool)
        vertex[:, 1:] = (np.diff(x) > 0) | (np.diff(y) > 0)
        for i, k, j in itertools.combinations(range(x.shape[1]), 3):
            chord = (y[:, j] - y[:, i]) * (x[:, k] - x[:, i])
            below = (x[:, j] - x[:, i]) * (y[:, k] - y[:, i]) <= chord
            inside = (x[:, k] + y[:, k] < x[:, j] + y[:, j]) & (
                x[:, k] + y[:, k] > x[:, i] + y[:, i]
            )
            vertex[:, k] &= ~(below & inside)
        return vertex


def exhaustive(n_items):
    """All samples of 1 to `n_items` items with three confidences: counts of right and of wrong."""
    cells = np.array(
        [c for c in itertools.product(range(n_items + 1), repeat=5) if sum(c) <= n_items],
        dtype=np.int8,
    )
    last = [np.arange(n_items + 1 - total) for total in cells.sum(axis=1)]
    rows = np.repeat(cells, [len(x) for x in last], axis=0)
    samples = np.column_stack([rows, np.concatenate(last)]).astype(int)
    samples = samples[samples.sum(axis=1) > 0]
    return samples[:, :3], samples[:, 3:]


def random_samples(n_samples):
    """Samples of 1 to 14 items with up to eight confidences."""
    rng = np.random.default_rng(6)
    n_items = rng.integers(1, 15, n_samples)
    cells = rng.multinomial(n_items, rng.dirichlet(np.full(16, 0.4), n_samples))
    return cells[:, :8], cells[:, 8:]


def curves(right, wrong, rng):
    """Each sample as a curve: rows shuffled, confidences of either precision."""
    levels = np.linspace(0.95, 0.25, right.shape[1])
    for row, (hits, misses) in enumerate(zip(right, wrong, strict=True)):
        outcome = np.repeat([True, False], [hits.sum(), misses.sum()])
        score = np.concatenate([levels.repeat(hits), levels.repeat(misses)])
        order = rng.permutation(len(score))
        dtype = np.float32 if row % 2 else np.float64
        yield ValueCurve.from_outcomes(outcome[order], score.astype(dtype)[order])


def mismatches(right, wrong, rng):
    """Yield the samples on which the curve and brute force disagree."""
    truth = Truth(right, wrong)
    omegas, rhos, betas = ([float(x) for x in prices] for prices in (OMEGAS, RHOS, BETAS))
    omega, total = np.array(omegas), truth.n[:, None]
    levels = np.concatenate([[np.inf], np.linspace(0.95, 0.25, right.shape[1])])
    rows = np.arange(len(right))[:, None]
    hits, misses = truth.right[rows, truth.best], truth.wrong[rows, truth.best]
    value = (hits - omega * misses) / total
    coverage = (hits + misses) / total
    profit = (hits + (1 - np.array(rhos)) * (total - hits - misses)) / total
    f_beta = np.stack([np.divide(*truth.f_beta(beta)).max(axis=1) for beta in BETAS], axis=1)
    for row, curve in enumerate(curves(right, wrong, rng)):
        thresholds = levels.astype(curve.thresholds.dtype)
        vertices = np.flatnonzero(truth.vertex[row])
        steps = zip(
            np.diff(truth.wrong[row][vertices]), np.diff(truth.right[row][vertices]), strict=True
        )
        slopes = [y / x if x else np.inf for x, y in steps]
        best = thresholds[truth.best[row]].tolist()
        same = (
            curve.thresholds[curve.position(omega)].tolist() == best
            and curve.thresholds[curve.hull].tolist() == thresholds[vertices].tolist()
            and curve.breakpoints.tolist() == slopes
        )
        if row % 8 == 0:
            same = (
                same
                and curve.threshold(omega).tolist() == best
                and curve.coverage(omega).tolist() == coverage[row].tolist()
                and np.abs(curve.value(omega) - value[row]).max() < 1e-15
                and np.abs(curve.expected_profit(np.array(rhos)) - profit[row]).max() < 1e-15
                and [CheckCost(rho).choose(curve).threshold for rho in rhos] == best
                and [curve.f_beta_threshold(beta) for beta in betas]
                == thresholds[truth.best_f[row]].tolist()
                and max(abs(curve.f_beta(b) - f) for b, f in zip(betas, f_beta[row], strict=True))
                < 1e-15
            )
        if not same:
            yield right[row], wrong[row]


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "samples",
    [
        pytest.param(lambda: exhaustive(10), id="8,007 samples: all with three confidences"),
        pytest.param(lambda: random_samples(8_000), id="8,000 samples: up to eight confidences"),
        pytest.param(
            lambda: exhaustive(14),
            id="38,759 samples: all with three confidences",
            marks=pytest.mark.soak,
        ),
        pytest.param(
            lambda: random_samples(62_000),
            id="62,000 samples: up to eight confidences",
            marks=pytest.mark.soak,
        ),
    ],
)
def test_no_mismatch_with_brute_force(samples):
    assert list(mismatches(*samples(), np.random.default_rng(7))) == []
