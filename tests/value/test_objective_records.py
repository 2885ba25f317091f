"""What an objective says of itself: reports ask it instead of knowing its kind."""

from __future__ import annotations

import numpy as np
import pytest

from askpoint.errors import InputError, ObjectiveError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.exchange import ExchangeRate, Prices
from askpoint.measures.outcomes import Outcomes
from askpoint.value.by_class import MinPrecision, MinRecall
from askpoint.value.cost_curves import GreatestWorth, LeastCost
from askpoint.value.curve import ValueCurve
from askpoint.value.limits import AskAtMost, MaxError, MeanError
from askpoint.value.objectives import ClassLimit, Objective
from askpoint.value.posterior.best_threshold import expected_best
from askpoint.value.posterior.rightness import RightnessPosterior
from askpoint.value.priced import CheckCost, FBeta
from askpoint.value.reviewer_errors import CheckWork, ReviewerErrors

OUTCOMES = Outcomes(right=6, wrong=1, asked=3)
MATRIX = CostMatrix.zero_one(["ham", "spam"], reject_cost=0.05)
PRICES = Prices(right=1, ask=-0.5, wrong=-20)


@pytest.mark.parametrize(
    ("objective", "wish"),
    [
        (AskAtMost(0.25), "for at most 25% of the cases to go to review"),
        (AskAtMost(1), "for at most 1 case to go to review"),
        (AskAtMost(1500), "for at most 1,500 cases to go to review"),
        (MaxError(0.05), "for at most 5% mistakes among the answers"),
        (FBeta(0.5), "for the greatest F with beta 0.5"),
        (CheckCost(0.1), "for CheckCost"),
    ],
)
def test_what_was_asked_for(objective, wish):
    assert objective.wish == wish


@pytest.mark.parametrize(
    ("objective", "words"),
    [
        (MinRecall("spam", 0.9), "at least 90% of the cases 'spam'"),
        (MinPrecision("spam", 0.9), "answers 'spam' are right at least 90%"),
        (MeanError(0.02), "on average, at most 2% are answered wrongly"),
    ],
)
def test_limits_of_a_class_and_of_the_mean(objective, words):
    assert words in objective.wish


def test_what_is_promised_of_new_cases():
    promised = [MaxError(0.05), MaxError(0.05, delta=0.1), MeanError(0.05), CheckCost(0.05)]
    assert [objective.is_promised for objective in promised] == [False, True, True, False]


def test_a_share_counts_weight_and_a_number_counts_cases():
    assert (AskAtMost(0.2).counts_weight, AskAtMost(20).counts_weight) == (True, False)
    assert CheckCost(0.1).counts_weight
    assert (AskAtMost(0.2).share_of(50), AskAtMost(20).share_of(50)) == (0.2, 0.4)
    assert AskAtMost(20).share_of(10) == CheckCost(0.1).share_of(10) == 1
    assert AskAtMost(20).loss(OUTCOMES) == pytest.approx(1 / 10)


def test_costs_in_the_unit_of_each():
    rate = ExchangeRate.from_checks(20)
    assert CheckCost(0.05).unit == AskAtMost(0.2).unit == "checks"
    assert AskAtMost(0.2).cost(OUTCOMES, rate) == pytest.approx(1000 * (3 + 20) / 10)
    assert AskAtMost(0.2).cost(OUTCOMES, None) is None
    worth = GreatestWorth(PRICES)
    assert (worth.name, worth.unit, worth.rate) == ("Prices", "money", PRICES.rate)
    assert worth.stated == {"right": 1, "ask": -0.5, "wrong": -20}
    assert worth.measure(OUTCOMES) == pytest.approx(OUTCOMES.money(PRICES) / 10)
    assert worth.cost(OUTCOMES, rate) == pytest.approx(-1000 * worth.measure(OUTCOMES))


def test_costs_of_decisions_have_no_one_price():
    least = LeastCost(MATRIX)
    assert (least.name, least.costs, least.rate) == ("Costs", MATRIX, None)
    assert least.stated == {"unit": MATRIX.unit}
    assert least.unit == (MATRIX.unit or "units of cost")
    assert not least.has_one_price
    assert CheckCost(0.05).has_one_price
    with pytest.raises(InputError, match="make the curve with cost_curve"):
        least.choose(ValueCurve.from_outcomes([1, 0], [0.9, 0.8]))


def test_people_who_err_are_stated():
    work = CheckWork(0.05, 0.9)
    assert work.name == "ReviewerErrors"
    assert work.stated == {"check_price": 0.05, "people_right": 0.9}
    assert not work.has_one_price
    people = ReviewerErrors([0.5], np.array([0.9, 0.95]), 0.05)
    assert people.stated == {"check_price": 0.05, "people_right": None}


def test_models_are_ordered_by_what_is_asked():
    assert MaxError(0.05).loss(OUTCOMES) == pytest.approx(-7 / 10)
    assert CheckCost(0.05).loss(OUTCOMES) is None
    assert FBeta(1).loss(OUTCOMES) == pytest.approx(-FBeta(1).measure(OUTCOMES))
    with pytest.raises(ObjectiveError, match="is a limit and does not measure"):
        MaxError(0.05).measure(OUTCOMES)
    with pytest.raises(NotImplementedError):
        Objective().choose(ValueCurve.from_outcomes([1, 0], [0.9, 0.8]))


def test_no_threshold_for_all_cases_where_each_has_a_price_of_its_own():
    posterior = RightnessPosterior().fit([0.9, 0.6], [True, False])
    with pytest.raises(ObjectiveError, match="is not answered from the posterior"):
        expected_best(posterior, LeastCost(MATRIX))


def test_each_says_only_its_own_limit():
    assert MinRecall("spam", 0.9).class_limit == ClassLimit("recall", "spam", 0.9)
    assert MinPrecision("ham", 0.8).class_limit == ClassLimit("precision", "ham", 0.8)
    assert (AskAtMost(30).capacity, MaxError(0.05).error_limit) == (30, 0.05)
    assert (MaxError(0.05).promise_delta, MaxError(0.05, delta=0.1).promise_delta) == (None, 0.1)
    assert FBeta(2).recall_weight == 2
    plain = CheckCost(0.1)
    assert plain.stated == {"rho": 0.1}
    limits = (plain.capacity, plain.error_limit, plain.promise_delta, plain.recall_weight)
    assert (*limits, plain.class_limit) == (None,) * 5
    people = ReviewerErrors([0.5], np.array([0.9, 0.95]), 0.05)
    assert people.unit == CheckWork(0.05).unit == "mistakes"


def test_the_greatest_worth_is_the_least_cost_of_mistakes():
    curve = ValueCurve.from_outcomes([1, 1, 0, 1], [0.9, 0.8, 0.7, 0.6])
    assert GreatestWorth(PRICES).choose(curve).threshold == 0.8  # 13 right for one wrong
