"""Weights and omega in one unit: by hand, and as the value room reads it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from askpoint.elicitation.costing import combine_costs
from askpoint.elicitation.particles import Particles
from askpoint.errors import InputError
from askpoint.measures.cost_matrix import CostMatrix

MODEL = np.array([[0.2, 0.05, 0.05], [0.1, 0.2, 0.0], [0.0, 0.0, 0.4]])


def sure(*weights):
    """A cloud of one particle."""
    return Particles(np.log([weights]), np.ones(1))


WEIGHTS = st.floats(0.01, 100)


@given(WEIGHTS, WEIGHTS, WEIGHTS, st.floats(0.01, 1000), st.integers(0, 2))
def test_what_is_known_exactly_comes_out_exactly(a, b, c, omega, reference):
    found = combine_costs(
        "abc", [[0], [1], [2]], sure(a, b, c), sure(1, omega), MODEL, reference=reference
    )
    cost = found.costs.cost
    mistakes = MODEL - np.diag(np.diag(MODEL))
    assert (mistakes * cost).sum() / mistakes.sum() == pytest.approx(1)
    assert cost[0, 1] / cost[1, 0] == pytest.approx(a / b)
    named = (a, b, c)[reference]
    assert float(found.costs.reject_cost) == pytest.approx(cost[reference].max() / (1 + omega))
    for group, weight in zip(found.groups, (a, b, c), strict=True):
        assert group.checks == pytest.approx((1 + omega) * weight / named, rel=1e-6)
        assert group.checks * float(found.costs.reject_cost) == pytest.approx(group.cost, rel=1e-6)


def test_grouped_classes_cost_the_same():
    found = combine_costs("abc", [[0, 2], [1]], sure(3, 1), sure(1, 1), MODEL)
    cost = found.costs.cost
    assert cost[0, 1] == cost[2, 0] == 3 * cost[1, 2]
    assert found.groups[0].classes == ("a", "c")


def test_without_weights_all_mistakes_cost_one():
    found = combine_costs("abc", [[0], [1], [2]], None, sure(1, 9), MODEL)
    assert np.array_equal(found.costs.cost, 1 - np.eye(3))
    assert float(found.costs.reject_cost) == pytest.approx(0.1)


def test_a_model_without_mistakes_is_weighed_by_its_cases():
    found = combine_costs("ab", [[0], [1]], sure(3, 1), sure(1, 1), np.diag([0.5, 0.5]))
    assert found.costs.cost.tolist() == [[0, 1.5], [0.5, 0]]


def test_intervals_hold_what_two_beliefs_allow():
    rng = np.random.default_rng(0)
    logs = rng.normal([0, 1, 2], 0.3, (4000, 3))
    weights = Particles(logs, np.full(4000, 1 / 4000))
    ratio = rng.normal([0, math.log(8)], 0.2, (4000, 2))
    omega = Particles(ratio, np.full(4000, 1 / 4000))
    found = combine_costs("abc", [[0], [1], [2]], weights, omega, MODEL)
    plain = np.exp(logs[:, 2] - logs[:, 0]) * (1 + np.exp(ratio[:, 1] - ratio[:, 0]))
    expected = np.quantile(plain, [0.05, 0.5, 0.95])
    group = found.groups[2]
    got = [group.checks_interval.lower, group.checks, group.checks_interval.upper]
    assert got == pytest.approx(expected, rel=0.05)
    for group in found.groups:
        assert group.interval.lower <= group.cost <= group.interval.upper


def test_the_file_is_complete_and_read_back():
    source = {"method": "bayesian", "questions": 33, "log": "sha256:0"}
    found = combine_costs(
        ["x", "y", "z"], [[0], [1], [2]], sure(1, 2, 3), sure(1, 4), MODEL, source=source
    )
    costs = CostMatrix.from_json(found.costs.to_json())
    assert costs == found.costs
    assert costs.source == source
    assert set(costs.interval) == {"level", "unit", "cost", "checks"}
    assert set(costs.interval["cost"]) == {"x", "y", "z"}
    assert costs.unit


@pytest.mark.parametrize("wrong", [{"reference": 3}, {"weights": sure(1, 2)}])
def test_what_does_not_fit_is_refused(wrong):
    settings = {"weights": sure(1, 2, 3), "reference": 0} | wrong
    with pytest.raises(InputError, match="there are 3 groups of classes"):
        combine_costs("abc", [[0], [1], [2]], omega=sure(1, 1), deployed=MODEL, **settings)
