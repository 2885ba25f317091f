from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena.game.scene import DAY, MINUTE, NOW
from askpoint.arena.game.ruling import Ruling
from askpoint.labelling.claims import add_claim
from askpoint.labelling.gold import gold_is_due
from askpoint.labelling.protocol import Protocol
from askpoint.labelling.queue import is_open_to, next_case, queue_rank
from askpoint.labelling.reviewer import Reviewer
from askpoint.labelling.votes import add_vote

RULES = Protocol()


def case(name: str, opened=NOW, author="alice") -> Ruling:
    return Ruling(name, "hate", author, ("normal", "hate"), opened, opened)


@pytest.mark.parametrize("seed", range(10))
def test_no_case_starves(seed):
    """Judges come in any order, err, and let leases end: votes never differ by more than 1."""
    rng = np.random.default_rng(seed)
    cases = {str(i): case(str(i)) for i in range(12)}
    now = NOW
    while True:
        judge = f"judge-{rng.integers(40)}"
        found = next_case(cases.values(), judge, RULES, now)
        if found is None:
            if all(item.state != "open" for item in cases.values()):
                break
            now += MINUTE
            continue
        claimed = add_claim(found, judge, RULES, now)
        cases[found.id] = claimed
        if rng.random() < 0.9:
            choice = claimed.options[int(rng.random() < 0.7)]
            cases[found.id] = add_vote(claimed, judge, choice, RULES, now)
        open_votes = [len(item.votes) for item in cases.values() if item.state == "open"]
        leased = sum(item.state == "open" and bool(item.claims) for item in cases.values())
        if open_votes and not leased:
            assert max(open_votes) - min(open_votes) <= 1
    assert now - NOW < RULES.overdue_after


def test_a_claim_counts_as_a_vote():
    first, second = case("1"), case("2", NOW + MINUTE)
    now = NOW + MINUTE
    first = add_claim(first, "bob", RULES, now)
    assert next_case([first, second], "beth", RULES, now).id == "2"
    assert next_case([first, second], "beth", RULES, now + DAY).id == "1"


def test_who_waited_longest_comes_first_once_overdue_after_ends():
    old = case("old", NOW - DAY - MINUTE)
    for judge, choice in (("bob", "hate"), ("beth", "normal")):
        old = add_claim(old, judge, RULES, NOW)
        old = add_vote(old, judge, choice, RULES, NOW)
    fresh = case("fresh")
    assert next_case([fresh, old], "bill", RULES, NOW).id == "old"
    patient = Protocol(overdue_after=10 * DAY)
    assert next_case([fresh, old], "bill", patient, NOW).id == "fresh"
    assert queue_rank(old, RULES, NOW) < queue_rank(fresh, RULES, NOW)


def test_nobody_is_offered_their_own_case_or_one_they_voted_on():
    own = case("own", author="bob")
    voted = add_vote(add_claim(case("voted"), "bob", RULES, NOW), "bob", "hate", RULES, NOW)
    assert not is_open_to(own, "bob", RULES, NOW)
    assert not is_open_to(voted, "bob", RULES, NOW)
    assert next_case([own, voted], "bob", RULES, NOW) is None
    assert next_case([own, voted], "beth", RULES, NOW) == own


def test_a_queue_with_free_cases_never_says_that_it_is_empty():
    cases = [case(str(i)) for i in range(5)]
    for i in range(10):
        found = next_case(cases, f"judge-{i}", RULES, NOW)
        assert found is not None
        cases[int(found.id)] = add_claim(found, f"judge-{i}", RULES, NOW)
    assert next_case(cases, "late", RULES, NOW) is None
    assert next_case(cases, "late", RULES, NOW + 15 * MINUTE) is not None


def test_gold_comes_by_its_share_and_never_outruns_the_votes():
    new = Reviewer("bob", "hate", NOW)
    assert gold_is_due(RULES, new, 0.05)
    assert not gold_is_due(RULES, new, 0.1)
    # somebody who gives every real case back gets no more gold than one
    assert not gold_is_due(RULES, replace(new, gold_seen=1), 0)
    assert gold_is_due(RULES, replace(new, gold_seen=2, voted=10), 0)
    assert not gold_is_due(RULES, replace(new, gold_seen=3, voted=10), 0)
