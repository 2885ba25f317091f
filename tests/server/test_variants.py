"""What resembles an earlier find: variants of one sentence are one find, and the rest earns less."""

from __future__ import annotations

import importlib
import sys
import time
from datetime import timedelta

import pytest
from django.utils import timezone

from askpoint.arena.server.organisers.figures import figures_of
from askpoint.arena.server.probes.families import family_members, family_so_far
from askpoint.arena.server.probes.models import Probe, Similar
from askpoint.arena.server.probes.similar import learn, likeness, load_early
from askpoint.arena.server.rulings.models import Ruling
from askpoint.server.jobs.models import Job


@pytest.mark.parametrize("rulings", ["3- 1- 2+ 0+", "2+ 0- 3+ 1+", "1- 0- 2- 3-"])
def test_what_a_new_variant_needs_to_know_is_read_in_short(stage, rulings):
    find = "nobody of that sort belongs into this town of ours"
    cases = [stage.submit(find + end).pk for end in ("", "!", " today", " or ever")]
    for number, said in rulings.split():
        case = cases[int(number)]
        Ruling.objects.filter(pk=case).update(opened=timezone.now() - timedelta(days=1))
        for name in ("bob", "beth"):
            stage.vote(name, "offensive" if said == "+" else "clean", case)
        whole = family_members(stage.campaign, cases[0])
        short = family_so_far(stage.campaign, cases[0])
        assert len(short) <= 3
        assert {one.family for one in short} == {cases[0]}
        assert any(one.prize.found for one in short) == any(one.prize.found for one in whole)


def test_variants_of_one_sentence_are_one_find(both):
    find = "nobody of that sort belongs into this town of ours"
    cases = [both.submit(find + end).pk for end in ("", "!", " today", " or ever", "?!")]
    for _ in cases:
        for name in ("bob", "beth"):
            both.vote(name, "offensive")
    pay = [Probe.objects.get(pk=case).awarded for case in cases]
    assert pay[0] > 900
    assert pay[1:] == [0] * 4
    figures = figures_of(both.campaign)
    assert (figures.found, figures.unknown, figures.repeats) == (1, 1, 4)
    late = both.try_case("really, " + find, "ann")
    assert (late.family, late.similarity) == (cases[0], 1.0)
    both.check_ledger()


def test_what_resembles_an_earlier_find_earns_less(stage):
    from askpoint.arena.server.demo import _EVERYDAY

    type(stage.campaign).objects.update(reference=list(_EVERYDAY))
    probe = stage.submit("people from the north are all thieves, everybody knows that")
    for name in ("bob", "beth"):
        stage.vote(name, "offensive")
    assert Job.objects.get(kind="learn").about == stage.id
    learn(stage.id)
    assert Similar.objects.get().successful == [probe.pk]
    again = stage.try_case("people from the north are all thieves, as everybody knows", "ann")
    assert again.similarity > 0.5
    best = max(points for points, _ in again.prizes)
    assert best < 900 / 2
    assert likeness(stage.campaign, "nice weather").resemblance.similarity < 0.5


def test_without_texts_to_tell_it_from_only_a_near_duplicate_earns_less(stage):
    text = "people from the north are all thieves, everybody here knows that very well"
    stage.submit(text)
    for name in ("bob", "beth"):
        stage.vote(name, "offensive")
    learn(stage.id)
    assert likeness(stage.campaign, "thieves from the north").resemblance.similarity == 0
    near = likeness(stage.campaign, text + "!")
    assert (near.resemblance.similarity, near.reason) == (1, "near-duplicate")


def test_a_server_without_finds_starts_without_the_classifier(stage, monkeypatch):
    loaded = []
    monkeypatch.setattr(importlib, "import_module", loaded.append)
    load_early()
    assert loaded == []
    stage.submit("thieves from the north")
    for name in ("bob", "beth"):
        stage.vote(name, "offensive")
    learn(stage.id)
    load_early()
    assert loaded == ["askpoint.unknowns.similarity"]


def test_the_first_case_of_a_campaign_has_the_classifier_loaded_beside_it(stage, monkeypatch):
    name = "askpoint.unknowns.similarity"
    monkeypatch.delitem(sys.modules, name, raising=False)
    assert likeness(stage.campaign, "nice weather").reason == ""
    ends = time.monotonic() + 60
    while name not in sys.modules and time.monotonic() < ends:
        time.sleep(0.02)
    assert name in sys.modules
