"""The ledger holds whatever is written by hand, twice, or under a clock that was set back."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from askpoint.arena.game.transaction import LedgerAccount, transfer
from askpoint.arena.server.campaigns import services as campaigns
from askpoint.arena.server.ledger.models import Balance, Entry, Posting
from askpoint.arena.server.ledger.services import audit, balance_of, post
from askpoint.arena.server.payouts.services import withdraw
from askpoint.server.books import check_books
from askpoint.server.workspaces.services import make_workspace
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
        audit("main")


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


def entries(workspaces, points, key="by hand"):
    """Write a posting of the first workspace by hand, with these entries."""
    with transaction.atomic():
        row = Posting.objects.create(
            workspace_id="main", key=key, at=timezone.now(), about="x", campaign=""
        )
        for number, (where, amount) in enumerate(zip(workspaces, points, strict=True)):
            Entry.objects.create(
                posting=row, workspace=where, kind="funding", owner=f"{number}", points=amount
            )


def test_the_database_refuses_what_does_not_sum_to_zero_in_one_workspace(both):
    make_workspace("Other")
    for workspaces, points in (
        (("main", "main"), (5, -4)),
        (("main",), (5,)),
        (("main", "other"), (5, -5)),
        (("other", "other"), (5, -5)),
    ):
        with pytest.raises(DatabaseError):
            entries(workspaces, points)
    assert not Posting.objects.filter(key="by hand").exists()
    entries(("main", "main", "main"), (5, -2, -3))
    assert Posting.objects.filter(key="by hand").exists()


def test_a_key_and_an_account_are_of_one_workspace(both):
    other = make_workspace("Other").pk
    for where in ("main", other):
        accounts = LedgerAccount("funding", "f"), LedgerAccount("earned", "alice")
        with transaction.atomic():
            post(where, transfer("gift", timezone.now(), 60, *accounts, "gift"))
    alice = LedgerAccount("earned", "alice")
    assert [balance_of(where, alice) for where in ("main", other)] == [60, 60]
    assert withdraw(other, both.alice).points == 50
    assert [balance_of(where, alice) for where in ("main", other)] == [60, 10]
    assert audit(other).balance(alice) == 10
    assert check_books().problems == ()


def test_one_changed_balance_stops_a_payout_and_is_found(both):
    with transaction.atomic():
        accounts = LedgerAccount("funding", "f"), LedgerAccount("earned", "alice")
        post("main", transfer("gift", timezone.now(), 60, *accounts, "gift"))
    Balance.objects.filter(kind="earned", owner="alice").update(points=60_000)
    with refused("audit"):
        withdraw("main", both.alice)
    assert any(
        it.startswith("workspace main: balance: earned:alice") for it in check_books().problems
    )
