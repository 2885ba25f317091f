"""One objective is asked, whatever it is, by one parameter."""

from __future__ import annotations

import polars as pl
import pytest

from askpoint.answers.value.question import ASSUMED_CHECKS
from askpoint.answers.value.verdict import answer_value
from askpoint.errors import CostsError, InputError, ObjectiveError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.exchange import Prices
from askpoint.records.logs import read_log
from askpoint.value.by_class import MinPrecision, MinRecall
from askpoint.value.cost_curves import GreatestWorth, LeastCost
from askpoint.value.limits import AskAtMost, MaxError, MeanError
from askpoint.value.priced import CheckCost, FBeta, MistakeCost
from askpoint.value.reviewer_errors import CheckWork, ReviewerErrors

COSTS = CostMatrix(["ham", "spam"], [[0, 1], [0.8, 0]], reject_cost=0.5, unit="mistakes")
PRICES = Prices(1, 0, -1)
LOG = read_log(
    pl.DataFrame(
        {
            "label": ["ham", "spam"] * 20,
            "proba_ham": [0.9, 0.2, 0.4, 0.3] * 10,
            "proba_spam": [0.1, 0.8, 0.6, 0.7] * 10,
        }
    )
)


@pytest.mark.parametrize(
    ("objective", "is_limit", "states_price", "unit"),
    [
        (MistakeCost(1), False, True, "checks"),
        (CheckCost(1), False, True, "checks"),
        (LeastCost(COSTS), False, True, "mistakes"),
        (GreatestWorth(PRICES), False, True, "money"),
        (CheckWork(0.1), False, True, "mistakes"),
        (ReviewerErrors([], [0.9], 0.1), False, True, "mistakes"),
        (FBeta(1), False, False, "checks"),
        (AskAtMost(1), True, False, "checks"),
        (MaxError(0.1), True, False, "checks"),
        (MeanError(0.1), True, False, "checks"),
        (MinRecall("ham", 0.9), True, False, "checks"),
        (MinPrecision("ham", 0.9), True, False, "checks"),
    ],
)
def test_a_limit_is_no_price(objective, is_limit, states_price, unit):
    assert (objective.is_limit, objective.states_price) == (is_limit, states_price)
    assert objective.unit == unit


@pytest.mark.parametrize(
    ("wish", "objective"),
    [(COSTS, LeastCost(COSTS)), (PRICES, GreatestWorth(PRICES)), (FBeta(1), FBeta(1))],
)
def test_costs_and_prices_are_taken_for_objectives(wish, objective):
    found, same = answer_value(LOG, wish), answer_value(LOG, objective)
    assert type(found.question.objective) is type(objective)
    assert found.point == same.point
    assert found.baselines == same.baselines
    assert not found.question.is_assumed


def test_costs_that_are_alike_are_one_price():
    alike = CostMatrix.zero_one(["spam", "ham"], reject_cost=0.1)
    assert answer_value(LOG, alike).question.objective == CheckCost(0.1)
    ends = {"level": 0.9, "checks": {"ham": [5, 20], "spam": [5, 20]}}
    wide = CostMatrix(["ham", "spam"], [[0, 2], [2, 0]], 0.2, interval=ends)
    assert answer_value(LOG, wide).question.objective == CheckCost(0.1, (5, 20))
    for other in (
        CostMatrix(["ham", "spam"], [[0, 2], [1, 0]], 0.2),
        CostMatrix(["ham", "spam"], [[0, 1], [1, 0]], [0.2, 0.1]),
        CostMatrix(["ham", "spam"], [[0, 1], [1, 0]], 2),
        CostMatrix(
            ["ham", "spam"],
            [[0, 1], [1, 0]],
            0.2,
            interval={"cost": {"ham": [1, 2], "spam": [1, 2]}},
        ),
    ):
        assert answer_value(LOG, other).question.objective.costs == other
    with pytest.raises(CostsError, match="but these were given: ham, spam"):
        answer_value(LOG, CostMatrix.zero_one(["ham", "eggs"], reject_cost=0.1))
    with pytest.raises(ObjectiveError, match="two finite ends above 0"):
        CheckCost(0.1, (0, 3))


def test_without_an_objective_a_price_is_assumed():
    found = answer_value(LOG)
    assert found.question.is_assumed
    assert found.rate.checks_per_mistake == ASSUMED_CHECKS


def test_what_is_no_objective_or_level_is_refused():
    with pytest.raises(ObjectiveError, match="an objective is a value such as"):
        answer_value(LOG, 0.05)
    with pytest.raises(InputError, match="level must be strictly between 0 and 1; got 1"):
        answer_value(LOG, level=1)
