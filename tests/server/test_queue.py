"""The queue that the database hands out is the one that the game's rules say."""

from __future__ import annotations

import random
from contextlib import suppress
from datetime import timedelta

import pytest
from django.db.models import Count
from django.utils import timezone

from askpoint.arena.server.campaigns.records import terms_of
from askpoint.arena.server.judges import queue as judges_queue, services as judging
from askpoint.arena.server.rulings.models import Ruling
from askpoint.errors import RuleError
from askpoint.labelling.queue import is_open_to, next_case, queue_rank
from askpoint.server.labelling.models import Claim, Vote
from askpoint.server.labelling.records import case_of

JUDGES = ("bob", "beth", "ben")


def check_queue(stage):
    """Compare what the database offers with the rules, applied to every case; how long it is."""
    now, protocol = timezone.now(), terms_of(stage.campaign.terms).protocol
    rows = Ruling.objects.exclude(purpose="gold").prefetch_related("votes", "claims")
    rulings = [case_of(row) for row in rows]
    longest = 0
    for name in JUDGES:
        open_to = [item for item in rulings if is_open_to(item, name, protocol, now)]
        offered = list(judges_queue.waiting(stage.campaign, name, protocol, now))
        assert {item.pk for item in offered} == {item.id for item in open_to}
        if not Claim.objects.filter(until__lte=now).exists():  # else it is right in half a minute
            open_to.sort(key=lambda item: queue_rank(item, protocol, now))
            assert [item.pk for item in offered] == [item.id for item in open_to]
            first = next_case(map(case_of, offered[:2]), name, protocol, now)
            assert first == next_case(rulings, name, protocol, now)
        longest = max(longest, len(offered))
    return longest


MOVES = {"submit": 2, "claim": 5, "vote": 5, "skip": 1, "end": 1, "age": 1, "expire": 1}


def play(stage, seed, moves):
    rng = random.Random(seed)
    longest = 0
    for number in range(moves):
        name = rng.choice(JUDGES)
        (move,) = rng.choices(list(MOVES), list(MOVES.values()))
        held = Claim.objects.filter(reviewer=name, until__gt=timezone.now()).first()
        if move == "submit":
            stage.submit(f"case {seed} {number}")
        elif move == "claim":
            judging.claim(stage.id, name)
        elif move == "vote" and held:
            judging.vote(stage.id, name, held.case_id, rng.choice(["clean", "offensive"]))
        elif move == "skip" and held:
            with suppress(RuleError):  # no skip is left
                (judging.rest if number % 4 else judging.skip)(stage.id, name, held.case_id)
        elif move == "end" and held:
            Claim.objects.filter(pk=held.pk).update(until=timezone.now())
        elif move == "age":
            keys = list(Ruling.objects.order_by("n_claims", "opened").values_list("pk", flat=True))
            old = rng.choice(keys) if keys else ""
            Ruling.objects.filter(pk=old).update(opened=timezone.now() - timedelta(days=2))
        elif move == "expire":
            judging.expire_claims(stage.id)
        longest = max(longest, check_queue(stage))
    return longest


@pytest.mark.whole
def test_the_database_offers_what_the_rules_say(both):
    assert play(both, 1, 150) >= 3
    assert Vote.objects.values("case").annotate(n=Count("pk")).filter(n=3).exists()
    judging.expire_claims(both.id)
    check_queue(both)
    both.check_ledger()
