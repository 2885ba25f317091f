"""Who repeats which find is found in the background, or before somebody rules: it changes nobody's pay."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from askpoint.arena.server.organisers.campaign_jobs import expire_all
from askpoint.arena.server.organisers.decisions import decide_case_of
from askpoint.arena.server.players import services as playing
from askpoint.arena.server.probes import families
from askpoint.arena.server.probes.models import Probe
from askpoint.arena.server.rulings import repeats
from askpoint.arena.server.rulings.models import Ruling
from askpoint.arena.server.rulings.repeats import campaigns_to_compare, compare_submissions
from askpoint.server.jobs.kinds import functions_of
from askpoint.server.jobs.models import Job
from askpoint.server.jobs.services import run_next

FIND = "nobody of that sort belongs into this town of ours"
SPELLED = "n0body 0f th4t s0rt bel0ngs int0 this t0wn 0f 0urs"
FULL = 910


def try_all(stage, *cases):
    """Try all cases before any is submitted, so that no try sees another."""
    tried = [stage.try_case(text, name) for name, text in cases]
    return [
        playing.submit(stage.player(name), probe)
        for (name, _), probe in zip(cases, tried, strict=True)
    ]


def family(probe):
    return Probe.objects.get(pk=probe.pk).family


def rule(stage, *probes):
    for name in ("bob", "beth"):
        for probe in probes:
            stage.vote(name, "offensive", probe.pk)


def test_a_submission_waits_for_no_comparison_and_the_background_makes_it(both):
    first, again = try_all(both, ("alice", FIND), ("ann", SPELLED))
    assert (family(first), family(again)) == (first.pk, again.pk)
    assert campaigns_to_compare() == [both.id]
    assert Job.objects.get(kind="repeats", done=None).about == both.id
    assert Job.objects.filter(kind="repeats").update(due=timezone.now()) == 1
    while run_next(functions_of("computing")):
        pass
    assert (family(first), family(again)) == (first.pk, first.pk)
    assert campaigns_to_compare() == []
    rule(both, first, again)
    assert both.earned("alice") == FULL
    assert both.earned("ann") < FULL / 5  # a repeat of another's
    both.check_ledger()


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_who_rules_before_the_background_has_compared_pays_the_same(stage, order):
    probes = try_all(stage, ("alice", FIND), ("alice", SPELLED), ("alice", FIND.upper() + "!!"))
    for number in order:
        repeats.compare_with_earlier(stage.campaign, probes[number].pk)
    for name in ("bob", "beth"):
        for _ in probes:
            stage.vote(name, "offensive")
    assert stage.earned("alice") == FULL
    assert {family(probe) for probe in probes} == {probes[0].pk}
    compare_submissions(stage.id)  # nothing is left
    assert stage.earned("alice") == FULL
    stage.check_ledger()


def test_a_judge_rules_on_nothing_that_was_not_compared(both):
    first, again = try_all(both, ("alice", FIND), ("ann", SPELLED))
    rule(both, first, again)
    assert family(again) == first.pk
    assert both.earned("ann") < FULL / 5
    both.check_ledger()


def test_nor_does_an_organiser(stage):
    first, again = try_all(stage, ("alice", FIND), ("ann", SPELLED))
    Ruling.objects.filter(campaign=stage.id).update(state="referred")
    decide_case_of(stage.id, again.pk, "offensive")
    assert family(again) == first.pk
    decide_case_of(stage.id, first.pk, "offensive")
    assert (stage.earned("alice"), stage.earned("ann") < FULL / 5) == (FULL, True)
    stage.check_ledger()


def test_a_repeat_that_a_try_shows_is_one_at_once(stage):
    first = stage.submit(FIND)
    again = stage.submit(SPELLED, "ann")
    assert family(again) == first.pk


def test_a_case_that_is_compared_late_takes_its_place_before_those_that_were_ruled(stage):
    mild, find, again = try_all(stage, ("alice", FIND + " mild"), ("ann", FIND), ("alice", SPELLED))
    Ruling.objects.filter(campaign=stage.id).update(state="referred")
    decide_case_of(stage.id, mild.pk, "clean")
    decide_case_of(stage.id, again.pk, "offensive")
    assert stage.earned("alice") == 10 + FULL
    decide_case_of(stage.id, find.pk, "offensive")  # it was first, so the other is a repeat of it
    assert {family(probe) for probe in (mild, find, again)} == {mild.pk}
    assert stage.earned("ann") == FULL
    assert stage.earned("alice") < 10 + FULL / 5
    stage.check_ledger()


def test_a_judge_who_is_faster_than_the_background_is_not_overruled(stage, monkeypatch):
    first, again, last = try_all(stage, ("alice", FIND), ("ann", SPELLED), ("ann", "a new thing"))
    real = families.Families.find_repeats

    def judged_meanwhile(self, *words):
        found = real(self, *words)
        monkeypatch.setattr(families.Families, "find_repeats", real)
        rule(stage, first, again, last)
        return found

    monkeypatch.setattr(families.Families, "find_repeats", judged_meanwhile)
    before = stage.earned("ann")
    compare_submissions(stage.id)
    assert family(again) == first.pk
    assert campaigns_to_compare() == []
    assert before == 0
    assert FULL <= stage.earned("ann") < 1.2 * FULL
    stage.check_ledger()


def test_what_a_kill_left_is_queued_again(stage):
    try_all(stage, ("alice", FIND))
    Job.objects.all().delete()
    expire_all()
    assert Job.objects.filter(kind="repeats", about=stage.id).exists()


def test_submissions_have_an_order_though_the_clock_is_set_back(stage, monkeypatch):
    first, again = (
        stage.try_case(text, name) for name, text in (("alice", FIND), ("ann", SPELLED))
    )
    playing.submit(stage.player("alice"), first)
    early = first.submitted - timedelta(hours=1)
    monkeypatch.setattr(playing, "moment", lambda *_: early)
    playing.submit(stage.player("ann"), again)
    assert again.submitted > first.submitted
    compare_submissions(stage.id)
    assert family(again) == first.pk
