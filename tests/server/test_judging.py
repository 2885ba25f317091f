"""Judges at work: cases that are claimed, votes, gold, and the queue."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from askpoint.arena.server.campaigns import services as campaigns
from askpoint.arena.server.judges import services as judging
from askpoint.arena.server.rulings.models import Judge, Ruling
from askpoint.arena.server.rulings.pools import change_standing, join
from askpoint.server.labelling.models import Claim, Vote
from server.stage import refused


def test_a_third_judge_decides_a_disagreement(both):
    probe = both.submit("you are not from here")
    both.vote("bob", "offensive")
    both.vote("beth", "clean")
    assert Ruling.objects.get(pk=probe.pk).state == "open"
    assert both.vote("ben", "clean", probe.pk).answer == "clean"
    assert both.earned("alice") == 10
    both.check_ledger()


def test_an_untrained_or_barred_judge_claims_nothing(stage):
    stage.submit("a case")
    join(stage.id, stage.charlie, "judge")
    with refused("untrained"):
        judging.claim(stage.id, "charlie")
    change_standing(stage.id, "bob", "judge", barred=True)
    with refused("barred"):
        judging.claim(stage.id, "bob")
    change_standing(stage.id, "bob", "judge", barred=False)
    with refused("untrained"):
        judging.claim(stage.id, "bob")


def test_a_claim_is_kept_given_back_and_ends(both):
    probe = both.submit("a case")
    assert judging.claim(both.id, "bob").pk == probe.pk
    assert judging.claim(both.id, "bob").pk == probe.pk  # another tab
    assert judging.claim(both.id, "beth").pk == probe.pk
    assert judging.claim(both.id, "ben") is None  # both places are taken
    judging.rest(both.id, "beth", probe.pk)
    assert judging.claim(both.id, "ben").pk == probe.pk
    Claim.objects.update(until=timezone.now() - timedelta(seconds=1))
    with refused("no-claim"):
        judging.vote(both.id, "ben", probe.pk, "clean")
    assert judging.expire_claims(both.id) == 1
    assert not Claim.objects.exists()
    both.vote("beth", "clean")
    both.check_ledger()


def test_a_second_vote_is_refused(both):
    probe = both.submit("a case")
    both.vote("bob", "clean")
    with refused("second-vote"):
        judging.vote(both.id, "bob", probe.pk, "clean")
    with pytest.raises(DatabaseError), transaction.atomic():
        Vote.objects.create(case_id=probe.pk, reviewer="bob", choice="x", at=timezone.now())


def test_the_queue_starves_nobody(stage):
    cases = [stage.submit(f"case {word}").pk for word in ("one", "two", "three", "four")]
    claimed = [judging.claim(stage.id, name).pk for name in ("bob", "beth", "ben")]
    assert claimed == cases[:3]  # one vote for each before a second for any
    for name, case in zip(("bob", "beth", "ben"), claimed, strict=True):
        judging.vote(stage.id, name, case, "clean")
    assert judging.claim(stage.id, "bob").pk == cases[3]


def test_gold_pauses_a_bad_judge_and_recalls_the_votes(sqlite, monkeypatch):
    from askpoint.labelling.protocol import Protocol
    from server.stage import Stage

    rules = Protocol(training_items=2, gold_share=1.0, gold_least=2)  # 1 + 2 for a vote
    stage = Stage(monkeypatch, protocol=rules)
    probe = stage.submit("a case")
    stage.vote("bob", "clean", probe.pk)  # no gold yet
    stage.vote("beth", "clean", probe.pk)
    assert stage.earned("alice") == 10
    for text in ("gold one", "gold two"):
        judging.add_gold(stage.id, text, "clean")
    assert judging.claim(stage.id, "bob") is None  # never on an empty queue
    other = stage.submit("it waits")
    for _ in range(2):
        assert stage.vote("bob", "offensive").purpose == "gold"
    bob = Judge.objects.get(user=stage.bob)
    assert (bob.gold_right, bob.recent, bob.voted) == (0, [False, False], 1)
    Ruling.objects.filter(pk=other.pk).update(state="final")
    with refused("paused"):
        judging.claim(stage.id, "bob")
    ruling = Ruling.objects.get(pk=probe.pk)
    assert (ruling.state, ruling.votes.get(reviewer="bob").void) == ("open", True)
    stage.check_ledger()


def test_a_gold_claim_that_ends_gives_its_pay_back(sqlite, monkeypatch):
    from askpoint.labelling.protocol import Protocol
    from server.stage import Stage

    stage = Stage(monkeypatch, protocol=Protocol(training_items=2, gold_share=1.0))
    judging.add_gold(stage.id, "gold", "clean")
    stage.submit("a case that waits")
    before = campaigns.budget_left(stage.campaign)
    judging.claim(stage.id, "bob")
    assert campaigns.budget_left(stage.campaign) == before - 100
    Claim.objects.update(until=timezone.now())
    judging.expire_claims(stage.id)
    assert campaigns.budget_left(stage.campaign) == before
    stage.check_ledger()


def test_gold_is_renewed_by_what_all_agreed_on_and_used_up_gold_is_told(sqlite, monkeypatch):
    from askpoint.arena.server.organisers.figures import judge_lines
    from askpoint.labelling.protocol import Protocol
    from server.stage import Stage

    stage = Stage(monkeypatch, protocol=Protocol(training_items=2, gold_share=1.0))
    first = stage.submit("the first of all")
    for name in ("bob", "beth"):
        assert stage.vote(name, "clean").purpose == "submitted"
    second = stage.submit("quite another one")
    gold = judging.claim(stage.id, "ben")  # made of the first case, in which ben had no part
    assert (gold.purpose, gold.source, gold.gold, gold.content) == (
        "gold",
        first.pk,
        "clean",
        "the first of all",
    )
    judging.vote(stage.id, "ben", gold.pk, "clean")
    assert judging.claim(stage.id, "ben").pk == second.pk
    judging.vote(stage.id, "ben", second.pk, "offensive")
    lines = {line.name: line for line in judge_lines(stage.campaign)}
    assert (lines["ben"].gold_left, lines["ben"].unchecked) == (0, 1)
    assert judging.ask_again(stage.id, "ben") == 1
    assert Ruling.objects.get(pk=second.pk).votes.get(reviewer="ben").void
    assert {line.name: line.unchecked for line in judge_lines(stage.campaign)}["ben"] == 0
    stage.check_ledger()
