"""The form of a policy: reviewers' errors that a price holds already are taken out of it."""

from __future__ import annotations

import pytest

from askpoint.errors import InputError, ObjectiveError
from askpoint.server.deployments.policy_forms import TermsFields

GIVEN = {
    "aim": "money",
    "checks": 10,
    "audits": 5,
    "planned_decisions": 40_000,
    "max_label_delay": 2000,
    "why": "the first",
}


def question(**given):
    form = TermsFields(GIVEN | given)
    assert form.is_valid(), form.errors
    return form.question()


def test_an_untold_price_is_the_work_alone():
    assert question().limit == pytest.approx(1 / 10)


def test_of_a_told_price_the_errors_are_taken_out():
    assert question(people_right=95).limit == pytest.approx(1 / 10 - 0.05)
    assert 0 < question(people_right=90).limit < 1e-5


def test_a_price_that_cannot_hold_them_is_refused():
    with pytest.raises(ObjectiveError, match="Ask for the price again"):
        question(people_right=80)


def test_a_promise_has_no_price():
    assert question(aim="promise", error=5, people_right=80).limit == pytest.approx(0.05)


@pytest.mark.parametrize("checks", [10, None])
def test_a_price_in_money_comes_first(checks):
    assert question(mistake=40, check=2.5, checks=checks).limit == pytest.approx(2.5 / 40)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"mistake": 40}, "a price takes both amounts"),
        ({"check": 2.5}, "a price takes both amounts"),
        ({"mistake": 2, "check": 2.5}, "a mistake must cost more than a check; got 2 and 2.5"),
        ({"checks": None}, "say how many checks are worth one mistake"),
    ],
)
def test_half_a_price_is_refused(given, said):
    with pytest.raises(InputError, match=said):
        question(**given)
