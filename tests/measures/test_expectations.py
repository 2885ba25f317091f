"""Expected costs against sums in exact fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

from askpoint.errors import InputError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.expectations import costs_by_decision


@given(st.integers(2, 5), st.integers(0, 2**32))
def test_each_cell_is_the_sum_over_truths(k, seed):
    rng = np.random.default_rng(seed)
    p = rng.multinomial(64, np.ones(k) / k, 3)
    c = rng.integers(0, 9, (k, k)) * (1 - np.eye(k, dtype=int))
    c[0, 1] += 1
    found = costs_by_decision(p / 64, CostMatrix(range(k), c))
    for case in range(3):
        for j in range(k):
            exact = sum(Fraction(int(p[case, i]), 64) * int(c[i, j]) for i in range(k))
            assert Fraction(found[case, j]) == exact


def test_sums_of_one_term_are_no_other_numbers():
    p = np.random.default_rng(0).dirichlet([1, 1], 1000).astype(np.float32)
    costs = np.array([[0, 0.3], [0.7, 0]])
    found = costs_by_decision(p, CostMatrix(["ham", "spam"], costs))
    assert np.array_equal(found, p.astype(float) @ costs)


def test_one_column_means_the_second_class():
    costs = CostMatrix(["ham", "spam"], [[0, 5], [1, 0]])
    assert np.array_equal(
        costs_by_decision([0.25], costs), costs_by_decision([[0.75, 0.25]], costs)
    )


def test_other_classes_are_refused():
    with pytest.raises(InputError, match="3"):
        costs_by_decision([[0.25, 0.25, 0.5]], CostMatrix.zero_one(["ham", "spam"]))
