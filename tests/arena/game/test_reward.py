from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.arena.game.designs import DESIGNS
from askpoint.arena.game.probe import prizes_of
from askpoint.arena.game.reward import (
    BY_REPEATS,
    SCHEMES,
    boundary_share,
    error_share,
    round_points,
    scheme_end,
    scheme_severities,
    unsure_share,
)
from askpoint.arena.game.terms import CampaignTerms
from askpoint.errors import CostsError, InputError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.model_answer import ModelAnswer
from askpoint.unknowns.severity import severities

BINARY = CostMatrix.zero_one(["normal", "hate"])
PROBABILITY = st.integers(0, 10_000).map(lambda n: n / 10_000)


def points(p: float, scheme: str, costs: CostMatrix = BINARY) -> int:
    probabilities = [p, 1 - p]
    end = scheme_end(costs, scheme)
    return round_points(
        1000 * error_share(probabilities, "normal", costs, truth="hate", scheme=scheme, end=end)
    )


@pytest.mark.parametrize(
    ("scheme", "expected"),
    [
        ("minimum-cost", [200, 500, 800, 980]),
        ("expected-cost", [40, 250, 640, 960]),
        ("wrong-class", [600, 750, 900, 990]),
        (BY_REPEATS, [600, 750, 900, 990]),
        ("flat", [1000] * 4),
    ],
)
def test_the_specs_rewards(scheme, expected):
    assert [points(p, scheme) for p in (0.6, 0.75, 0.9, 0.99)] == expected


@settings(deadline=None)
@given(st.integers(5000, 10_000))
def test_rounding_is_half_up_as_in_exact_arithmetic(n):
    exact = Decimal(1000) * (2 * Decimal(n) / 10_000 - 1)
    assert points(n / 10_000, "minimum-cost") == int(exact.quantize(Decimal(1), ROUND_HALF_UP))
    exact = Decimal(1000) * (1 - 4 * Decimal(n) / 10_000 * (1 - Decimal(n) / 10_000))
    assert points(n / 10_000, "expected-cost") == int(exact.quantize(Decimal(1), ROUND_HALF_UP))


def test_rounding_up_from_a_half_and_not_to_even():
    assert [round_points(x) for x in (0.5, 1.5, 2.5, 0.49999, 199.99999999999997)] == [
        1,
        2,
        3,
        0,
        200,
    ]


@settings(deadline=None)
@given(st.lists(st.integers(0, 50), min_size=3, max_size=3).filter(any), st.integers(0, 2))
def test_many_classes_against_fractions(weights, decided):
    classes = ["a", "b", "c"]
    costs = CostMatrix.zero_one(classes)
    p = [Fraction(w, sum(weights)) for w in weights]
    exact = {
        "minimum-cost": max(Fraction(0), 1 - (1 - p[decided]) / Fraction(2, 3)),
        "expected-cost": max(Fraction(0), 1 - (1 - sum(x * x for x in p)) / Fraction(2, 3)),
        "wrong-class": p[decided],
        "flat": Fraction(1),
    }
    for scheme, expected in exact.items():
        got = error_share(
            [float(x) for x in p],
            classes[decided],
            costs,
            truth=classes[decided - 1],
            scheme=scheme,
            end=scheme_end(costs, scheme),
        )
        assert got == pytest.approx(float(expected), abs=1e-9)


def test_a_chat_models_mistake_is_its_cost_times_how_often_it_repeats():
    classes = ["fine", "rude", "threat"]
    costs = CostMatrix(classes, [[0, 1, 2], [3, 0, 1], [8, 4, 0]])
    asked = ["fine", "fine", "fine", "rude", "threat"]  # five times
    p = [asked.count(name) / 5 for name in classes]
    on = CampaignTerms(costs, designs=[4], scheme=BY_REPEATS, boundary_pay=True)
    # what the mistake costs, of 8 at most; three of five answers make it
    worth = {"fine": Fraction(0), "rude": Fraction(3, 8), "threat": Fraction(8, 8)}
    got = prizes_of(on, ModelAnswer(tuple(p), "fine"))
    assert [prize.points for prize in got[1:]] == [
        round_points(1000 * worth[name] * Fraction(3, 5)) for name in classes[1:]
    ]
    assert [prize.found for prize in got] == [False, True, True]
    severe = scheme_severities([p] * 3, costs, ["fine"] * 3, classes, scheme=BY_REPEATS)
    assert severe.tolist() == pytest.approx([float(600 * worth[name]) for name in classes])
    assert "The model is asked several times." in DESIGNS[4].rule(on)
    usual = scheme_severities([p] * 3, costs, ["fine"] * 3, classes, scheme="minimum-cost")
    assert usual.tolist() == severities([p] * 3, costs, ["fine"] * 3, classes).tolist()


@settings(deadline=None)
@given(PROBABILITY, st.integers(1, 20), st.integers(1, 20))
def test_costly_mistakes_shift_the_scale(p, miss, alarm):
    costs = CostMatrix(["normal", "hate"], [[0, alarm], [miss, 0]])
    value = Fraction(miss * alarm, miss + alarm)
    deployed = Fraction(p).limit_denominator(10_000)
    expected = max(Fraction(0), 1 - (1 - deployed) * miss / value)
    end = scheme_end(costs, "minimum-cost")
    share = error_share([p, 1 - p], "normal", costs, truth="hate", scheme="minimum-cost", end=end)
    assert share == pytest.approx(float(expected), abs=1e-9)


def test_what_the_schemes_pay_for_a_coin_flip():
    assert [boundary_share(BINARY, scheme) for scheme in SCHEMES] == [0, 0, 0.5, 0.5, 1]
    dear = CostMatrix(["normal", "hate"], [[0, 1], [9, 0]])
    # ExpCost peaks at one half, the decision turns at .1: 1 - 4 x .1 x .9 = .64
    assert boundary_share(dear, "expected-cost") == 0.64
    assert boundary_share(dear, "minimum-cost") == 0


@settings(deadline=None)
@given(PROBABILITY)
def test_the_small_bonus_falls_to_nothing_at_the_turn_away_bound(p):
    exact = (Fraction(8, 10) - Fraction(p).limit_denominator(10_000)) / Fraction(3, 10)
    expected = min(Fraction(1), max(Fraction(0), exact))
    assert unsure_share(p, 0.8) == pytest.approx(float(expected), abs=1e-9)


def test_bad_inputs():
    with pytest.raises(InputError, match="a reward scheme must be one of"):
        scheme_end(BINARY, "generous")
    with pytest.raises(InputError, match="a reward scheme must be one of"):
        error_share([0.5, 0.5], "normal", BINARY, truth="hate", scheme="generous", end=1)
    with pytest.raises(InputError):
        error_share([0.5, np.nan], "normal", BINARY, truth="hate", scheme="minimum-cost", end=0.5)
    with pytest.raises(InputError, match="between 0 and 1"):
        unsure_share(1.5, 0.8)
    with pytest.raises(CostsError, match="never costs anything"):
        scheme_end(CostMatrix(["a", "b"], [[0, 1], [0, 0]]), "minimum-cost")
