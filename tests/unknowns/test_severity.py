"""Severities: the paper's scale, what is no mistake, and other names for the same classes."""

import numpy as np
import pytest

from askpoint.measures.cost_matrix import CostMatrix
from askpoint.unknowns.severity import severities

BINARY = CostMatrix.zero_one(["benign", "hate"])


def test_severities_of_the_paper_scale():
    # confidence .6, .75, .9 and .99 in a mistake: 200, 500, 800, 980
    proba = np.array([0.4, 0.25, 0.1, 0.01])
    wrong = severities(proba, BINARY, ["benign"] * 4, ["hate"] * 4)
    assert wrong == pytest.approx([200, 500, 800, 980])
    # under ExpCost 40, 250, 640, 960
    expected = severities(proba, BINARY, ["benign"] * 4, ["hate"] * 4, by="expected")
    assert expected == pytest.approx([40, 250, 640, 960.4], abs=1e-3)


def test_severity_is_zero_for_right_or_free_or_foreseen_mistakes():
    costs = CostMatrix("abc", [[0, 1, 2], [1, 0, 0], [3, 1, 0]])
    sure = [[1.0, 0.0, 0.0]]
    assert severities(sure, costs, ["a"], ["a"]).tolist() == [0]
    assert severities(sure, costs, ["c"], ["b"]).tolist() == [0]  # c costs nothing under b
    # a deployed decision that the model itself thinks dear is no surprise, never below 0
    assert severities([[0.0, 0.0, 1.0]], costs, ["a"], ["c"]).tolist() == [0]


def test_what_a_right_decision_costs_makes_no_mistake_milder():
    costs = CostMatrix(["benign", "hate"], [[1, 5], [4, 2]])
    assert severities([0.0, 1.0], costs, ["benign"] * 2, ["hate", "benign"]).tolist() == [1000, 0]


@pytest.mark.parametrize("by", ["decision", "minimum", "expected"])
def test_relabelling_the_classes_changes_nothing(by):
    rng = np.random.default_rng(7)
    costs = CostMatrix("abc", [[0, 1, 5], [2, 0, 1], [4, 3, 0]])
    proba = rng.dirichlet([1, 1, 1], 20)
    decided, truth = rng.choice(list("abc"), 20), rng.choice(list("abc"), 20)
    other = severities(proba[:, [2, 0, 1]], costs.reorder("cab"), decided, truth, by=by)
    assert other == pytest.approx(severities(proba, costs, decided, truth, by=by), abs=1e-6)
