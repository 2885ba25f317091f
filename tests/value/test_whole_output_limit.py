"""A limit on all cases, what people say of those in review included."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given, strategies as st

from askpoint.errors import NotEstimableError, ObjectiveError
from askpoint.value.curve import ValueCurve
from askpoint.value.limits import MaxMistakes


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
def test_the_limit_is_a_share(share):
    with pytest.raises(ObjectiveError, match="max-mistakes must be a share from 0 to 1; got"):
        MaxMistakes(share, 0.1)


@pytest.mark.parametrize("right", [0, 1.2, float("nan")])
def test_how_often_people_are_right_is_a_share_above_0(right):
    with pytest.raises(ObjectiveError, match="people-right must be a share above 0, up to 1; got"):
        MaxMistakes(0.1, 0.1, right)


def test_it_says_what_was_asked_for():
    limit = MaxMistakes(0.02, 0.1)
    assert limit.wish == "that at most 2% of all cases are wrong in the end"
    assert (limit.output_limit, limit.promise_delta, limit.is_promised) == (0.02, 0.1, True)


@given(st.lists(st.booleans(), min_size=1, max_size=60), st.integers(1, 60), st.integers(1, 60))
def test_it_stops_before_the_mistake_that_is_one_too_many(right, share, delta):
    n, p, level = len(right), Fraction(share, 64), Fraction(delta, 64)
    chances = [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
    accepted = sum(sum(chances[: k + 1]) <= level for k in range(n + 1)) - 1
    limit = MaxMistakes(float(p), float(level))
    curve = ValueCurve.from_outcomes(right, range(n, 0, -1))
    if accepted < 0:
        with pytest.raises(NotEstimableError, match=rf"takes [\d,]+ labels; there are {n}$"):
            limit.choose(curve)
        return
    wrong = np.cumsum(~np.array(right))
    found = limit.choose(curve).outcomes
    assert found.right + found.wrong == (wrong <= accepted).sum()
    assert found.wrong <= accepted


def test_a_share_of_0_can_never_be_promised_and_of_2_percent_from_the_labels_that_it_names():
    none = ValueCurve.from_outcomes([True] * 40, range(40))
    with pytest.raises(NotEstimableError, match="takes a share above 0 and more labels; there are"):
        MaxMistakes(0, 0.1).choose(none)
    with pytest.raises(NotEstimableError, match="takes 114 labels; there are 113"):
        MaxMistakes(0.02, 0.1).choose(ValueCurve.from_outcomes([True] * 113, range(113)))
    enough = ValueCurve.from_outcomes([True] * 114, range(114))
    assert MaxMistakes(0.02, 0.1).choose(enough).outcomes.asked == 0


def test_weighted_labels_and_people_who_err_are_refused():
    weighted = ValueCurve.from_outcomes([True] * 3, range(3), sample_weight=[1.0, 2.0, 0.5])
    with pytest.raises(ObjectiveError, match="guarantees count cases"):
        MaxMistakes(0.1, 0.1).choose(weighted)
    with pytest.raises(ObjectiveError, match="where people err"):
        MaxMistakes(0.1, 0.1, 0.9).choose(ValueCurve.from_outcomes([True] * 99, range(99)))
