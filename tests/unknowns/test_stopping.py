"""When an examination knows enough."""

import numpy as np
import pytest

from askpoint.errors import InputError
from askpoint.measures.intervals import Interval
from askpoint.unknowns.findings import FindingEstimate
from askpoint.unknowns.population import looking_interval
from askpoint.unknowns.stopping import StopAtBound, StopAtWidth

FOUND = FindingEstimate(0.2, None, Interval(0.02, 0.05))
PICKED = FindingEstimate(0.2, None, None, "picked, not drawn")


def test_a_width():
    assert StopAtWidth(0.03 + 1e-9).advice(FOUND, 100).enough
    advice = StopAtWidth(0.01).advice(FOUND, 100)
    assert not advice.enough
    assert advice.further == 800  # three times as narrow takes nine times as many
    assert "0.03" in advice.reason


@pytest.mark.parametrize(
    ("bound", "enough", "word"),
    [
        (0.06, True, "below"),
        (0.01, True, "above"),
        (0.03, False, "either side"),
        (0.05, False, "either side"),
    ],
)
def test_a_bound(bound, enough, word):
    advice = StopAtBound(bound).advice(FOUND, 100)
    assert advice.enough == enough
    assert word in advice.reason


@pytest.mark.parametrize("rule", [StopAtWidth(1), StopAtBound(1)])
def test_nothing_is_ever_known_of_what_was_picked(rule):
    advice = rule.advice(PICKED, 100)
    assert (advice.enough, advice.reason, advice.further) == (False, "picked, not drawn", None)


@pytest.mark.parametrize("width", [0, -1, np.nan])
def test_a_width_must_be_above_0(width):
    with pytest.raises(InputError, match="narrower than nothing"):
        StopAtWidth(width)


def test_the_further_cases_foretold_are_about_right():
    rng = np.random.default_rng(3)
    values = rng.random(4000) < 0.1
    strata = np.zeros(4000, dtype=int)

    def advice(n):
        interval = looking_interval(values[:n], strata[:n], [4000], [10**6])
        return StopAtWidth(0.03).advice(FindingEstimate(values[:n].mean(), None, interval), n)

    foretold = 1000 + advice(1000).further
    reached = next(n for n in range(1000, 4000, 50) if advice(n).enough)
    # too many rather: stakes are set for the whole plan, so the interval narrows faster than root n
    assert 0.8 * reached <= foretold <= 2 * reached
