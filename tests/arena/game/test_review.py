from __future__ import annotations

import pytest

from arena.game.scene import DAY, MINUTE, NOW, SURE, arena, judged, submitted
from askpoint.arena.game.campaign import return_funds
from askpoint.arena.game.player import PlayerState, readmit_player
from askpoint.errors import InputError, RuleError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.model_answer import ModelAnswer

JOBS = {"costs": CostMatrix.zero_one(["design", "statistics", "writing"]), "designs": [1, 2, 4]}
JOB = ModelAnswer((0.1, 0.8, 0.1), "statistics")


def reserved(game) -> int:
    return game.ledger.balance(game.campaign.reserved)


def test_an_appeal_goes_to_the_organiser_whose_word_is_the_last():
    game = arena()
    case = submitted(game).id
    judged(game, case, {"bob": "normal", "beth": "normal"})
    assert (game.withdrawable("alice"), reserved(game)) == (10, 0)
    game.appeal("alice", case, NOW + 7 * DAY)
    assert game.withdrawable("alice") == 10
    game.decide(case, "hate", NOW + 8 * DAY)
    assert (game.withdrawable("alice"), reserved(game)) == (810, 0)
    assert game.players["alice"].found == 1
    assert game.ledger["reverse/award/case-1/1"].reverses == "award/case-1/1"
    ruling = game.rulings[case]
    assert (ruling.state, ruling.answer) == ("final", "hate")


def test_an_appeal_of_an_appeal():
    game = arena()
    case = submitted(game).id
    judged(game, case, {"bob": "normal", "beth": "normal"})
    game.appeal("alice", case, NOW)
    for _ in range(2):
        with pytest.raises(RuleError, match="whose word is the last") as caught:
            game.appeal("alice", case, NOW)
        assert caught.value.rule == "appealed-before"
        if game.rulings[case].state == "appealed":
            game.decide(case, "normal", NOW)
    assert game.withdrawable("alice") == 10


def test_who_may_appeal_and_when():
    game = arena()
    case = submitted(game).id
    with pytest.raises(RuleError, match="not ruled yet"):
        game.appeal("alice", case, NOW)
    judged(game, case, {"bob": "normal", "beth": "normal"})
    with pytest.raises(RuleError, match="only its player"):
        game.appeal("eve", case, NOW)
    with pytest.raises(RuleError, match="was possible until") as caught:
        game.appeal("alice", case, NOW + 7 * DAY + MINUTE)
    assert caught.value.rule == "appeal-late"


def test_an_appeal_that_confirms_moves_nothing():
    game = arena()
    case = submitted(game).id
    judged(game, case, {"bob": "normal", "beth": "normal"})
    game.appeal("alice", case, NOW)
    n, player = len(game.ledger), game.players["alice"]
    game.decide(case, "normal", NOW)
    assert (len(game.ledger), game.players["alice"]) == (n, player)


def test_an_appeal_may_cost_the_player_what_judges_gave():
    game = arena()
    case = submitted(game).id
    judged(game, case, {"bob": "hate", "beth": "hate"})
    game.withdraw("alice", "p1", NOW)
    assert game.withdrawable("alice") == 10
    available = game.available
    game.appeal("alice", case, NOW)
    game.decide(case, "normal", NOW)
    assert game.withdrawable("alice") == 10 - 800  # paid already: it stands against what comes
    assert game.available == available + 800
    assert (game.players["alice"].found, reserved(game)) == (0, 0)


def test_an_appeal_that_the_budget_does_not_carry_waits_for_funds():
    game = arena(points=1310)
    case = submitted(game).id
    judged(game, case, {"bob": "normal", "beth": "normal"})
    game.close(NOW)
    game.ledger.post(*return_funds(game.campaign, game.available, "r", NOW))
    game.appeal("alice", case, NOW)
    with pytest.raises(RuleError, match="800 points too few; add to the campaign's budget"):
        game.decide(case, "hate", NOW)
    assert game.rulings[case].state == "appealed"
    game.fund(800, NOW)
    game.decide(case, "hate", NOW)
    assert (game.withdrawable("alice"), game.available) == (810, 0)


def test_three_different_answers_go_to_the_organiser():
    game = arena(**JOBS)
    case = submitted(game, answer=JOB).id
    votes = {"bob": "design", "beth": "statistics", "bill": "writing"}
    assert judged(game, case, votes).state == "referred"
    assert game.claim("bill", NOW) is None
    with pytest.raises(InputError, match="a decision must be one of"):
        game.decide(case, "sales", NOW)
    game.decide(case, "design", NOW)
    assert game.withdrawable("alice") == 10 + 700  # 1000 (1 - .2 / (2/3))
    assert reserved(game) == 0
    with pytest.raises(RuleError, match="whose word is the last"):
        game.appeal("alice", case, NOW)


def test_the_organiser_decides_only_what_is_brought():
    game = arena()
    case = submitted(game).id
    with pytest.raises(RuleError, match="is open: the organiser decides") as caught:
        game.decide(case, "hate", NOW)
    assert caught.value.rule == "not-referred"
    judged(game, case, {"bob": "hate", "beth": "hate"})
    with pytest.raises(RuleError, match="is ruled"):
        game.decide(case, "hate", NOW)


def test_recalled_votes_that_change_nothing_move_nothing():
    game = arena()
    case = submitted(game).id
    judged(game, case, {"bob": "hate", "beth": "normal", "bill": "hate"})
    n = len(game.ledger)
    game.recall("beth", NOW)  # the other two agree
    assert (game.rulings[case].state, len(game.ledger)) == ("ruled", n)
    game.recall("bob", NOW + 8 * DAY)  # too long ago
    assert (game.rulings[case].state, len(game.ledger)) == ("ruled", n)


def test_recalling_reserves_the_votes_and_the_better_award():
    game = arena(judges=("bob", "beth", "bill", "bo"))
    case = submitted(game).id
    judged(game, case, {"bob": "normal", "beth": "normal"})
    game.recall("bob", NOW)
    # two more votes may be needed (one counts), and 800 more may be awarded
    assert (reserved(game), game.rulings[case].reserved) == (1000, 1000)
    judged(game, case, {"bill": "hate", "bo": "hate"})
    assert (game.withdrawable("alice"), reserved(game)) == (810, 0)
    assert game.players["alice"] == PlayerState("alice", "hate", NOW, judged=1, found=1)


def test_recalling_an_open_case_reserves_one_vote_more():
    game = arena(judges=("bob", "beth", "bill", "bo"))
    case = submitted(game).id
    judged(game, case, {"bob": "hate"})
    assert reserved(game) == 1010
    game.recall("bob", NOW)
    assert (reserved(game), game.rulings[case].state) == (1110, "open")
    judged(game, case, {"beth": "hate", "bill": "normal", "bo": "hate"})
    assert (game.withdrawable("alice"), reserved(game)) == (810, 0)


def test_a_recall_that_the_budget_does_not_carry_goes_to_the_organiser():
    game = arena(points=1310)
    case = submitted(game).id
    judged(game, case, {"bob": "normal", "beth": "normal"})
    game.close(NOW)
    game.ledger.post(*return_funds(game.campaign, game.available - 999, "r", NOW))
    game.recall("bob", NOW)
    assert (game.rulings[case].state, reserved(game)) == ("referred", 0)
    game.decide(case, "hate", NOW)
    assert (game.withdrawable("alice"), game.available) == (810, 199)


def test_a_recalled_case_that_is_ruled_the_same_keeps_its_award():
    game = arena()
    case = submitted(game).id
    judged(game, case, {"bob": "hate", "beth": "hate"})
    award = game.ledger["award/case-1/1"]
    game.recall("bob", NOW)
    judged(game, case, {"bill": "hate"}, NOW + MINUTE)
    assert (game.withdrawable("alice"), reserved(game)) == (810, 0)
    assert "reverse/award/case-1/1" not in game.ledger
    assert game.ledger["award/case-1/1"] == award
    assert game.players["alice"].judged == 1


def test_a_case_can_be_corrected_again_and_again():
    game = arena(judges=("bob", "beth", "bill", "bo", "ben"))
    case = submitted(game).id
    judged(game, case, {"bob": "hate", "beth": "hate"})
    game.recall("bob", NOW)
    judged(game, case, {"bill": "normal", "bo": "normal"})
    game.appeal("alice", case, NOW)
    game.decide(case, "hate", NOW)
    assert [game.probes[case].round, game.withdrawable("alice"), reserved(game)] == [3, 810, 0]
    assert sum(game.ledger.balances.values()) == 0


def test_a_readmitted_players_counts_do_not_fall_below_zero():
    game = arena()
    case = submitted(game, answer=SURE).id
    judged(game, case, {"bob": "hate", "beth": "hate"})
    game.players["alice"] = readmit_player(game.players["alice"], NOW)
    game.appeal("alice", case, NOW)
    game.decide(case, "normal", NOW)
    assert (game.players["alice"].found, game.players["alice"].judged) == (0, 0)
