"""Laws of the steps: whatever the purpose of a case, and whatever reviewers do in whatever order."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import permutations, product

import numpy as np
import pytest

from arena.game.scene import MINUTE, NOW
from askpoint.errors import RuleError
from askpoint.labelling.case import GOLD, Case
from askpoint.labelling.claims import add_claim, count_missing_votes, free_places
from askpoint.labelling.protocol import Protocol
from askpoint.labelling.queue import next_case
from askpoint.labelling.reviewer import Reviewer
from askpoint.labelling.steps import cast_vote, claim_case, give_back, settle_case, skip_case

PEOPLE = tuple("abcdefg")
PURPOSES = ("asked", "audit", "submitted", "drawn", GOLD)
ORDERS = ("fewest", "oldest")


def case(name="1", purpose="asked", opened=NOW, options=("x", "y", "z")) -> Case:
    gold = "x" if purpose == GOLD else None
    return Case(name, "q", "", options, opened, opened, purpose=purpose, gold=gold)


def rules(**changes) -> Protocol:
    return Protocol(training_items=0, agreement_least=0.0, gold_accuracy=0.0, **changes)


def reviewer(name) -> Reviewer:
    return Reviewer(name, "q", NOW)


def said(found, name, choice, protocol, now=NOW):
    """Claim and vote."""
    found = claim_case(found, reviewer(name), protocol, now).case
    return cast_vote(found, reviewer(name), choice, protocol, now).case


@pytest.mark.parametrize("votes", [1, 2, 3])
def test_votes_decide_the_same_in_whatever_order_they_come(votes):
    """Who votes first does not matter, as long as all of the votes are cast that the order asks for."""
    protocol = rules(votes=votes)
    for choices in product("xyz", repeat=protocol.votes):
        ends = set()
        for order in permutations(zip(PEOPLE, choices, strict=False)):
            found = case()
            for name, choice in order:
                found = said(found, name, choice, protocol)
            ends.add((found.state, found.answer))
        assert len(ends) == 1


@pytest.mark.parametrize("purpose", PURPOSES)
@pytest.mark.parametrize("seed", range(8))
def test_no_place_is_given_twice_and_nobody_votes_twice(purpose, seed):
    """Claims and counted votes together never exceed what decides; skips and pauses give places back."""
    rng = np.random.default_rng([seed, PURPOSES.index(purpose)])
    protocol = rules(votes=int(rng.integers(1, 4)), most_skips=4)
    found, now = case(purpose=purpose), NOW
    for _ in range(120):
        name, move = PEOPLE[rng.integers(7)], rng.integers(5)
        now += timedelta(minutes=int(rng.integers(12)))
        before = found
        try:
            if move == 0:
                found = skip_case(found, reviewer(name), protocol, now).case
            elif move == 1:
                found = give_back(found, now, name).case
            elif move < 4:
                found = claim_case(found, reviewer(name), protocol, now).case
            else:
                choice = found.options[rng.integers(3)]
                found = cast_vote(found, reviewer(name), choice, protocol, now).case
        except RuleError:
            assert found == before
        voters = [vote.reviewer for vote in found.votes]
        holders = [claim.reviewer for claim in found.claims]
        assert len(set(voters)) == len(voters)
        assert len(set(holders)) == len(holders)
        assert not set(holders) & set(voters)
        if purpose != GOLD:
            assert free_places(found, protocol, now) >= 0
            assert len(found.counted) <= protocol.most_votes
            assert count_missing_votes(found, protocol) >= len(
                [claim for claim in found.claims if claim.until > now]
            )
        else:
            assert (found.state, found.answer) == ("open", None)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("seed", range(6))
def test_no_case_starves_in_either_order(order, seed):
    """While cases keep coming, the one that came first is done before long."""
    rng = np.random.default_rng(seed)
    protocol = rules(votes=2, order=order, overdue_after=timedelta(hours=2))
    cases, now = {"first": case("first")}, NOW
    for n in range(400):
        now += MINUTE
        if n % 4 == 0:
            purpose = PURPOSES[rng.integers(4)]
            cases[f"later-{n}"] = case(f"later-{n}", purpose, now)
        name = f"reviewer-{rng.integers(9)}"
        found = next_case(cases.values(), name, protocol, now)
        if found is not None:
            cases[found.id] = said(found, name, "x", protocol, now)
        if cases["first"].state != "open":
            break
    assert cases["first"].state == "ruled"
    assert now - NOW < timedelta(hours=4)


@pytest.mark.parametrize("order", ORDERS)
def test_a_reviewer_is_blind_to_purposes(order):
    """What comes next, and what may be done with it, is the same for every purpose."""
    protocol = rules(order=order)
    orders = set()
    for mixed in permutations(("asked", "audit", "submitted", "drawn"), 3):
        cases = [case(str(i), one, NOW + i * MINUTE) for i, one in enumerate(mixed)]
        seen = []
        while (found := next_case(cases, "a", protocol, NOW + 9 * MINUTE)) is not None:
            seen.append(found.id)
            cases[int(found.id)] = said(found, "a", "y", protocol, NOW + 9 * MINUTE)
        orders.add(tuple(seen))
    assert orders == {("0", "1", "2")}


def test_the_oldest_comes_first_where_that_is_the_order_however_many_votes_it_has():
    protocol, now = rules(votes=2, order="oldest"), NOW + 5 * MINUTE
    old, new = said(case("old"), "a", "x", protocol), case("new", opened=NOW + MINUTE)
    assert next_case([new, old], "b", protocol, now).id == "old"
    assert next_case([new, old], "b", replace(protocol, order="fewest"), now).id == "new"


def test_who_holds_a_case_may_finish_it_and_a_case_that_waits_for_its_owner_is_settled_once():
    protocol = replace(rules(), gold_accuracy=1.0, gold_least=1)
    held = add_claim(case(), "a", protocol, NOW)
    paused = replace(reviewer("a"), recent=(False,))
    assert cast_vote(held, paused, "x", protocol, NOW).case.votes[0].choice == "x"
    with pytest.raises(RuleError, match="were right"):
        claim_case(case("2"), paused, protocol, NOW)
    waits = replace(case(), state="referred")
    final = settle_case(waits, "y", NOW).case
    assert (final.state, final.answer) == ("final", "y")
    for state in ("open", "ruled", "final"):
        with pytest.raises(RuleError) as refusal:
            settle_case(replace(case(), state=state), "y", NOW)
        assert refusal.value.rule == "not-referred"


def test_who_skips_gold_is_as_wrong_as_who_errs_from_the_third_on():
    protocol = replace(rules(), gold_skips_free=2)
    bob = reviewer("bob")
    for number in range(4):
        known = add_claim(case(str(number), GOLD), "bob", protocol, NOW)
        bob = skip_case(known, bob, protocol, NOW).reviewer
        other = add_claim(case(f"other {number}"), "bob", protocol, NOW)
        voted = cast_vote(other, bob, "x", protocol, NOW)
        bob = voted.reviewer
    assert (bob.skipped, bob.gold_skipped, bob.gold_seen, bob.gold_right) == (4, 4, 2, 0)
    plain = reviewer("beth")
    for number in range(4):
        one = add_claim(case(str(number)), "beth", protocol, NOW)
        plain = skip_case(one, plain, protocol, NOW).reviewer
    assert (plain.skipped, plain.gold_skipped, plain.recent) == (4, 0, ())
