from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from arena.game.scene import HATE, NOW, SURE, arena, terms
from askpoint.arena.game.probe import Prize, check_answer, feedback_on, prizes_of, turn_away_reason
from askpoint.arena.game.terms import CampaignTerms, Sought
from askpoint.errors import InputError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.model_answer import ModelAnswer

JOBS = CostMatrix.zero_one(["design", "statistics", "writing"])


def answer(p: float) -> ModelAnswer:
    """The model gives `p` to hate and decides for the likelier class."""
    return ModelAnswer((1 - p, p), "hate" if p > 0.5 else "normal")


def test_a_constant_bonus_for_any_error_without_designs_3_to_5():
    for designs in ([1], [1, 2]):
        given = terms(designs=designs)
        assert prizes_of(given, answer(0.1), 1.0) == (Prize(0, False), Prize(1000, True))
        assert prizes_of(given, answer(0.9), 1.0) == (Prize(1000, True), Prize(0, False))
        assert turn_away_reason(given, answer(0.99)) == ""


def test_design_3_pays_for_the_sought_error_alone():
    given = terms(designs=[1, 2, 3])
    assert prizes_of(given, answer(0.1)) == (Prize(0, False), Prize(1000, True))
    assert prizes_of(given, answer(0.6)) == (Prize(0, False), Prize(0, False))


def test_design_3_turns_away_what_the_model_is_sure_of():
    given = terms(designs=[3])
    assert "is sure that this is 'hate'" in turn_away_reason(given, answer(0.8))
    for p in (0.79, 0.6, 0.5, 0.1):  # unsure, or taken for normal
        assert turn_away_reason(given, answer(p)) == ""


def test_design_3_turns_away_another_class():
    given = CampaignTerms(JOBS, designs=[3], sought=Sought("design", "statistics"))
    other = ModelAnswer((0.1, 0.2, 0.7), "writing")
    assert "decides for 'writing'" in turn_away_reason(given, other)
    assert turn_away_reason(given, ModelAnswer((0.7, 0.2, 0.1), "design")) == ""
    prizes = prizes_of(given, ModelAnswer((0.1, 0.7, 0.2), "statistics"))
    assert [prize.found for prize in prizes] == [True, False, False]


def test_a_decision_that_is_not_the_likeliest_is_taken_as_deployed():
    dear = CostMatrix(["normal", "hate"], [[0, 1], [9, 0]])
    given = CampaignTerms(dear, designs=[1, 4])
    prizes = prizes_of(given, ModelAnswer((0.85, 0.15), "hate"))  # .85 expected cost of at most .9
    assert prizes[0] == Prize(round(1000 * (1 - 0.85 / 0.9)), True)


def test_design_4_pays_by_how_wrongly_sure_the_model_was():
    given = terms(designs=[3, 4])
    points = [prizes_of(given, answer(1 - p))[1].points for p in (0.6, 0.75, 0.9, 0.99)]
    assert points == [200, 500, 800, 980]


@pytest.mark.parametrize(("p", "points"), [(0.51, 97), (0.6, 67), (0.65, 50), (0.79, 3), (0.8, 0)])
def test_design_4_pays_a_small_bonus_to_the_right_but_unsure(p, points):
    prizes = prizes_of(terms(designs=[1, 4]), answer(p))
    assert prizes[1] == Prize(points, False)
    assert prizes_of(terms(designs=[3, 4]), answer(p))[1] == Prize(points, False)
    assert prizes_of(terms(designs=[3]), answer(p))[1] == Prize(0, False)
    # the sought class is hate: an unsure normal earns nothing
    assert prizes_of(terms(designs=[3, 4]), answer(1 - p))[0] == Prize(0, False)


@settings(deadline=None)
@given(st.floats(0.5, 1), st.floats(0, 1))
def test_design_5_never_takes_more_than_its_share(p, similarity):
    given = terms(designs=[3, 4, 5])
    full = prizes_of(given, answer(1 - p))[1].points
    shrunk = prizes_of(given, answer(1 - p), similarity)[1].points
    assert full // 10 <= shrunk <= full
    assert prizes_of(given, answer(1 - p), 0.0)[1].points == full
    without = terms(designs=[3, 4])
    assert prizes_of(without, answer(1 - p), similarity)[1].points == full


def test_design_5_leaves_the_small_bonus_alone():
    assert prizes_of(terms(), answer(0.65), 1.0)[1] == Prize(50, False)


@pytest.mark.parametrize("similarity", [-0.1, 1.1, float("nan")])
def test_a_similarity_outside_0_and_1(similarity):
    with pytest.raises(InputError, match="between 0 and 1"):
        prizes_of(terms(), SURE, similarity)


@pytest.mark.parametrize(
    "wrong",
    [
        ModelAnswer((0.5, 0.5), "spam"),
        ModelAnswer((1.0,), "hate"),
        ModelAnswer((0.2, 0.3, 0.5), "hate"),
        ModelAnswer((float("nan"), 0.5), "hate"),
        ModelAnswer((0.9, 0.9), "hate"),
    ],
)
def test_an_answer_that_does_not_fit_the_campaign(wrong):
    with pytest.raises(InputError):
        check_answer(wrong, terms())


def test_what_the_player_is_shown_at_once():
    assert feedback_on(terms(designs=[1]), arena_probe([1])) is None
    shown = feedback_on(terms(), arena_probe([2, 3, 4, 5]))
    assert (shown.decision, shown.confidence, shown.points, shown.similarity) == (
        "normal",
        0.9,
        800,
        0.0,
    )
    away = arena_probe([3], answer(0.9))
    assert away.state == "turned-away"
    assert "sure" in feedback_on(terms(designs=[3]), away).reason


def arena_probe(designs, said=SURE):
    game = arena(designs=designs, sought=HATE)
    return game.try_case("alice", "one", said, NOW)
