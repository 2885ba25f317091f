from __future__ import annotations

from itertools import product

import pytest

from arena.game.scene import DAY, MINUTE, NOW, arena, judged, submitted
from askpoint.arena.game.ruling import Ruling
from askpoint.errors import InputError, RuleError
from askpoint.labelling.claims import add_claim
from askpoint.labelling.protocol import Protocol
from askpoint.labelling.votes import add_vote, void_votes

JUDGES = ("ann", "ben", "cid", "dot")


def case(options: str) -> Ruling:
    return Ruling("7", "demo", "alice", tuple(options), NOW, NOW)


def play(ruling: Ruling, choices, rules: Protocol, now=NOW) -> Ruling:
    for judge, choice in zip(JUDGES, choices, strict=False):
        if ruling.state == "open":
            ruling = add_claim(ruling, judge, rules, now)
            ruling = add_vote(ruling, judge, choice, rules, now)
    return ruling


@pytest.mark.parametrize("choices", list(product("abc", repeat=3)))
def test_two_judges_a_third_and_then_the_organiser(choices):
    ruling = play(case("abc"), choices, Protocol(votes=2))
    first, second, third = choices
    if first == second:
        expected = ("ruled", first, 2)
    elif third in (first, second):
        expected = ("ruled", third, 3)
    else:
        expected = ("referred", None, 3)
    assert (ruling.state, ruling.answer, len(ruling.votes)) == expected


@pytest.mark.parametrize("choices", list(product("abc", repeat=3)))
def test_three_judges_at_once(choices):
    ruling = play(case("abc"), choices, Protocol(votes=3))
    top = max(set(choices), key=choices.count)
    decided = choices.count(top) >= 2
    assert ruling.state == ("ruled" if decided else "referred")
    assert ruling.answer == (top if decided else None)


def test_a_single_judge_rules_alone():
    ruling = play(case("ab"), "b", Protocol(votes=1))
    assert (ruling.state, ruling.answer, ruling.ruled_at) == ("ruled", "b", NOW)


def test_a_ruling_by_the_cases_own_author():
    for move in (add_claim, lambda *args: add_vote(args[0], args[1], "a", *args[2:])):
        with pytest.raises(RuleError, match="nobody judges their own") as caught:
            move(case("ab"), "alice", Protocol(), NOW)
        assert caught.value.rule == "own-case"


def test_a_second_vote():
    game = arena()
    probe = submitted(game)
    judged(game, probe.id, {"bob": "hate"})
    for move in (
        lambda: game.vote("bob", probe.id, "normal", NOW),
        lambda: add_claim(game.rulings[probe.id], "bob", Protocol(), NOW),
    ):
        with pytest.raises(RuleError, match="has voted on case") as caught:
            move()
        assert caught.value.rule == "second-vote"
    assert game.withdrawable("bob") == 100
    assert game.claim("bob", NOW) is None


def test_a_vote_after_the_lease():
    game = arena()
    probe = submitted(game)
    game.claim("bob", NOW)
    for late in (15 * MINUTE, DAY):
        with pytest.raises(RuleError, match="has ended and the case went back") as caught:
            game.vote("bob", probe.id, "hate", NOW + late)
        assert caught.value.rule == "no-claim"
    assert game.withdrawable("bob") == 0
    with pytest.raises(RuleError, match="was never made"):
        game.vote("beth", probe.id, "hate", NOW)
    assert game.claim("bob", NOW + DAY).id == probe.id
    game.vote("bob", probe.id, "hate", NOW + DAY + 14 * MINUTE)


def test_a_vote_for_something_else():
    game = arena()
    probe = submitted(game)
    game.claim("bob", NOW)
    with pytest.raises(InputError, match="must be one of normal, hate"):
        game.vote("bob", probe.id, "spam", NOW)


@pytest.mark.parametrize("choices", list(product("ab", repeat=3)))
@pytest.mark.parametrize("voided", JUDGES[:3])
def test_void_votes_open_a_case_only_where_they_decided(choices, voided):
    rules = Protocol()
    before = play(case("ab"), choices, rules)
    after = void_votes(before, voided, rules, NOW + MINUTE)
    voters = [vote.reviewer for vote in before.votes]
    if voided not in voters:
        assert after.votes == before.votes
        assert (after.state, after.answer) == (before.state, before.answer)
        return
    left = [vote.choice for vote in before.votes if vote.reviewer != voided]
    assert [vote.choice for vote in after.counted] == left
    if len(left) == 2 and left[0] == left[1]:
        assert (after.state, after.answer, after.ruled_at) == ("ruled", before.answer, NOW)
    else:
        assert (after.state, after.answer, after.ruled_at) == ("open", None, None)
        with pytest.raises(RuleError, match="has voted"):
            add_claim(after, voided, rules, NOW + MINUTE)


def test_old_votes_and_what_lies_with_the_organiser_stay_as_they_are():
    rules = Protocol()
    ruled = play(case("ab"), "aa", rules)
    assert not any(vote.void for vote in void_votes(ruled, "ann", rules, NOW + 8 * DAY).votes)
    assert any(vote.void for vote in void_votes(ruled, "ann", rules, NOW + 7 * DAY).votes)
    referred = play(case("abc"), "abc", rules)
    assert void_votes(referred, "ann", rules, NOW) == referred
    gold = Ruling("g", "demo", "", ("a", "b"), NOW, NOW, gold="a", purpose="gold")
    gold = play(gold, "a", rules)
    assert void_votes(gold, "ann", rules, NOW) == gold
