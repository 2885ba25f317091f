"""Held votes: no vote yet, taken back in time, and then the same as a vote that was cast at once."""

from __future__ import annotations

import math
from datetime import timedelta
from itertools import product

import numpy as np
import pytest

from arena.game.scene import MINUTE, NOW
from askpoint.errors import InputError, RuleError
from askpoint.labelling.case import GOLD
from askpoint.labelling.claims import count_missing_votes, drop_claims, free_places
from askpoint.labelling.queue import is_open_to
from askpoint.labelling.steps import (
    cast_vote,
    claim_case,
    count_held_vote,
    give_back,
    hold_vote,
    take_back,
)
from labelling.test_steps import case, reviewer, rules

HOLD = 2 * MINUTE


def held(found, name, choice="x", protocol=None, now=NOW):
    """Claim, and say it."""
    protocol = protocol or rules()
    found = claim_case(found, reviewer(name), protocol, now).case
    return hold_vote(found, reviewer(name), choice, protocol, now, time=HOLD).case


@pytest.mark.parametrize("votes", [1, 2, 3])
def test_votes_decide_the_same_held_or_not(votes):
    protocol = rules(votes=votes)
    for choices in product("xyz", repeat=protocol.votes):
        ends = []
        for hold in (False, True):
            found = case()
            for name, choice in zip("abc", choices, strict=False):
                if hold:
                    found = held(found, name, choice, protocol)
                    assert found.votes == found.counted == ()
                    assert (found.state, found.answer) == ("open", None)
                else:
                    found = claim_case(found, reviewer(name), protocol, NOW).case
                    found = cast_vote(found, reviewer(name), choice, protocol, NOW).case
            for name in "abc"[:votes] if hold else "":
                found = count_held_vote(found, reviewer(name), protocol, NOW + HOLD).case
            ends.append((found.state, found.answer, [vote.choice for vote in found.votes]))
        assert ends[0] == ends[1]


def test_a_held_vote_keeps_its_place_for_as_long_as_it_takes():
    protocol, late = rules(votes=2), NOW + timedelta(days=1)
    found = held(case(), "a", protocol=protocol)
    assert free_places(found, protocol, late) == 1
    assert not is_open_to(claim_case(found, reviewer("b"), protocol, NOW).case, "c", protocol, NOW)
    assert drop_claims(found, late).claims == found.claims
    assert give_back(found, late, "a").case.claims == ()
    told = count_held_vote(found, reviewer("a"), protocol, late).case
    (vote,) = told.votes
    assert (vote.at, vote.said, vote.choice) == (late, NOW, "x")
    assert count_missing_votes(told, protocol) == 1


def test_a_vote_is_taken_back_in_time_and_changed():
    protocol = rules(votes=1)
    found = held(case(), "a", protocol=protocol)
    with pytest.raises(RuleError, match="has voted") as caught:
        hold_vote(found, reviewer("a"), "y", protocol, NOW, time=HOLD)
    assert caught.value.rule == "second-vote"
    again = take_back(found, reviewer("a"), protocol, NOW + HOLD - MINUTE).case
    (claim,) = again.claims
    assert (claim.choice, claim.said, claim.before) == (None, None, "x")
    assert claim.until == NOW + HOLD - MINUTE + protocol.claim_time
    assert count_held_vote(again, reviewer("a"), protocol, NOW + HOLD).case == again
    changed = hold_vote(again, reviewer("a"), "y", protocol, NOW + HOLD, time=HOLD).case
    told = count_held_vote(changed, reviewer("a"), protocol, NOW + 2 * HOLD).case
    assert (told.state, told.answer) == ("ruled", "y")


def test_an_undo_that_comes_late_is_refused_whether_the_vote_counts_yet_or_not():
    protocol = rules()
    found = held(case(), "a", protocol=protocol)
    for late in (found, count_held_vote(found, reviewer("a"), protocol, NOW + HOLD).case):
        with pytest.raises(RuleError, match="counted by now") as caught:
            take_back(late, reviewer("a"), protocol, NOW + HOLD)
        assert caught.value.rule == "undo-late"
    for other in (case(), claim_case(case(), reviewer("a"), protocol, NOW).case):
        with pytest.raises(RuleError, match="no vote on case") as caught:
            take_back(other, reviewer("a"), protocol, NOW)
        assert caught.value.rule == "no-claim"
    with pytest.raises(RuleError, match="clock went backwards"):
        take_back(found, reviewer("a"), protocol, NOW - MINUTE)


def test_gold_is_scored_when_the_vote_counts_and_only_what_is_not_taken_back():
    protocol, judge = rules(), reviewer("a")
    found = claim_case(case(purpose=GOLD), judge, protocol, NOW).case
    step = hold_vote(found, judge, "y", protocol, NOW, time=HOLD)
    assert step.reviewer is None
    again = take_back(step.case, judge, protocol, NOW).case
    changed = hold_vote(again, judge, "x", protocol, NOW, time=HOLD).case
    scored = count_held_vote(changed, judge, protocol, NOW + HOLD).reviewer
    assert (scored.gold_seen, scored.gold_right) == (1, 1)
    with pytest.raises(InputError, match="a vote"):
        hold_vote(again, judge, "none of them", protocol, NOW, time=HOLD)


def waits(seconds, hold, rng, n=2000, shift=40, most=5):
    """How long after it was given each of so many labels counts, of a reviewer with breaks after `shift` cases.

    A case takes exponential time beyond two seconds, of that median.
    """
    protocol, judge, now, open_, done = rules(votes=1), reviewer("a"), NOW, [], []
    for number in range(n):
        found = claim_case(case(str(number), opened=now), judge, protocol, now).case
        now += timedelta(seconds=2 + float(rng.exponential((seconds - 2) / math.log(2))))
        if now >= found.claims[0].until:
            continue  # it went back to the queue
        open_.append(hold_vote(found, judge, "x", protocol, now, time=hold).case)
        rest = (number + 1) % shift == 0
        while open_ and (rest or len(open_) > most or open_[0].claims[0].until <= now):
            first = open_.pop(0)
            at = now if rest or len(open_) >= most else first.claims[0].until
            at = min(at, first.claims[0].until)
            (vote,) = count_held_vote(first, judge, protocol, max(at, first.at)).case.votes
            done.append((vote.at - vote.said).total_seconds())
    return np.array(done)


@pytest.mark.parametrize("seconds", [5, 40])
def test_a_label_waits_for_five_later_ones_or_for_the_hold(seconds):
    rng = np.random.default_rng(0)
    found = waits(seconds, HOLD, rng, n=600)
    five = 5 * (2 + (seconds - 2) / math.log(2))
    assert found.max() <= HOLD.total_seconds()
    assert np.median(found) == pytest.approx(min(five, HOLD.total_seconds()), rel=0.15)
    assert waits(seconds, timedelta(0), rng, n=100).max() == 0


@pytest.mark.soak
def test_the_table_of_waits():
    for seconds in (5, 15, 40):
        for minutes in (1, 2, 10):
            found = waits(seconds, minutes * MINUTE, np.random.default_rng(1), n=8000)
            low, middle, high = np.quantile(found, [0.1, 0.5, 0.9])
            print(f"| {seconds} s | {minutes} min | {middle:.0f} s | {low:.0f} to {high:.0f} s |")  # noqa: T201
