"""Pages of payouts: a person withdraws; an organiser pays, by a list or by a provider."""

from __future__ import annotations

import csv
import io
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

import askpoint.arena.server.payouts.services as services
from askpoint.arena.game.transaction import LedgerAccount
from askpoint.arena.server.ledger.services import statement
from askpoint.arena.server.payouts.models import Batch, Payout
from askpoint.arena.server.payouts.providers import BY_HAND
from askpoint.errors import RuleError
from askpoint.server.accounts.access import for_organisers
from askpoint.server.accounts.models import User
from askpoint.server.jobs.services import add_job
from askpoint.server.spreadsheets import to_csv

__all__ = ["payouts", "send_list", "statement_of", "take"]

_MOST_FILE = 1_000_000
_COLUMNS = ("payout", "person", "participant", "amount", "reference")
_READ = ("payout", "reference")
_LINES = ("at", "what", "about", "campaign", "points", "balance")


@require_POST
@login_required
def take(request: HttpRequest) -> HttpResponse:
    """Withdraw all whole cents."""
    try:
        row = services.withdraw(request.user)
    except RuleError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"{row.cents} cents are on their way; the organiser pays them.")
    return redirect("points")


@for_organisers
def payouts(request: HttpRequest) -> HttpResponse:
    """Show what is owed and on its way; plan, hand out, receive, decide."""
    if request.method == "POST":
        try:
            _act(request)
        except RuleError as error:
            messages.error(request, str(error))
        return redirect("payouts")
    mine = services.people_of(request.user)
    rows = Payout.objects.filter(payee__in=mine).select_related("batch").order_by("-at")
    waiting = rows.filter(state__in=["planned", "sending", "lookup", "unknown"])
    page = {
        "owed": list(services.balances_of(mine)),
        "waiting": waiting,
        "sent": rows.filter(state="sent")[:100],
        "lists": Batch.objects.filter(provider=BY_HAND, payouts__payee__in=mine)
        .distinct()
        .order_by("-pk")[:20],
        "planned": waiting.filter(state="planned").exists(),
    }
    return render(request, "payouts/payouts.html", page)


def _act(request: HttpRequest) -> None:
    action, mine = request.POST.get("action", ""), services.people_of(request.user)
    if action == "plan":
        messages.success(request, f"{services.plan_all(mine)} payouts are planned.")
    elif action == "hand-out":
        batch = services.hand_out(mine)
        if batch is not None:
            messages.success(request, f"List {batch.pk} is below: pay it, and bring the receipts.")
    elif action == "receive":
        count, wrong = services.receive(_receipts(request), mine)
        messages.success(request, f"{count} payouts are confirmed.")
        for problem in wrong[:10]:
            messages.error(request, problem)
    elif action == "prolific":
        study = request.POST.get("study", "").strip()[:100]
        if not study.isalnum():
            raise RuleError("unknown", "a study of Prolific is named by letters and digits")
        add_job("payout", study)
        messages.success(request, "The payouts are made in the background; look again in a minute.")
    else:
        reference = request.POST.get("reference", "")
        services.decide_payout(request.POST.get("payout", ""), action, reference, people=mine)


def _receipts(request: HttpRequest) -> list[tuple[str, str]]:
    file: Any = request.FILES.get("file")
    if file is None or file.size > _MOST_FILE:
        raise RuleError(
            "receipts", "bring the list back as CSV, with a reference in each paid line"
        )
    try:
        rows = list(csv.DictReader(io.StringIO(file.read().decode("utf-8-sig"))))
    except (UnicodeDecodeError, csv.Error):
        raise RuleError("receipts", "the file is no CSV in UTF-8") from None
    if rows and not {"payout", "reference"} <= set(rows[0]):
        raise RuleError("receipts", "the list has the columns payout and reference")
    cells = [[(row[name] or "").strip().removeprefix("'") for name in _READ] for row in rows]
    return [(name, reference) for name, reference in cells if name and reference]


@require_GET
@for_organisers
def send_list(request: HttpRequest, number: int) -> HttpResponse:
    """Send a list to be paid by hand, as CSV; the same as often as it is asked for."""
    mine = services.people_of(request.user)
    found = Batch.objects.filter(provider=BY_HAND, payouts__payee__in=mine)
    batch = found.filter(pk=number).first() if number < 10**15 else None
    if batch is None:
        raise Http404
    known = dict(User.objects.values_list("username", "participant"))
    rows = (
        {
            "payout": row.pk,
            "person": row.payee,
            "participant": known.get(row.payee) or None,
            "amount": f"{row.cents / 100:.2f}",
            "reference": row.reference or None,
        }
        for row in batch.payouts.filter(payee__in=mine).order_by("payee", "pk")
    )
    return _csv_response(rows, _COLUMNS, f"payouts-{number}.csv")


@require_GET
@for_organisers
def statement_of(request: HttpRequest, name: str) -> HttpResponse:
    """Send a person's lines of the ledger, as CSV."""
    if name not in services.people_of(request.user):
        raise Http404
    lines = statement(LedgerAccount("earned", name))[::-1]
    return _csv_response(
        ({**line, "at": line["at"].isoformat()} for line in lines), _LINES, "statement.csv"
    )


def _csv_response(rows: Any, columns: tuple[str, ...], name: str) -> HttpResponse:
    response = StreamingHttpResponse(to_csv(columns, rows), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
