"""The containing variety: zero residual for every truth and every trio, distance by brute force."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from askpoint.judges.checks.containing import containing_distance, containing_residual
from askpoint.judges.methods.independent import evaluate_independent
from judges.cases import sketch_of


def numbers(point):
    accuracy = [[float(x) for x in of.values()] for of in point.accuracy.values()]
    return float(next(iter(point.prevalence.values()))), np.array(accuracy)


def test_the_independent_evaluators_residual_is_zero_by_construction(rng):
    """So figure 3 of the paper cannot be reproduced as the text stands."""
    n_outside = 0
    for _ in range(60):
        counts = rng.integers(1, 60, 8)
        evaluation = evaluate_independent(sketch_of(counts))
        f = [n / counts.sum() for n in evaluation.algebra.singles]
        for point in evaluation.points:
            p, P = numbers(point)
            assert containing_residual(p, P, f) < 1e-9 * max(1, abs(p), np.abs(P).max()) ** 2
            inside = evaluation.outcome == "inside"
            n_outside += not inside
            assert (containing_distance(p, P, f) < 1e-6) == inside
    assert n_outside


def test_the_truth_lies_on_it_whatever_the_correlations(rng):
    for _ in range(50):
        of_a, of_b = rng.integers(0, 50, (2, 8)) + 1
        f = (
            (of_a + of_b)
            @ np.array(list(itertools.product((0, 1), repeat=3)))
            / (of_a + of_b).sum()
        )
        votes = np.array(list(itertools.product((0, 1), repeat=3)))
        P = np.column_stack([1 - of_a @ votes / of_a.sum(), of_b @ votes / of_b.sum()])
        p = of_a.sum() / (of_a + of_b).sum()
        assert containing_residual(p, P, f) < 1e-12
        assert containing_distance(p, P, f) < 1e-7


def test_evaluations_from_elsewhere_may_miss_it():
    assert containing_residual(0.5, [[0.9, 0.9], [0.9, 0.9]], [0.5, 0.5]) < 1e-12
    assert containing_residual(0.4, [[0.9, 0.9], [0.9, 0.9]], [0.5, 0.5]) == pytest.approx(0.08)


@pytest.mark.parametrize(
    ("p", "P", "f"),
    [
        (1.3, [[0.8, 1.2]], [0.3]),
        (-0.2, [[0.8, 1.2]], [0.9]),
        (0.5, [[1.4, 0.2]], [0.5]),
        (0.4, [[1.4, -0.2]], [0.0]),
    ],
)
def test_the_distance_is_the_least_over_the_surface(p, P, f):
    grid = np.linspace(0, 1, 401)
    best = np.inf
    for share in grid:
        a = grid
        with np.errstate(divide="ignore", invalid="ignore"):
            b = f[0] + share * (a - (1 - f[0])) / (1 - share)
        allowed = (b >= 0) & (b <= 1) if share < 1 else np.zeros(len(a), bool)
        if allowed.any():
            away = (a[allowed] - P[0][0]) ** 2 + (b[allowed] - P[0][1]) ** 2
            best = min(best, away.min() + (share - p) ** 2)
    b = grid  # at p = 1 the line stands upright
    best = min(best, ((1 - f[0]) - P[0][0]) ** 2 + ((b - P[0][1]) ** 2).min() + (1 - p) ** 2)
    found = containing_distance(p, P, f)
    assert found <= np.sqrt(best) + 1e-9
    assert found == pytest.approx(np.sqrt(best), abs=0.01)
