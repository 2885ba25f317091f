"""Quadrants of items and regions, against the definitions one case at a time."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.errors import CostsError, InputError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.unknowns.case_costs import actual_cost, estimate_cost
from askpoint.unknowns.population import population_mean
from askpoint.unknowns.quadrants import QUADRANTS, bounds_of, item_quadrants, region_quadrants

BINARY = CostMatrix.zero_one(["benign", "hate"])


def cases(seed, n=60, k=3):
    rng = np.random.default_rng(seed)
    cost = rng.integers(1, 6, (k, k)) * (1 - np.eye(k))
    costs = CostMatrix(list("abcd"[:k]), cost, unit="EUR")
    proba = rng.dirichlet(np.full(k, 0.4), n)
    return proba, costs, rng.choice(costs.classes, n), rng.choice(costs.classes, n)


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 1000), st.sampled_from(["decision", "minimum", "expected"]))
def test_each_case_lies_where_the_definitions_say(seed, by):
    proba, costs, decisions, truths = cases(seed)
    found = item_quadrants(proba, costs, decisions, truths, by=by, actual_bound=2)
    estimated = estimate_cost(proba, costs, decisions, by=by)
    actual = actual_cost(costs, decisions, truths)
    assert found.bounds.estimated == pytest.approx(found.bounds.normaliser / 2)
    assert (found.bounds.by, found.bounds.unit, found.bounds.actual) == (by, "EUR", 2)
    for guess, cost, which in zip(estimated, actual, found.which, strict=True):
        if guess > found.bounds.estimated:
            expected = "known unknown" if cost > 2 else "unknown known"
        else:
            expected = "unknown unknown" if cost > 2 else "known known"
        assert QUADRANTS[which] == expected
    assert sum(found.counts.values()) == len(proba)
    assert sum(found.costs.values()) == pytest.approx(actual.sum())
    unknown = found.rows("unknown unknown")
    assert len(unknown) == found.counts["unknown unknown"]
    assert actual[unknown].sum() == pytest.approx(found.costs["unknown unknown"])


@pytest.mark.parametrize(
    ("by", "confidence"), [("decision", 0.75), ("expected", 0.8535533905932737)]
)
def test_the_usual_bound_of_two_classes(by, confidence):
    proba = [1 - confidence - 1e-6, 1 - confidence + 1e-6]
    found = item_quadrants(proba, BINARY, ["benign"] * 2, ["hate"] * 2, by=by)
    assert [QUADRANTS[i] for i in found.which] == ["unknown unknown", "known unknown"]


def test_weights_count_as_copies():
    proba, costs, decisions, truths = cases(5)
    copies = np.random.default_rng(1).integers(1, 4, len(proba))
    weighted = item_quadrants(proba, costs, decisions, truths, weights=copies)
    repeated = item_quadrants(
        *(
            np.repeat(x, copies, axis=0) if i != 1 else costs
            for i, x in enumerate((proba, costs, decisions, truths))
        )
    )
    assert weighted.counts == repeated.counts
    assert weighted.costs == pytest.approx(repeated.costs)


def test_right_decisions_that_cost_something_are_no_unknowns():
    costs = CostMatrix(["benign", "hate"], [[1, 2], [3, 1]])
    found = item_quadrants([0.1, 0.1], costs, ["benign"] * 2, ["benign", "hate"])
    assert found.counts["known known"] == found.counts["unknown unknown"] == 1


def test_regions_by_their_means_and_intervals():
    proba, costs, decisions, truths = cases(2, n=90)
    names = np.array(["north", "south", "west"])[np.arange(90) % 3]
    found = region_quadrants(proba, costs, decisions, truths, names, estimated_bound=0.4)
    assert [region.name for region in found] == ["north", "south", "west"]
    estimated = estimate_cost(proba, costs, decisions)
    actual = actual_cost(costs, decisions, truths)
    for region in found:
        rows = names == region.name
        assert region.n_items == 30
        assert region.estimated == pytest.approx(estimated[rows].mean())
        assert region.actual == population_mean(
            actual[rows], np.zeros(30), [30], largest=costs.cost.max(), finite=False
        )
        assert region.actual.value == pytest.approx(actual[rows].mean())
        assert region.bounds.actual == region.bounds.estimated == 0.4
        high = 2 * (region.estimated > 0.4) + (region.actual.value > 0.4)
        assert region.quadrant == (QUADRANTS[0], QUADRANTS[3], QUADRANTS[2], QUADRANTS[1])[high]


def test_the_four_regions_of_figure_1():
    # estimated .1 or .4, actual 0 or 1
    proba = np.repeat([0.1, 0.4], 20)
    truths = np.repeat(["benign", "hate", "benign", "hate"], 10)
    regions = np.repeat([1, 2, 3, 4], 10)
    found = region_quadrants(proba, BINARY, ["benign"] * 40, truths, regions)
    assert [region.quadrant for region in found] == [
        "known known",
        "unknown unknown",
        "unknown known",
        "known unknown",
    ]
    strict = region_quadrants(
        proba, BINARY, ["benign"] * 40, truths, regions, estimated_bound=0.45, actual_bound=0
    )
    assert [region.quadrant for region in strict][2:] == ["known known", "unknown unknown"]


@pytest.mark.parametrize(
    "bounds", [{"estimated": -0.1}, {"estimated": 0.5}, {"actual": -1}, {"actual": np.inf}]
)
def test_bounds_out_of_range_are_refused(bounds):
    with pytest.raises(InputError, match="bounds must not be negative"):
        bounds_of(BINARY, **bounds)


def test_what_does_not_fit_is_named():
    with pytest.raises(InputError, match="probabilities and truths"):
        item_quadrants([0.1], BINARY, ["hate"] * 2, ["hate"] * 2, by="minimum")
    with pytest.raises(InputError, match="regions and truths"):
        region_quadrants([0.1], BINARY, ["hate"], ["hate"], [1, 2])
    with pytest.raises(InputError, match="level must be strictly"):
        region_quadrants([0.1], BINARY, ["hate"], ["hate"], [1], level=1)
    with pytest.raises(CostsError, match="never costs anything"):
        item_quadrants([0.1], CostMatrix("ab", [[0, 1], [0, 0]]), ["a"], ["a"])
