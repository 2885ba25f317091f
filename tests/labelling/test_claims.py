from __future__ import annotations

import pytest

from arena.game.scene import MINUTE, NOW, arena, judged, submitted
from askpoint.arena.game.ruling import Ruling
from askpoint.errors import RuleError
from askpoint.labelling.claims import add_claim, drop_claims, find_claim, free_places
from askpoint.labelling.protocol import Protocol

RULES = Protocol()
CASE = Ruling("7", "hate", "alice", ("normal", "hate"), NOW, NOW)


def test_a_case_is_claimed_as_often_as_votes_are_wanted():
    case = CASE
    for judge, free in (("bob", 2), ("beth", 1)):
        assert free_places(case, RULES, NOW) == free
        case = add_claim(case, judge, RULES, NOW)
    assert free_places(case, RULES, NOW) == 0
    with pytest.raises(RuleError, match="all the judges that it needs") as caught:
        add_claim(case, "bill", RULES, NOW)
    assert caught.value.rule == "no-place"


def test_claiming_twice_keeps_the_first_lease():
    case = add_claim(CASE, "bob", RULES, NOW)
    again = add_claim(case, "bob", RULES, NOW + MINUTE)
    assert again == case


def test_a_lease_ends():
    case = add_claim(CASE, "bob", RULES, NOW)
    assert find_claim(case, "bob", NOW + 14 * MINUTE) is not None
    assert find_claim(case, "bob", NOW + 15 * MINUTE) is None
    assert free_places(case, RULES, NOW + 15 * MINUTE) == 2
    for judge in ("beth", "bill"):
        case = add_claim(case, judge, RULES, NOW + 15 * MINUTE)
    assert [lease.reviewer for lease in case.claims] == ["beth", "bill"]


def test_a_claim_can_be_given_back():
    case = add_claim(CASE, "bob", RULES, NOW)
    assert drop_claims(case, NOW, "beth").claims == case.claims
    assert drop_claims(case, NOW, "bob").claims == ()


def test_a_gold_item_always_has_a_place():
    gold = Ruling("g", "hate", "", CASE.options, NOW, NOW, gold="hate", purpose="gold")
    for judge in "abcdefgh":
        gold = add_claim(gold, judge, RULES, NOW)
    assert len(gold.claims) == 8


def test_nothing_of_a_ruled_case_can_be_claimed():
    game = arena()
    case = submitted(game).id
    judged(game, case, {"bob": "hate", "beth": "hate"})
    with pytest.raises(RuleError, match="take the next one"):
        add_claim(game.rulings[case], "bill", RULES, NOW)


def test_the_pay_of_a_gold_vote_is_reserved_as_long_as_its_lease_stands():
    game = arena(points=10_000)
    game.add_gold("gold", "hate", NOW)
    reserved = game.campaign.reserved
    game.claim("bob", NOW, gold=True)
    game.claim("beth", NOW, gold=True)
    assert (game.ledger.balance(reserved), game.rulings["gold"].reserved) == (200, 200)
    game.give_back("gold", NOW, "beth")
    assert game.ledger.balance(reserved) == 100
    game.claim("bill", NOW + 14 * MINUTE, gold=True)
    game.vote("bill", "gold", "hate", NOW + 16 * MINUTE)  # Bob's lease has ended by now
    assert (game.ledger.balance(reserved), game.rulings["gold"].reserved) == (0, 0)
    assert game.available == 10_000 - 100
    game.claim("bob", NOW + 17 * MINUTE, gold=True)
    game.vote("bob", "gold", "normal", NOW + 17 * MINUTE)
    assert game.available == 10_000 - 200
    assert game.claim("bob", NOW + 18 * MINUTE, gold=True) is None


def test_gold_is_not_handed_out_on_an_empty_budget():
    game = arena(points=1310)
    game.add_gold("gold", "hate", NOW)
    submitted(game)
    for _ in range(2):
        game.claim("bob", NOW, gold=True)
    game.claim("beth", NOW, gold=True)
    with pytest.raises(RuleError, match="add to the campaign's budget"):
        game.claim("bill", NOW, gold=True)
    assert [lease.reviewer for lease in game.rulings["gold"].claims] == ["bob", "beth"]
