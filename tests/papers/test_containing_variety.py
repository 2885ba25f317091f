"""The containing variety: zero residual for every truth and every trio."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from askpoint.judges.methods.independent import evaluate_independent
from askpoint.papers.containing_variety import containing_residual
from judges.cases import sketch_of


def numbers(point):
    accuracy = [[float(x) for x in of.values()] for of in point.accuracy.values()]
    return float(next(iter(point.prevalence.values()))), np.array(accuracy)


def test_the_independent_evaluators_residual_is_zero_by_construction():
    """So figure 3 of the paper cannot be reproduced as the text stands."""
    rng = np.random.default_rng(0)
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
    assert n_outside


def test_the_truth_lies_on_it_whatever_the_correlations():
    rng = np.random.default_rng(1)
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


def test_evaluations_from_elsewhere_may_miss_it():
    assert containing_residual(0.5, [[0.9, 0.9], [0.9, 0.9]], [0.5, 0.5]) < 1e-12
    assert containing_residual(0.4, [[0.9, 0.9], [0.9, 0.9]], [0.5, 0.5]) == pytest.approx(0.08)
