"""A submission is written whole or not at all, and what the database refuses is said in words."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from askpoint.arena.server.ledger.models import Entry, Posting
from askpoint.arena.server.players import services as playing
from askpoint.arena.server.probes.models import Probe
from askpoint.arena.server.rulings.models import Ruling
from askpoint.errors import RuleError


def state():
    rows = Posting.objects.count(), Entry.objects.count(), Ruling.objects.count()
    return (*rows, Probe.objects.filter(state="submitted").count())


def test_all_of_a_submission_is_written(both):
    tried = both.try_case("you are not from here")
    before = state()
    probe = playing.submit(both.player(), tried)
    assert state() == (before[0] + 1, before[1] + 2, before[2] + 1, 1)
    kept, ruling = Probe.objects.get(), Ruling.objects.get()
    for name in ("prizes", "at", "submitted", "family", "place", "similarity", "state", "reason"):
        assert getattr(kept, name) == getattr(probe, name), name
    assert (ruling.pk, ruling.content, ruling.options) == (kept.pk, kept.case, kept.options)
    assert (ruling.author, ruling.state, ruling.purpose) == ("alice", "open", "submitted")
    assert (ruling.opened, ruling.at) == (kept.submitted, kept.at)
    assert (ruling.answer, ruling.gold, ruling.skipped, ruling.promised) == (None, None, "", 0)
    posting = Posting.objects.get(key=f"reserve/{kept.pk}")
    points = sorted(posting.entries.values_list("kind", "owner", "points"))
    assert points == [("budget", both.id, -ruling.reserved), ("reserved", both.id, ruling.reserved)]
    both.check_ledger()


def test_what_the_database_refuses_has_a_name_and_leaves_nothing(both, monkeypatch):
    again, twin = both.try_case("you are not from here"), both.try_case("you are not from here")
    stale, poor = Probe.objects.get(pk=again.pk), both.try_case("and neither are those over there")
    player, lock = both.player(), playing.lock_campaign

    def rich(campaign):
        locked = lock(campaign)
        locked.left = 10**9
        return locked

    playing.submit(player, again)
    before = state()
    for probe, rule in ((stale, "submitted-before"), (twin, "exact-duplicate")):
        with pytest.raises(RuleError) as caught:
            playing.submit(player, probe)
        assert (caught.value.rule, state()) == (rule, before)
    both.fund(1310)  # of which one case leaves 100
    playing.submit(player, both.try_case("a case for which the budget is just enough"))
    monkeypatch.setattr(playing, "lock_campaign", rich)
    before = state()
    with pytest.raises(RuleError, match="does not hold the points") as caught:
        playing.submit(player, poor)
    assert (caught.value.rule, state()) == ("overdrawn", before)
    both.check_ledger()


def test_who_holds_the_campaign_reads_once_and_writes_once(emptied_postgres, monkeypatch):
    from server.stage import Stage

    stage = Stage(monkeypatch)
    stage.submit("you are not from here")
    tried, player = stage.try_case("and neither are those over there"), stage.player()
    with CaptureQueriesContext(connection) as asked:
        playing.submit(player, tried)
    said = [it["sql"].split(None, 1)[0] for it in asked.captured_queries]
    locks = [n for n, it in enumerate(asked.captured_queries) if "FOR UPDATE" in it["sql"]]
    held = said[locks[-1] + 1 :]
    assert held[: held.index("COMMIT")] == ["SELECT", "WITH"]
