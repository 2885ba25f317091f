"""What the model thinks that cases cost, against the formulas in exact fractions."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.errors import InputError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.unknowns import case_costs
from askpoint.unknowns.case_costs import (
    CostEstimate,
    actual_cost,
    decision_cost,
    estimate_cost,
    expected_cost,
    minimum_cost,
    mistakes_only,
)

BINARY = CostMatrix.zero_one(["benign", "hate"])


@st.composite
def problems(draw):
    """Costs, probabilities and decisions over 2 to 4 classes, in exact fractions too."""
    k = draw(st.integers(2, 4))
    whole = st.integers(0, 9)
    cost = [[0 if i == j else draw(whole) for j in range(k)] for i in range(k)]
    cost[0][k - 1] = cost[0][k - 1] or 1
    parts = [draw(st.integers(0, 8)) for _ in range(k)]
    parts[0] += not any(parts)
    p = [Fraction(part, sum(parts)) for part in parts]
    return cost, p, draw(st.integers(0, k - 1))


@settings(deadline=None, max_examples=100)
@given(problems())
def test_costs_match_their_formulas_in_exact_fractions(problem):
    cost, p, decision = problem
    k = len(p)
    by_decision = [sum(p[i] * cost[i][j] for i in range(k)) for j in range(k)]
    apart = sum(p[i] * p[j] * cost[i][j] for i, j in product(range(k), repeat=2))
    costs = CostMatrix(range(k), cost)
    proba = [[float(x) for x in p]]
    assert minimum_cost(proba, costs)[0] == pytest.approx(float(min(by_decision)), abs=1e-12)
    assert expected_cost(proba, costs)[0] == pytest.approx(float(apart), abs=1e-12)
    assert decision_cost(proba, costs, [decision])[0] == pytest.approx(
        float(by_decision[decision]), abs=1e-12
    )
    assert expected_cost(proba, costs)[0] >= minimum_cost(proba, costs)[0] - 1e-12
    each = [decision_cost(proba, costs, [j])[0] for j in range(k)]
    assert min(each) == minimum_cost(proba, costs)[0]


def test_right_decisions_that_cost_something_are_no_mistakes():
    costs = CostMatrix(["benign", "hate"], [[1, 5], [4, 2]], unit="EUR")
    plain = CostMatrix(["benign", "hate"], [[0, 4], [2, 0]], unit="EUR")
    assert mistakes_only(costs) == plain
    assert actual_cost(costs, ["benign"], ["benign"]).tolist() == [1]
    for by in ("decision", "minimum", "expected"):
        mine = estimate_cost([0.3], costs, ["hate"], by=by)
        assert mine == pytest.approx(estimate_cost([0.3], plain, ["hate"], by=by))


def test_what_does_not_fit_is_named():
    with pytest.raises(InputError, match="2 classes but 3 columns"):
        minimum_cost([[0.2, 0.3, 0.5]], BINARY)
    with pytest.raises(InputError, match="one entry per item: got 2 and 1"):
        decision_cost([0.2, 0.3], BINARY, ["hate"])
    with pytest.raises(InputError, match="one entry per item: got 1 and 2"):
        actual_cost(BINARY, ["hate"], ["hate", "benign"])
    with pytest.raises(InputError, match="'spam' is not among the classes"):
        decision_cost([0.2], BINARY, ["spam"])
    with pytest.raises(InputError, match="by must be one of decision, minimum, expected"):
        estimate_cost([0.2], BINARY, ["hate"], by="entropy")


@pytest.mark.parametrize("by", ["decision", "minimum", "expected"])
@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_many_rows_cost_what_each_costs_alone(by, k, kind, monkeypatch):
    rng = np.random.default_rng(k)
    cost = CostMatrix(range(k), rng.integers(1, 9, (k, k)) * (1 - np.eye(k)))
    proba = np.asfortranarray(rng.dirichlet(np.ones(k), 100).astype(kind))
    proba[::5] = 1 / k  # of equal ones the first
    decisions = rng.integers(0, k, 100)
    monkeypatch.setattr(case_costs, "_CELLS", 14)
    of = CostEstimate(cost, by).of
    for made, stated in ((decisions, decisions), (proba.argmax(axis=1), None)):
        alone = [
            estimate_cost(p[None], cost, [d], by=by)[0] for p, d in zip(proba, made, strict=True)
        ]
        assert of(proba, stated) == pytest.approx(alone, rel=1e-14)  # products sum in any order


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("costs", [[[0, 1], [1, 0]], [[0, 0.3], [0.3, 0]], [[2, 5], [4, 1]]])
def test_the_most_probable_of_two_costs_what_its_decision_costs_to_the_last_bit(kind, costs):
    rng = np.random.default_rng(0)
    second = np.concatenate([rng.beta(0.3, 0.3, 3000), [0, 1, 0.5], 10 ** rng.uniform(-40, 0, 99)])
    p = np.column_stack([1 - second + rng.choice([0, 4e-4], len(second)), second]).astype(kind)
    matrix = CostMatrix(["ham", "spam"], costs)
    for some in (p, np.asfortranarray(p)):
        estimate = case_costs.CostEstimate(matrix)
        expected = estimate.of(some, (some[:, 1] > some[:, 0]).astype(int))
        np.testing.assert_array_equal(estimate.of(some), expected, strict=True)


@pytest.mark.parametrize(
    ("costs", "kind"),
    [(BINARY, np.float32), (CostMatrix(["benign", "hate"], [[0, 3], [3, 0]]), np.float64)],
)
def test_costs_that_are_probabilities_may_stay_as_narrow_and_are_the_same(costs, kind):
    second = np.random.default_rng(0).random(100, np.float32)
    proba = np.column_stack([1 - second, second])
    narrow = CostEstimate(costs).of(proba, narrow=True)
    assert narrow.dtype == kind
    assert (narrow == CostEstimate(costs).of(proba)).all()
    decided = np.zeros(100, np.int64)
    assert CostEstimate(costs).of(proba, decided, narrow=True).dtype == np.float64
