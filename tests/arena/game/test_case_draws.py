"""Drawn cases: judged like players' cases, and nobody is rewarded for them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from arena.game.scene import MINUTE, NOW, arena, judged, submitted, terms
from askpoint.arena.game.campaign import CampaignState, return_funds
from askpoint.arena.game.case_draws import draw_cases
from askpoint.arena.game.ruling import Ruling
from askpoint.arena.game.settlement import settle
from askpoint.errors import InputError, RuleError
from askpoint.labelling.protocol import Protocol
from askpoint.measures.cost_matrix import CostMatrix


def reserved(game) -> int:
    return game.ledger.balance(game.campaign.reserved)


def refused(rule, work, *args):
    with pytest.raises(RuleError) as caught:
        work(*args)
    assert caught.value.rule == rule
    return str(caught.value)


def test_judges_rule_on_a_drawn_case_and_the_third_vote_is_released():
    game = arena(points=2000)
    game.draw(["d1"], NOW)
    assert (reserved(game), game.available) == (300, 1700)
    ruling = judged(game, "d1", {"bob": "hate", "beth": "hate"})
    assert (ruling.state, ruling.answer, ruling.reserved) == ("ruled", "hate", 0)
    assert (game.withdrawable("bob"), game.withdrawable("beth"), game.available) == (100, 100, 1800)
    assert reserved(game) == 0
    assert not game.probes


def test_a_third_judge_is_asked_on_disagreement_and_all_is_spent():
    game = arena(points=1310)
    game.draw(["d1"], NOW)
    ruling = judged(game, "d1", {"bob": "hate", "beth": "normal", "bill": "normal"})
    assert (ruling.state, ruling.answer) == ("ruled", "normal")
    assert (reserved(game), game.available) == (0, 1010)


def test_three_different_answers_go_to_the_organiser():
    jobs = CostMatrix.zero_one(["design", "statistics", "writing"])
    game = arena(costs=jobs, designs=[1])
    game.draw(["d1"], NOW)
    votes = dict(zip(("bob", "beth", "bill"), jobs.classes, strict=True))
    assert judged(game, "d1", votes).state == "referred"
    before = len(game.ledger)
    game.decide("d1", "writing", NOW)
    ruling = game.rulings["d1"]
    assert (ruling.state, ruling.answer, ruling.reserved) == ("final", "writing", 0)
    assert len(game.ledger) == before  # all votes were paid: there is nothing to release
    refused("not-referred", game.decide, "d1", "design", NOW)


def test_nobody_appeals_against_a_drawn_case():
    game = arena()
    game.draw(["d1"], NOW)
    judged(game, "d1", {"bob": "hate", "beth": "hate"})
    refused("not-own-case", game.appeal, "alice", "d1", NOW)


def test_a_copy_of_a_submitted_case_has_a_ruling_of_its_own():
    game = arena()
    case = submitted(game, "one").id
    game.draw(["d1"], NOW)
    for judge in ("bob", "beth"):
        for _ in range(2):
            claimed = game.claim(judge, NOW)
            game.vote(judge, claimed.id, "hate" if claimed.id == case else "normal", NOW)
    assert (game.rulings[case].answer, game.rulings["d1"].answer) == ("hate", "normal")
    submitted(game, "two")  # and players go on


def test_they_wait_in_one_queue_in_the_order_of_their_names():
    game = arena()
    game.draw(["d1", "d2"], NOW)
    case = submitted(game, now=NOW + MINUTE).id
    seen = [game.claim(judge, NOW + MINUTE).id for judge in ("bob", "beth", "bill")]
    assert seen == ["d1", "d2", case]


def test_a_drawn_case_says_as_little_as_a_submitted_one():
    game = arena()
    game.draw(["d1"], NOW)
    case = submitted(game).id
    drawn, own = game.rulings["d1"], game.rulings[case]
    same = replace(drawn, id=case, author=own.author, reserved=own.reserved, purpose=own.purpose)
    assert same == own


def test_a_budget_that_does_not_carry_all_draws_none():
    game = arena(points=1499)
    said = refused("budget", game.draw, [f"d{i}" for i in range(5)], NOW)
    assert "can cost 1500 points" in said
    assert "holds 1499" in said
    assert not game.rulings
    game.draw([f"d{i}" for i in range(4)], NOW)
    assert (game.available, reserved(game)) == (299, 1200)


def test_a_draft_draws_nothing_and_a_closed_campaign_does():
    draft = CampaignState("hate", terms(), NOW)
    refused("not-open", lambda: draw_cases(draft, ["d1"], NOW, available=10_000))
    game = arena()
    game.close(NOW)
    game.draw(["d1"], NOW)
    assert judged(game, "d1", {"bob": "hate", "beth": "hate"}).state == "ruled"


def test_two_cases_of_one_name_are_refused():
    with pytest.raises(InputError, match="one name"):
        arena().draw(["d1", "d1"], NOW)


def test_a_recalled_vote_is_reserved_again_and_the_case_judged_on():
    game = arena(points=2000)
    game.draw(["d1"], NOW)
    judged(game, "d1", {"bob": "hate", "beth": "hate"})
    game.recall("bob", NOW)
    assert (game.rulings["d1"].state, reserved(game), game.available) == ("open", 200, 1600)
    assert judged(game, "d1", {"bill": "hate"}).state == "ruled"
    assert (reserved(game), game.available) == (0, 1700)


def test_a_recall_that_the_budget_does_not_carry_goes_to_the_organiser():
    game = arena()
    game.draw(["d1"], NOW)
    judged(game, "d1", {"bob": "hate", "beth": "hate"})
    game.close(NOW)
    game.ledger.post(*return_funds(game.campaign, game.available - 199, "r", NOW))
    game.recall("bob", NOW)
    assert (game.rulings["d1"].state, reserved(game)) == ("referred", 0)
    game.decide("d1", "normal", NOW)
    assert (game.rulings["d1"].answer, game.available) == ("normal", 199)


def test_what_was_reserved_for_votes_that_never_came_is_released_by_the_organisers_word():
    game = arena()
    game.draw(["d1"], NOW)
    judged(game, "d1", {"bob": "hate"})
    left = game.available
    ruling = replace(game.rulings["d1"], state="referred")
    move = settle(game.campaign, replace(ruling, state="final", answer="hate"), NOW)
    (released,) = move.transactions
    game.ledger.post(released)
    assert (game.available, reserved(game)) == (left + 200, 0)


def test_a_submitted_case_is_not_settled_without_its_probe():
    game = arena()
    case = submitted(game).id
    ruled = replace(game.rulings[case], state="ruled", answer="hate")
    with pytest.raises(InputError, match="its probe and its player are needed"):
        settle(game.campaign, ruled, NOW)
    with pytest.raises(InputError, match="its probe and its player are needed"):
        settle(game.campaign, ruled, NOW, probe=game.probes[case])


def test_a_ruling_says_what_it_is():
    case = Ruling("7", "hate", "", ("hate", "normal"), NOW, NOW, purpose="drawn")
    for wrong in ({"purpose": "gold"}, {"gold": "hate"}):
        with pytest.raises(InputError, match="a gold case has a known answer"):
            replace(case, **wrong)
    with pytest.raises(InputError, match="purpose"):
        replace(case, purpose="other")


@pytest.mark.no_cover
@given(
    st.integers(0, 12),
    st.integers(1, 3),
    st.integers(0, 3),
    st.lists(st.sampled_from(["hate", "normal"]), min_size=60, max_size=60),
)
def test_judging_drawn_cases_costs_just_its_votes(n, votes, spare, said):
    """Whatever judges say: what was reserved and not voted for is back in the budget."""
    most = {1: 1, 2: 3, 3: 3}[votes]
    funded = max(n * most * 100 + spare, 1310)
    game = arena(points=funded, protocol=Protocol(votes=votes))
    game.draw([f"d{i:02}" for i in range(n)], NOW)
    assert game.available == funded - n * most * 100
    for judge, choice in zip(["bob", "beth", "bill"] * 20, said, strict=True):
        case = game.claim(judge, NOW)
        if case is not None:
            game.vote(judge, case.id, choice, NOW)
    assert all(item.state == "ruled" for item in game.rulings.values())  # of two classes one wins
    n_votes = sum(len(item.votes) for item in game.rulings.values())
    assert n * votes <= n_votes <= n * most
    assert (reserved(game), game.available) == (0, funded - 100 * n_votes)
    assert sum(game.ledger.balances.values()) == 0
