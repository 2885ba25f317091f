from __future__ import annotations

from dataclasses import replace

import pytest

from arena.game.scene import DAY, NOW, SURE, arena, judged, submitted, terms
from askpoint.arena.game import campaign as rules
from askpoint.arena.game.campaign import CampaignState
from askpoint.arena.simulation.arena import Arena
from askpoint.errors import InputError, RuleError

DRAFT = CampaignState("hate", terms(), NOW)


def test_a_budget_smaller_than_one_reward_does_not_open():
    game = Arena(DRAFT)
    with pytest.raises(RuleError, match=r"one case may cost 1310 points .* holds 0") as caught:
        game.open(NOW)
    assert caught.value.rule == "budget"
    game.fund(1309, NOW)
    with pytest.raises(RuleError, match="holds 1309"):
        game.open(NOW)
    game.fund(1, NOW)
    game.open(NOW)
    assert game.campaign.state == "open"


def test_it_opens_and_closes_once_and_may_open_again():
    opened = rules.open_campaign(DRAFT, 5000, NOW)
    with pytest.raises(RuleError, match="open already"):
        rules.open_campaign(opened, 5000, NOW)
    closed = rules.close_campaign(opened, NOW)
    for state in (closed, DRAFT):
        with pytest.raises(RuleError, match="not open"):
            rules.close_campaign(state, NOW)
        with pytest.raises(RuleError, match="not open"):
            rules.check_accepting(state, 5000)
    assert rules.open_campaign(closed, 5000, NOW).state == "open"


def test_at_the_cap_it_takes_no_more_cases_and_honours_what_is_reserved():
    game = arena(points=1310 + 1109)  # one case that may bring 800 reserves 1,110
    other = game.try_case("alice", "other", SURE, NOW)
    first = submitted(game, "one")
    assert game.available == 1309
    for move in (
        lambda: game.try_case("eve", "new", SURE, NOW),
        lambda: game.submit(other.id, NOW),
    ):
        with pytest.raises(RuleError, match=r"is used up, .* submitted is honoured") as caught:
            move()
        assert caught.value.rule == "budget"
    game.close(NOW)
    judged(game, first.id, {"bob": "hate", "beth": "hate"})
    assert game.withdrawable("alice") == 810


def test_funds_return_only_while_nobody_relies_on_them():
    game = arena(points=5000)
    with pytest.raises(RuleError, match="close it first"):
        rules.return_funds(game.campaign, 100, "r", NOW)
    case = submitted(game).id
    game.close(NOW)
    with pytest.raises(RuleError, match="too few"):
        game.ledger.post(*rules.return_funds(game.campaign, 5000, "r", NOW))
    game.ledger.post(*rules.return_funds(game.campaign, game.available, "r", NOW))
    judged(game, case, {"bob": "hate", "beth": "hate"}, NOW)
    assert game.withdrawable("alice") == 810  # what was reserved stayed
    with pytest.raises(InputError, match="at least 1"):
        rules.return_funds(game.campaign, 0, "r2", NOW)
    with pytest.raises(InputError, match="at least 1"):
        game.fund(0, NOW)


def test_players_and_judges_are_separate_pools():
    game = arena()
    for person, role in (("alice", "judge"), ("bob", "player")):
        with pytest.raises(RuleError, match="players and judges are separate") as caught:
            game.join(person, role, NOW)
        assert caught.value.rule == "other-pool"
    before = game.players["alice"]
    game.join("alice", "player", NOW + DAY)
    assert game.players["alice"] == before


def test_accounts_bear_the_campaigns_name():
    assert str(DRAFT.budget) == "budget:hate"
    assert {DRAFT.funding.kind, DRAFT.reserved.kind} == {"funding", "reserved"}
    assert replace(DRAFT, id="x").budget.owner == "x"
