from __future__ import annotations

from dataclasses import replace

import pytest

from arena.game.scene import HOUR, MINUTE, NOW, SURE, arena, submitted
from askpoint.arena.game.feedback import Resemblance
from askpoint.arena.game.submissions import Tries, check_tries, submit_case
from askpoint.errors import InputError, RuleError
from askpoint.measures.model_answer import ModelAnswer


def test_a_try_costs_nothing_and_promises_provisionally():
    game = arena()
    probe = game.try_case("alice", "one", SURE, NOW)
    assert (probe.state, probe.best_prize, probe.answer) == ("tried", 800, SURE)
    assert probe.prize.points == 0
    assert game.available == 100_000


def test_submitting_reserves_the_most_that_it_can_cost():
    game = arena()
    probe = submitted(game)
    assert (probe.state, probe.submitted) == ("submitted", NOW)
    assert game.available == 100_000 - (10 + 800 + 3 * 100)
    ruling = game.rulings[probe.id]
    assert (ruling.author, ruling.options, ruling.reserved) == ("alice", ("normal", "hate"), 1110)


def test_a_double_click_submits_once():
    game = arena()
    probe = submitted(game)
    with pytest.raises(RuleError, match="submitted already") as caught:
        game.submit(probe.id, NOW)
    assert caught.value.rule == "submitted-before"
    assert game.available == 100_000 - 1110


def test_an_exact_duplicate_is_refused_before_scoring_and_at_submission():
    game = arena()
    raced = game.try_case("eve", "one", SURE, NOW)  # two tabs, one case
    submitted(game, "one")
    for move in (
        lambda: game.try_case("eve", "one", SURE, NOW),
        lambda: game.try_case("alice", "one", SURE, NOW),
        lambda: game.submit(raced.id, NOW),
    ):
        with pytest.raises(RuleError, match="submitted before") as caught:
            move()
        assert caught.value.rule == "exact-duplicate"


def test_a_case_that_was_turned_away_cannot_be_submitted():
    game = arena()
    probe = game.try_case("alice", "one", ModelAnswer((0.1, 0.9), "hate"), NOW)
    with pytest.raises(RuleError, match="turned away: the model is sure") as caught:
        game.submit(probe.id, NOW)
    assert caught.value.rule == "turned-away"
    assert game.available == 100_000  # neither base pay nor a reservation


def test_nobody_submits_the_case_of_another():
    game = arena()
    probe = game.try_case("alice", "one", SURE, NOW)
    game.probes[probe.id] = replace(probe, player="eve")
    game.submit(probe.id, NOW)  # Eve's own now
    with pytest.raises(RuleError, match="not alice's to submit") as caught:
        submit_case(
            game.campaign,
            game.players["alice"],
            game.probes[probe.id],
            NOW,
            available=game.available,
        )
    assert caught.value.rule == "not-own-case"


def test_the_score_is_frozen_at_submission():
    game = arena()
    tried = game.try_case("alice", "one", SURE, NOW, Resemblance(0.0, "v1"))
    assert tried.best_prize == 800
    frozen = game.submit(tried.id, NOW, Resemblance(0.5, "v2"))
    assert (frozen.best_prize, frozen.resemblance) == (440, Resemblance(0.5, "v2"))
    kept = game.submit(game.try_case("alice", "two", SURE, NOW, Resemblance(0.5, "v1")).id, NOW)
    assert kept.resemblance == Resemblance(0.5, "v1")


def test_an_answer_of_the_wrong_shape_makes_no_probe():
    game = arena()
    for wrong in (ModelAnswer((1.0,), "hate"), ModelAnswer((float("nan"), 1.0), "hate")):
        with pytest.raises(InputError):
            game.try_case("alice", "one", wrong, NOW)
    assert game.probes == {}


def test_tries_are_limited_by_the_hour():
    game = arena(tries_per_hour=3)
    for i in range(3):
        game.try_case("alice", str(i), SURE, NOW + i * MINUTE)
    with pytest.raises(RuleError, match="3 are allowed") as caught:
        game.try_case("alice", "more", SURE, NOW + 59 * MINUTE)
    assert caught.value.rule == "too-many-tries"
    game.try_case("eve", "hers", SURE, NOW + 59 * MINUTE)
    game.try_case("alice", "more", SURE, NOW + HOUR)
    with pytest.raises(RuleError, match="network address has tried 1000"):
        check_tries(game.campaign, Tries(0, 1000))


def test_unknown_people_and_cases():
    game = arena()
    for move in (
        lambda: game.try_case("charlie", "one", SURE, NOW),
        lambda: game.claim("charlie", NOW),
        lambda: game.submit("case-9", NOW),
        lambda: game.vote("bob", "case-9", "hate", NOW),
    ):
        with pytest.raises(RuleError, match="there is no") as caught:
            move()
        assert caught.value.rule == "unknown"
