"""The ends of the scales: closed forms, and brute force over the simplex."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.errors import CostsError, InputError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.unknowns.case_costs import expected_cost, minimum_cost
from askpoint.unknowns.severity_scale import (
    game_value,
    largest_expected_cost,
    least_sure,
    normaliser,
)


@st.composite
def tables(draw):
    """Costs over 2 to 4 classes, not all of them 0."""
    k = draw(st.integers(2, 4))
    cost = [[0 if i == j else draw(st.integers(0, 9)) for j in range(k)] for i in range(k)]
    cost[0][k - 1] = cost[0][k - 1] or 1
    return cost


@pytest.mark.no_cover
@settings(deadline=None, max_examples=50)
@given(tables())
@pytest.mark.whole
def test_no_point_of_the_simplex_exceeds_the_normalisers(cost):
    k = len(cost)
    costs = CostMatrix(range(k), cost)
    grid = np.array([p for p in product(range(25), repeat=k) if sum(p) == 24]) / 24
    value, largest = game_value(costs), largest_expected_cost(costs)
    assert minimum_cost(grid, costs).max() <= value + 1e-6
    assert expected_cost(grid, costs).max() <= largest + 1e-6
    # and they are reached, up to the grid's coarseness
    step = np.max(cost) * k / 24
    assert minimum_cost(grid, costs).max() >= value - step
    assert expected_cost(grid, costs).max() >= largest - 2 * step


@settings(deadline=None, max_examples=50)
@given(tables())
def test_least_sure_probabilities_reach_the_games_value(cost):
    costs = CostMatrix(range(len(cost)), cost)
    p = least_sure(costs)
    assert p.min() >= 0
    assert p.sum() == pytest.approx(1)
    assert minimum_cost([p], costs)[0] == pytest.approx(game_value(costs), abs=1e-9)


@given(c01=st.integers(1, 100), c10=st.integers(1, 100))
@settings(deadline=None, max_examples=30)
def test_two_classes_have_closed_forms(c01, c10):
    costs = CostMatrix(["benign", "hate"], [[0, c01], [c10, 0]])
    assert game_value(costs) == pytest.approx(c01 * c10 / (c01 + c10), rel=1e-9)
    assert largest_expected_cost(costs) == pytest.approx((c01 + c10) / 4, rel=1e-6)
    p = np.linspace(0, 1, 11)
    assert expected_cost(p, costs) == pytest.approx(p * (1 - p) * (c01 + c10))
    assert minimum_cost(p, costs) == pytest.approx(np.minimum(p * c10, (1 - p) * c01))


@pytest.mark.parametrize("k", [2, 3, 7, 26])
def test_zero_one_costs_of_k_classes(k):
    costs = CostMatrix.zero_one(range(k))
    assert normaliser(costs) == pytest.approx(1 - 1 / k, rel=1e-9)
    assert normaliser(costs, by="minimum") == pytest.approx(1 - 1 / k, rel=1e-9)
    assert normaliser(costs, by="expected") == pytest.approx(1 - 1 / k, rel=1e-6)


def test_largest_expected_cost_finds_a_clique_that_climbing_misses():
    # Motzkin and Straus (1965): over a graph's adjacency matrix the maximum is 1 - 1/clique
    edges = np.zeros((9, 9))
    edges[:5, 5:] = edges[5:, :5] = 1  # bipartite: cliques of 2 ...
    edges[np.ix_([5, 6, 7, 8], [5, 6, 7, 8])] = 1 - np.eye(4)  # ... and one of 4, plus one side
    assert largest_expected_cost(CostMatrix(range(9), edges)) == pytest.approx(1 - 1 / 5)


def test_right_decisions_that_cost_something_do_not_lengthen_the_scale():
    costs = CostMatrix(["benign", "hate"], [[1, 5], [4, 2]])
    plain = CostMatrix(["benign", "hate"], [[0, 4], [2, 0]])
    for by in ("decision", "minimum", "expected"):
        assert normaliser(costs, by=by) == normaliser(plain, by=by)


def test_a_free_decision_leaves_nothing_uncertain():
    costs = CostMatrix(["benign", "hate"], [[0, 1], [0, 0]])
    assert game_value(costs) == 0
    with pytest.raises(CostsError, match="deciding 'benign' never costs anything"):
        normaliser(costs)


def test_the_estimate_must_be_known():
    with pytest.raises(InputError, match="by must be one of decision, minimum, expected"):
        normaliser(CostMatrix.zero_one("ab"), by="entropy")
