from __future__ import annotations

import math

import pytest

from askpoint.errors import InputError, UnmetError
from askpoint.live.audits import audits_to_detect, rate_from_changes, rate_to_detect


@pytest.mark.parametrize(  # the design's table
    ("limit", "risk", "audits"),
    [
        (0.05, 0.1, 633),
        (0.05, 0.15, 186),
        (0.05, 0.2, 94),
        (0.05, 0.5, 16),
        (0.02, 0.04, 1649),
        (0.02, 0.1, 155),
        (0.1, 0.2, 295),
    ],
)
def test_audits_are_those_of_the_table(limit, risk, audits):
    assert audits_to_detect(limit, risk, horizon=2000) == pytest.approx(audits, abs=0.6)


def test_the_rate_is_a_fixed_point_of_its_own_horizon():
    notice = rate_to_detect(0.05, 0.1, 10_000, coverage=0.6, planned_decisions=40_000)
    audits = audits_to_detect(0.05, 0.1, horizon=notice.rate * 40_000)
    assert notice.audits == pytest.approx(audits)
    assert notice.rate == pytest.approx(audits / 6000)
    # the design's sentence takes the horizon of 5% audits: 2,000
    sentence = audits_to_detect(0.05, 0.1, horizon=2000) / 6000
    assert sentence == pytest.approx(0.106, abs=0.0005)
    assert sentence < notice.rate
    assert notice.per_thousand == pytest.approx(600 * notice.rate)
    sooner = rate_to_detect(0.05, 0.1, 5000, coverage=0.6, planned_decisions=40_000)
    assert sooner.rate > notice.rate
    assert (
        rate_to_detect(0.05, 0.2, 10_000, coverage=0.6, planned_decisions=40_000).rate < notice.rate
    )


def test_what_no_audit_can_show_is_refused_with_what_can():
    with pytest.raises(UnmetError, match=r"not even auditing every answer.*at least \d+ decisions"):
        rate_to_detect(0.05, 0.06, 1000, coverage=0.5, planned_decisions=40_000)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"risk": 0.04}, "a rise goes from the limit 0.05 to a risk above"),
        ({"coverage": 0}, "coverage must be above 0"),
        ({"within": 50_000}, "within must be at most the 40000 planned decisions; got 50000"),
    ],
)
def test_bad_questions_are_refused(options, message):
    given = {
        "limit": 0.05,
        "risk": 0.1,
        "within": 1000,
        "coverage": 0.5,
        "planned_decisions": 40_000,
    }
    with pytest.raises(InputError, match=message):
        rate_to_detect(**{**given, **options})


def test_the_rate_of_least_cost_is_where_both_costs_are_equal():
    nu, loss, audits, rho = 1 / 8000, 0.086, 130, 0.05
    rate = rate_from_changes(nu, loss, audits, rho)
    assert rate == pytest.approx(0.17, abs=0.005)

    def cost(pi):
        return rho * pi + nu * loss * audits / pi

    assert cost(rate) < min(cost(0.9 * rate), cost(1.1 * rate))
    assert math.isclose(rho * rate, nu * loss * audits / rate)
    assert rate_from_changes(1, 1, 1000, 0.05) == 0.5


def test_rates_need_positive_numbers():
    with pytest.raises(InputError, match="must be above 0"):
        rate_from_changes(0, 1, 1, 1)
