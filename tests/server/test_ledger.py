"""The ledger holds whatever is written by hand, twice, or under a clock that was set back."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from askpoint.arena.server.campaigns import services as campaigns
from askpoint.arena.server.ledger.models import Balance, Entry, Posting
from askpoint.arena.server.ledger.services import audit
from server.stage import refused


def test_the_ledger_cannot_be_emptied(emptied_postgres):
    for table in ("ledger_posting", "ledger_entry"):
        with pytest.raises(DatabaseError, match="append-only"), connection.cursor() as cursor:
            cursor.execute(f"TRUNCATE {table} CASCADE")


def test_the_ledger_is_append_only_in_the_database(both):
    both.submit("a case")
    for rows in (Posting.objects, Entry.objects):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            rows.update(id=7)
        with (
            pytest.raises(DatabaseError, match="append-only"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(f"DELETE FROM {rows.model._meta.db_table}")  # noqa: S608


def test_no_balance_falls_below_zero_even_by_hand(both):
    with pytest.raises(DatabaseError), transaction.atomic():
        Balance.objects.filter(kind="budget").update(points=-1)


def test_the_audit_finds_a_balance_that_its_entries_do_not_say(stage):
    Balance.objects.filter(kind="budget").update(points=7)
    with refused("audit"):
        audit()


def test_the_audit_bears_a_clock_that_was_set_back(stage, monkeypatch):

    real = timezone.now
    campaigns.change_state(stage.id, "close")
    monkeypatch.setattr(timezone, "now", lambda: real() + timedelta(hours=1))
    left = campaigns.budget_left(stage.campaign)
    campaigns.fund(stage.id, 500, "ahead")
    monkeypatch.setattr(timezone, "now", lambda: real() - timedelta(hours=1))
    type(stage.campaign).objects.update(at=real() - timedelta(hours=2))
    campaigns.fund(
        stage.id, -left - 500, "after the step"
    )  # by its times, before there was so much
    assert campaigns.budget_left(stage.campaign) == 0
    stage.check_ledger()


def test_a_funding_happens_once(both):
    with refused("posted-before"):
        campaigns.fund(both.id, 100, "first")
    both.check_ledger()


def test_no_more_is_taken_back_than_there_is(both):
    campaigns.change_state(both.id, "close")
    left = campaigns.budget_left(both.campaign)
    with refused("overdrawn"):
        campaigns.fund(both.id, -left - 1, "back")
    assert campaigns.budget_left(both.campaign) == left
    campaigns.fund(both.id, -left, "back")  # the refused one has left no trace, its key neither
    both.check_ledger()
