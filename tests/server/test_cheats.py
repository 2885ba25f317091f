"""Reviewers who cheat against gold cases: when they are stopped, and what they get away with."""

from __future__ import annotations

from datetime import datetime

import numpy as np
import pytest
from django.urls import reverse

from askpoint import RuleError
from askpoint.labelling.protocol import Protocol
from askpoint.labelling.reviewer import Reviewer, is_paused
from askpoint.server.deployments import queue
from askpoint.server.deployments.models import Label
from askpoint.server.deployments.roles import give_part, take_part_away
from askpoint.server.labelling import services as reviewing

GOLDEN = 1 / 8  # of the claims, while asked cases wait
NOON = datetime(2026, 1, 1)  # noqa: DTZ001 - no clock matters here


# each takes: how many it labelled, whether it knows the item for golden, the truth (1 is the rarer class)
def honest(rng, done, known, truth):
    return truth if rng.random() < 0.95 else 1 - truth


def without_looking(rng, done, known, truth):
    return int(rng.random() < 0.5)


def always_the_commoner(rng, done, known, truth):
    return 0


def half_the_time(rng, done, known, truth):
    return truth if rng.random() < 0.5 else int(rng.random() < 0.5)


def careful_at_first(rng, done, known, truth):
    return truth if done < 100 else int(rng.random() < 0.5)


def told_by_a_friend(rng, done, known, truth):
    """Knows half of the gold cases from somebody who labelled them before."""
    return truth if known else int(rng.random() < 0.5)


CHEATS = (
    honest,
    without_looking,
    always_the_commoner,
    half_the_time,
    careful_at_first,
    told_by_a_friend,
)


def life_of_a_cheat(plan, rng, rare, most=400, golden=100, held=5):
    """Labels given until stopped, and how many of them are wrong; gold cases end, too.

    A label counts when so many later ones are given, and who is to be stopped is given 3 to 10 more cases.
    """
    protocol, recent, wrong, left, grace, said_of_gold = Protocol(), (), 0, golden, None, []
    for done in range(most):
        if not is_paused(Reviewer("x", "y", NOON, recent=recent), protocol):
            grace = None
        elif grace is None:
            grace = int(rng.integers(3, 11))
        if grace == 0:
            return done, wrong, True
        grace = grace and grace - 1
        truth = int(rng.random() < rare)
        if left and rng.random() < GOLDEN:
            left -= 1
            said = plan(rng, done, rng.random() < 0.5, truth)
            said_of_gold.append((done, said == truth))
        else:
            wrong += plan(rng, done, False, truth) != truth
        while said_of_gold and said_of_gold[0][0] + held <= done:
            recent = (*recent, said_of_gold.pop(0)[1])[-protocol.gold_window :]
    return most, wrong, False


def figures(plan, rare, runs):
    rng = np.random.default_rng(7)
    lives = [life_of_a_cheat(plan, rng, rare) for _ in range(runs)]
    stopped = np.mean([it for *_, it in lives])
    return stopped, np.median([n for n, *_ in lives]), np.median([wrong for _, wrong, _ in lives])


def test_what_cheats_get_away_with():
    """The table of docs/evidence/server.md, with a tenth of its runs."""
    stopped = {plan: figures(plan, 0.5, 150)[0] for plan in CHEATS}
    assert stopped[honest] < 0.1
    assert (
        min(stopped[without_looking], stopped[always_the_commoner], stopped[careful_at_first])
        > 0.97
    )
    assert figures(without_looking, 0.5, 150)[2] < 55
    assert (
        figures(always_the_commoner, 0.1, 150)[0] < 0.5
    )  # gold cases must be as many of each class


@pytest.mark.soak
def test_the_table_of_cheats():
    for rare in (0.5, 0.1):
        for plan in CHEATS:
            stopped, n, wrong = figures(plan, rare, 1500)
            print(f"| {plan.__name__} | {rare:.0%} | {stopped:.0%} | {n:.0f} | {wrong:.0f} |")  # noqa: T201


def test_who_votes_without_looking_is_stopped_until_the_part_is_given_anew(in_use, enter):
    queue.add_gold(in_use.id, [(f"known {i}", "hate") for i in range(25)])
    in_use.decide(150)
    golden = 0
    while golden < 10:
        held = reviewing.claim(in_use.queue, "rosa", others=True)
        golden += held.case.purpose == "gold"
        reviewing.cast(in_use.queue, "rosa", str(held.case.pk), "fine")
    more = 0

    def label_on():
        nonlocal more
        while held := reviewing.claim(in_use.queue, "rosa", others=False):
            reviewing.cast(in_use.queue, "rosa", str(held.case.pk), "fine")
            more += 1

    with pytest.raises(RuleError, match="nobody can continue in") as refusal:
        label_on()
    assert 3 <= more <= 10  # or the refusal would tell which case was gold
    assert refusal.value.rule == "stopped"
    browser = enter(in_use.rosa)
    page = browser.post(reverse("review-claim"), follow=True).content.decode()
    assert "of your last 10 cases whose truth is known 0 were right" in page.lower()
    assert reviewing.claim(in_use.queue, "rudi") is not None
    assert Label.objects.filter(judge="rosa", source="gold").count() == 10
    take_part_away(in_use.id, "rosa")
    give_part(in_use.id, in_use.rosa, "reviewer")
    assert reviewing.claim(in_use.queue, "rosa") is not None
