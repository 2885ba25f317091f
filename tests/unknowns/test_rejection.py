"""Chow's rule against every alternative, one case at a time."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.errors import CostsError, InputError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.unknowns.rejection import chow_rule

ZERO_ONE = CostMatrix.zero_one(["ham", "spam"])


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 1000), st.booleans())
def test_nothing_is_cheaper_than_what_the_rule_does(seed, per_case):
    rng = np.random.default_rng(seed)
    costs = CostMatrix("abc", rng.integers(1, 6, (3, 3)) * (1 - np.eye(3)), rng.random(3))
    proba = rng.dirichlet([0.5] * 3, 20)
    asking = rng.random(20) * 2 if per_case else None
    done = chow_rule(proba, costs, asking)
    for i, p in enumerate(proba):
        deciding = [sum(p[t] * costs.cost[t, j] for t in range(3)) for j in range(3)]
        ask = asking[i] if per_case else sum(p[t] * costs.reject_cost[t] for t in range(3))
        assert done.cost[i] == pytest.approx(min(*deciding, ask))
        assert deciding[done.codes[i]] == pytest.approx(min(deciding))
        assert done.rejected[i] == (ask < min(deciding))


def test_zero_one_costs_reject_below_a_confidence_of_one_minus_the_price():
    p = np.linspace(0, 1, 101)
    done = chow_rule(p, ZERO_ONE, 0.195)
    assert (done.rejected == (np.maximum(p, 1 - p) < 1 - 0.195)).all()


def test_a_tie_is_decided_and_a_case_can_have_its_own_price():
    done = chow_rule([0.25] * 3, ZERO_ONE, [0.25, 0.2, 0.3])
    assert done.rejected.tolist() == [False, True, False]
    assert done.cost.tolist() == [0.25, 0.2, 0.25]


def test_what_does_not_fit_is_named():
    with pytest.raises(CostsError, match="say nothing of asking"):
        chow_rule([0.2], ZERO_ONE)
    with pytest.raises(CostsError, match="one number per case; got 2 for 1"):
        chow_rule([0.2], ZERO_ONE, [0.1, 0.2])
    with pytest.raises(CostsError, match="less than nothing; got -1"):
        chow_rule([0.2], ZERO_ONE, -1)
    with pytest.raises(InputError, match="missing or infinite"):
        chow_rule([0.2], ZERO_ONE, [np.nan])
