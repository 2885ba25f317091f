"""Ratios to weights: bounds by brute force."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, strategies as st

from askpoint.elicitation.elicited_weights import ElicitedWeights, Ratios
from askpoint.elicitation.questionnaire import LogEntry
from askpoint.errors import InputError
from askpoint.measures.cost_matrix import CostMatrix

ratio = st.floats(0, 1).map(lambda x: round(x, 3))


@given(st.lists(st.tuples(ratio, ratio, ratio), min_size=1, max_size=4), st.sampled_from([1, 2]))
def test_bounds_are_the_extremes_over_all_corners(others, norm):
    low, middle, high = np.array([(1, 1, 1), *(sorted(other) for other in others)]).T
    ratios = Ratios(low, middle, high)
    corners = [
        np.array(corner) / np.linalg.norm(corner, norm)
        for corner in itertools.product(*zip(low, high, strict=True))
    ]
    expected = np.column_stack([np.min(corners, axis=0), np.max(corners, axis=0)])
    assert ratios.interval(norm) == pytest.approx(expected)
    assert np.linalg.norm(ratios.weights(norm), norm) == pytest.approx(1)


def test_a_weight_without_any_bound():
    ratios = Ratios(np.array([1.0, 0]), np.ones(2), np.array([1.0, np.inf]))
    assert ratios.interval(1).tolist() == [[0, 1], [0, 1]]


def test_members_share_their_group():
    ratios = Ratios(np.array([1, 0.1]), np.array([1, 0.2]), np.array([1, 0.3]))
    assert ratios.take(np.array([1, 0, 1])).middle.tolist() == [0.2, 1, 0.2]


def test_the_metric_of_what_was_found():
    log = (LogEntry("0", True), LogEntry("1", None))
    diagonal = ElicitedWeights("diagonal", ("a", "b"), np.array([0.75, 0.25]), None, log=log)
    linear = ElicitedWeights("linear", ("a", "b"), np.array([-0.6, -0.8]), None)
    confusion = [[0.4, 0.1], [0.2, 0.3]]
    assert diagonal.metric(confusion) == pytest.approx(0.375)
    assert linear.metric(confusion) == pytest.approx(-0.22)
    assert (diagonal.n_queries, linear.n_queries) == (2, 0)


@pytest.mark.parametrize("kind", ["diagonal", "linear"])
def test_costs_order_outcomes_as_the_weights_do_and_a_mean_mistake_costs_one(kind):
    rng = np.random.default_rng(0)
    weights = rng.dirichlet(np.ones(3)) if kind == "diagonal" else -rng.random(6)
    found = ElicitedWeights(kind, ("a", "b", "c"), weights, np.column_stack([weights, weights]))
    shares = rng.dirichlet(np.ones(3) * 5)
    outcomes = [shares[:, None] * rng.dirichlet(np.ones(3), 3) for _ in range(20)]
    costs = found.costs(outcomes[0], reject_cost=0.4)
    beside = ~np.eye(3, dtype=bool)
    assert (costs.cost * outcomes[0]).sum() == pytest.approx(outcomes[0][beside].sum())
    by_cost = sorted(range(20), key=lambda i: -(costs.cost * outcomes[i]).sum())
    assert by_cost == sorted(range(20), key=lambda i: found.metric(outcomes[i]))
    assert costs.source["questions"] == 0
    assert CostMatrix.from_json(costs.to_json()) == costs


def test_without_a_mistake_there_is_no_unit():
    found = ElicitedWeights("diagonal", ("a", "b"), np.array([0.75, 0.25]), None)
    with pytest.raises(InputError, match="makes no mistake"):
        found.costs(np.eye(2))
