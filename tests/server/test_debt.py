"""What was paid and became void later is owed: later pay in the same workspace is set off against it."""

from __future__ import annotations

from django.urls import reverse

from askpoint.arena.server.organisers.decisions import decide_case_of
from askpoint.arena.server.payouts.models import Payout
from askpoint.arena.server.payouts.services import plan_all, withdraw
from askpoint.arena.server.probes.models import Probe
from askpoint.arena.server.rulings.models import Ruling
from askpoint.server.books import check_books
from server.stage import refused


def test_what_became_void_after_it_was_withdrawn_is_set_off_against_later_pay(both, enter):
    first = both.submit("nobody of that sort belongs into this town of ours")
    for name in ("bob", "beth"):
        both.vote(name, "offensive", first.pk)
    withdraw(both.workspace.pk, both.alice)
    assert both.earned("alice") == 10
    Ruling.objects.filter(pk=first.pk).update(state="referred")
    decide_case_of(both.id, first.pk, "clean")  # the organiser overturns it
    assert both.earned("alice") == 10 - 900  # the base pay stays
    page = enter(both.alice).get(reverse("points")).content.decode()
    assert "You owe 890 points" in page
    assert "Withdraw" not in page
    with refused("too-little"):
        withdraw(both.workspace.pk, both.alice)
    plan_all(both.workspace.pk, ["alice"])
    assert Payout.objects.filter(payee="alice").count() == 1
    both.check_ledger()
    second = both.submit("whoever prays in that house over there is a danger to us")
    for name in ("ben", "beth"):
        both.vote(name, "offensive", second.pk)
    assert Probe.objects.get(pk=second.pk).awarded == 910
    assert both.earned("alice") == 20  # the debt is set off, and no more
    assert "You owe" not in enter(both.alice).get(reverse("points")).content.decode()
    assert check_books().problems == ()
