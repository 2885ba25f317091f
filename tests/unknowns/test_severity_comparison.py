"""Figure 4: buckets, denominators, costs, duplicates, and what is not estimable."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.errors import InputError
from askpoint.measures.intervals import binomial_interval
from askpoint.unknowns.severity_comparison import ErrorsFound, compare_severities

NONE = ErrorsFound("nobody", [], 10, "cases inspected")


@settings(deadline=None, max_examples=40)
@given(st.lists(st.integers(0, 1000), min_size=1, max_size=30), st.integers(0, 50))
def test_every_mistake_counts_in_its_bucket(severities, right):
    found = ErrorsFound("players", severities, len(severities) + right, "cases submitted")
    shares = compare_severities(found, NONE).first
    expected = [0] * 4
    for severity in severities:
        expected[min(severity // 250, 3)] += 1
    assert shares.shares == pytest.approx([count / len(severities) for count in expected])
    for count, interval in zip(expected, shares.intervals, strict=True):
        assert interval == binomial_interval(count, len(severities), method="wilson")
    assert shares.rate == len(severities) / (len(severities) + right)
    assert shares.rate_interval == binomial_interval(len(severities), len(severities) + right)
    assert (shares.n_errors, shares.n_judged, shares.judged) == (
        len(severities),
        len(severities) + right,
        "cases submitted",
    )


def test_near_duplicates_count_once_together():
    copies = ErrorsFound(
        "players", [900, 900, 900, 100], 10, "cases submitted", cost=30, groups=list("aaab")
    )
    once = ErrorsFound("players", [900, 100], 10, "cases submitted", cost=30)
    a, b = compare_severities(copies, NONE).first, compare_severities(once, NONE).first
    assert a.shares == pytest.approx(b.shares)
    assert (a.n_errors, a.n_distinct, b.n_distinct) == (4, 2, 2)
    assert a.cost_per_error == b.cost_per_error == 15
    assert a.cost_per_severe == pytest.approx(30)
    assert a.rate == 0.4


def test_the_difference_of_the_severest_share_and_newcombes_interval():
    # Newcombe (1998), table II, example (a): 56/70 against 48/80, method 10: .0524 to .3339
    first = ErrorsFound("one", np.repeat([900, 100], [56, 14]), 70, "cases")
    second = ErrorsFound("two", np.repeat([900, 100], [48, 32]), 80, "cases")
    compared = compare_severities(first, second)
    assert compared.difference == pytest.approx(0.2)
    assert compared.difference_interval == pytest.approx([0.0524, 0.3339], abs=5e-5)
    back = compare_severities(second, first)
    assert back.difference == pytest.approx(-0.2)
    assert back.difference_interval == pytest.approx([-0.3339, -0.0524], abs=5e-5)


def test_who_found_nothing_is_said_to_have_found_nothing():
    compared = compare_severities(ErrorsFound("one", [900], 5, "cases", cost=10), NONE)
    assert compared.second.shares is None
    assert compared.second.intervals is None
    assert compared.second.reason == "nobody found no mistake among 10 cases inspected"
    assert compared.second.rate_interval.upper > 0.2
    assert compared.difference is None
    assert compared.difference_interval is None
    assert compared.first.cost_per_severe == 10
    assert compare_severities(NONE, NONE).first.cost_per_error is None


def test_other_buckets():
    found = ErrorsFound("one", [0, 99, 100, 1000], 5, "cases", cost=10)
    shares = compare_severities(found, NONE, edges=(0, 100, 1000)).first
    assert shares.shares == (0.5, 0.5)
    none_severe = compare_severities(ErrorsFound("one", [99], 5, "cases", cost=10), NONE).first
    assert none_severe.cost_per_severe is None


@pytest.mark.parametrize("edges", [(0, 500), (1, 1000), (0, 600, 500, 1000), (0, 500, 500, 1000)])
def test_edges_must_ascend_over_the_scale(edges):
    with pytest.raises(InputError, match="must ascend from 0 to 1000"):
        compare_severities(NONE, NONE, edges=edges)


def test_bad_input_is_named():
    with pytest.raises(InputError, match="2 mistakes were found among 1 cases"):
        ErrorsFound("one", [1, 2], 1, "cases")
    with pytest.raises(InputError, match="at least one must"):
        ErrorsFound("one", [], 0, "cases")
    for wrong in (-1, 1001):
        with pytest.raises(InputError, match=f"between 0 and 1000; got {wrong}"):
            ErrorsFound("one", [3, wrong], 2, "cases")
    with pytest.raises(InputError, match="groups and severities"):
        ErrorsFound("one", [1], 1, "cases", groups=[1, 2])
    with pytest.raises(InputError, match="one unit to be compared: got 'EUR' and ''"):
        compare_severities(ErrorsFound("one", [1], 1, "cases", cost=1, unit="EUR"), NONE)
