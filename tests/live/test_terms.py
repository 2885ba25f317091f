from __future__ import annotations

import math

import numpy as np
import pytest

from askpoint.errors import InputError, ObjectiveError, UnmetError
from askpoint.live.terms import Terms, least_budget, surely_unseen
from askpoint.measures.mixture_sequence import log_gamma_mixture


def test_least_allowance_is_where_no_audited_mistake_still_opens():
    least = least_budget(0.05)
    expected = (least - 1) * 0.05
    assert log_gamma_mixture(expected, 0) == pytest.approx(math.log(1 / 0.025))
    assert least == pytest.approx(4.9 / 0.05 + 1, abs=1)
    with pytest.raises(UnmetError, match=f"allow at least {math.ceil(least)}"):
        Terms("money", 0.05, mistake_budget=least - 1)
    assert Terms("money", 0.05, mistake_budget=least).budget == least
    assert Terms("money", 0.05, mistake_budget=1, has_budget=False).budget == 1


def test_what_no_method_can_rule_out():
    assert surely_unseen(0.05, 0.05) == pytest.approx(55, abs=1)
    assert surely_unseen(0.05, 0.2) == pytest.approx(13, abs=1)
    # simulated: answers all wrong until the first audit
    first = np.random.default_rng(0).geometric(0.05, 100_000) - 1
    assert np.mean(0.95 * first >= surely_unseen(0.05, 0.05)) == pytest.approx(0.05, abs=0.005)


def test_defaults_and_shares():
    terms = Terms("money", 0.05)
    assert terms.budget == 400
    assert terms.answer_below == pytest.approx(0.0475)
    assert Terms("promise", 0.05).answer_below == 0.05
    assert terms.planned_audits == 2000
    assert math.fsum(terms.episode_delta(e) for e in range(1, 10_000)) <= 0.05


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"aim": "luck"}, InputError, "aim must be one of money, promise"),
        ({"limit": 0}, ObjectiveError, "limit must be strictly between 0 and 1"),
        ({"rate": 0}, InputError, "audit rate must be above 0 and below 1; got 0. Without"),
        ({"rate": 1}, InputError, "audit rate must be above 0 and below 1; got 1"),
        ({"delta": 1}, InputError, "delta must be"),
        ({"watch_delta": 0}, InputError, "watch_delta must be"),
        (
            {"planned_decisions": 0},
            InputError,
            "planned_decisions and max_label_delay must be 1 or more",
        ),
        (
            {"max_label_delay": 0},
            InputError,
            "planned_decisions and max_label_delay must be 1 or more",
        ),
    ],
)
def test_impossible_terms_are_refused(options, error, message):
    with pytest.raises(error, match=message):
        Terms(**{"aim": "money", "limit": 0.05, **options})
