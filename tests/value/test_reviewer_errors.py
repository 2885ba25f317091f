"""People who err: rho = 1 - h + r, against brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import askpoint
from askpoint.errors import InputError, ObjectiveError
from askpoint.value.curve import ValueCurve
from askpoint.value.reviewer_errors import ReviewerErrors, reviewer_errors_by_confidence
from askpoint.value.savings import best_gain_threshold, expected_savings

ROWS = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 20)), min_size=1, max_size=12)


def total_cost(rows, people, threshold):
    """Expected number of mistakes that pass, plus work, if cases below are asked."""
    cost = 0.0
    for label, percent in rows:
        p = percent / 20
        confidence, predicted = max(p, 1 - p), int(p > 0.5)
        if confidence >= threshold:
            cost += predicted != label
        else:
            cost += float(people.rho(np.array([confidence]))[0])
    return cost


@pytest.mark.no_cover
@settings(max_examples=300, deadline=None)
@given(ROWS, st.floats(0, 1), st.floats(0, 1), st.floats(0, 0.5), st.booleans())
def test_the_threshold_costs_least(rows, low, high, price, weighted):
    people = ReviewerErrors([0.75], [low, high], price)
    labels, percents = zip(*rows, strict=True)
    p = np.array(percents) / 20
    weight = np.ones(len(rows)) if weighted else None
    curve = askpoint.value_curve(
        labels, np.column_stack([1 - p, p]), classes=[0, 1], sample_weight=weight
    )
    chosen = people.choose(curve)
    best = min(total_cost(rows, people, t) for t in curve.thresholds.tolist())
    assert total_cost(rows, people, chosen.threshold) == pytest.approx(best, abs=1e-9)


def test_people_who_never_err_are_the_plain_price():
    rng = np.random.default_rng(0)
    p = rng.random(500)
    curve = askpoint.value_curve((rng.random(500) < p).astype(int), p)
    exact = ReviewerErrors([], [1.0], 0.05)
    assert exact.choose(curve).threshold == askpoint.CheckCost(0.05).choose(curve).threshold


def test_rates_are_measured_where_people_looked():
    confidence = np.repeat([0.6, 0.9], 100)
    right = np.r_[np.arange(100) < 80, np.arange(100) < 97]
    people = reviewer_errors_by_confidence(right, confidence, check_price=0.02, n_bins=2)
    np.testing.assert_allclose(people.right, [0.8, 0.97])
    for rate, (lower, upper) in zip(people.right, people.intervals, strict=True):
        assert lower < rate < upper
    np.testing.assert_allclose(people.rho(np.array([0.6, 0.95])), [0.22, 0.05])


def test_one_confidence_is_one_bin():
    people = reviewer_errors_by_confidence([1, 0], [0.7, 0.7], check_price=0.0)
    assert people.right.tolist() == [0.5]


def test_nothing_matters_then_ask():
    assert best_gain_threshold(np.zeros(3), np.arange(3.0)) == np.inf
    assert expected_savings(np.array([1.0]), np.array([5.0]), np.array([0.5])).tolist() == [0.5]


def test_bad_input():
    with pytest.raises(InputError, match="1 edges make 2 bins; got 1 rates"):
        ReviewerErrors([0.5], [0.9], 0.1)
    with pytest.raises(InputError, match="edges must rise"):
        ReviewerErrors([0.5, 0.5], [0.9, 0.9, 0.9], 0.1)
    with pytest.raises(InputError, match="rate between 0 and 1"):
        ReviewerErrors([], [1.2], 0.1)
    with pytest.raises(ObjectiveError, match="price of a check must be 0 or more; got -1"):
        ReviewerErrors([], [0.9], -1)
    with pytest.raises(InputError, match="does not know the cases"):
        ReviewerErrors([], [0.9], 0.1).choose(ValueCurve.from_outcomes([1], [0.5]))
    with pytest.raises(InputError, match="n_bins must be at least 1"):
        reviewer_errors_by_confidence([1], [0.5], check_price=0.1, n_bins=0)
