"""Metrics, against loops and scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score, confusion_matrix, f1_score

from askpoint.elicitation.metrics import (
    LinearFractionalMetric,
    LinearMetric,
    cost_metric,
    diagonal_metric,
)
from askpoint.errors import InputError

RNG = np.random.default_rng(2)
TRUTH, DECIDED = RNG.integers(0, 2, 200), RNG.integers(0, 2, 200)
CONFUSION = confusion_matrix(TRUTH, DECIDED, normalize="all")


def test_f1_is_linear_fractional():
    f1 = LinearFractionalMetric([[0, 0], [0, 2]], [[0, 1], [1, 2]])
    assert f1(CONFUSION) == pytest.approx(f1_score(TRUTH, DECIDED))


def test_balanced_accuracy_is_diagonal():
    metric = diagonal_metric(0.5 / CONFUSION.sum(axis=1))
    assert metric(CONFUSION) == pytest.approx(balanced_accuracy_score(TRUTH, DECIDED))


def test_costs_stand_row_by_row_without_the_diagonal():
    expected = [[0, -1, -2, -3], [-4, 0, -5, -6], [-7, -8, 0, -9], [-10, -11, -12, 0]]
    assert cost_metric(-np.arange(1, 13)).weights.tolist() == expected


@pytest.mark.parametrize(
    ("act", "match"),
    [
        (lambda: cost_metric([-1, -2, -3]), "3 weights"),
        (lambda: cost_metric([]), "0 weights"),
        (lambda: LinearMetric(np.eye(2))(np.eye(3)), "weighs"),
        (lambda: LinearFractionalMetric(np.eye(2), np.eye(2))(1 - np.eye(2)), "positive"),
    ],
)
def test_what_cannot_be_weighed_is_refused(act, match):
    with pytest.raises(InputError, match=match):
        act()
