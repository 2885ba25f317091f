"""One thing is asked at a time."""

from __future__ import annotations

import pytest

from askpoint.answers.value.question import ValueQuestion
from askpoint.errors import InputError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.exchange import Prices
from askpoint.value.objectives import (
    AskAtMost,
    CheckCost,
    FBeta,
    MaxError,
    MinPrecision,
    MinRecall,
    MistakeCost,
)

COSTS = CostMatrix.zero_one(["ham", "spam"], reject_cost=0.5)
PRICES = Prices(1, 0, -1)


@pytest.mark.parametrize(
    "two",
    [
        {"objective": MistakeCost(1), "costs": COSTS},
        {"objective": MistakeCost(1), "prices": PRICES},
        {"costs": COSTS, "prices": PRICES},
    ],
)
def test_two_objectives_are_refused(two):
    with pytest.raises(InputError, match="state one objective"):
        ValueQuestion(**two)


@pytest.mark.parametrize(
    ("question", "is_limit", "states_price"),
    [
        (ValueQuestion(), False, True),
        (ValueQuestion(MistakeCost(1)), False, True),
        (ValueQuestion(CheckCost(1)), False, True),
        (ValueQuestion(costs=COSTS), False, True),
        (ValueQuestion(prices=PRICES), False, True),
        (ValueQuestion(FBeta(1)), False, False),
        (ValueQuestion(AskAtMost(1)), True, False),
        (ValueQuestion(MaxError(0.1)), True, False),
        (ValueQuestion(MinRecall("ham", 0.9)), True, False),
        (ValueQuestion(MinPrecision("ham", 0.9)), True, False),
    ],
)
def test_a_limit_is_no_price(question, is_limit, states_price):
    assert question.is_limit is is_limit
    assert question.states_price is states_price
