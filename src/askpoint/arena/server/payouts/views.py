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
from askpoint.arena.server.payouts.tokens import has_token, keep_token
from askpoint.errors import InputError, RuleError
from askpoint.server.accounts.access import for_payers
from askpoint.server.accounts.models import User
from askpoint.server.accounts.second_factor import with_fresh_factor
from askpoint.server.jobs.services import add_job
from askpoint.server.spreadsheets import to_csv

__all__ = ["answer", "payouts", "send_list", "statement_of", "take"]

_MOST_FILE = 1_000_000
_LONGEST_STUDY = 27  # with the workspace it names a job
_COLUMNS = ("payout", "person", "participant", "amount", "reference")
_READ = ("payout", "reference")
_LINES = ("at", "what", "about", "campaign", "points", "balance")


@require_POST
@login_required
def take(request: HttpRequest) -> HttpResponse:
    """Withdraw all whole cents."""
    try:
        row = services.withdraw_from(request.POST.get("workspace", ""), request.user)
    except RuleError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"{row.cents} cents are on their way; the organiser pays them.")
    return redirect("points")


@require_POST
@login_required
def answer(request: HttpRequest) -> HttpResponse:
    """Say whether a payment that was marked as made has come."""
    came = request.POST.get("came") == "yes"
    try:
        services.answer_payout(request.user, request.POST.get("payout", ""), came=came)
    except RuleError as error:
        messages.error(request, str(error))
    else:
        told = "Thank you." if came else "The workspace's owner decides now; the points wait."
        messages.success(request, told)
    return redirect("points")


@for_payers
@with_fresh_factor
def payouts(request: HttpRequest) -> HttpResponse:
    """Show what is owed and on its way; plan, hand out, receive, decide."""
    if request.method == "POST":
        try:
            _act(request)
        except (RuleError, InputError) as error:
            messages.error(request, str(error))
        return redirect("payouts")
    where, mine = request.seat.workspace_id, services.people_of(request.seat)
    rows = Payout.within(where).filter(payee__in=mine).select_related("batch").order_by("-at")
    waiting = rows.filter(
        state__in=["planned", "sending", "lookup", "unknown", "said-paid", "disputed"]
    )
    page = {
        "owed": list(services.balances_of(where, mine)),
        "waiting": waiting,
        "sent": rows.filter(state="sent")[:100],
        "lists": Batch.within(where)
        .filter(provider=BY_HAND, payouts__payee__in=mine)
        .distinct()
        .order_by("-pk")[:20],
        "planned": waiting.filter(state="planned").exists(),
        "token": has_token(where),
    }
    return render(request, "payouts/payouts.html", page)


def _act(request: HttpRequest) -> None:
    action, mine = request.POST.get("action", ""), services.people_of(request.seat)
    where = request.seat.workspace_id
    if action == "plan":
        messages.success(request, f"{services.plan_all(where, mine)} payouts are planned.")
    elif action == "hand-out":
        batch = services.hand_out(where, mine)
        if batch is not None:
            messages.success(request, f"List {batch.pk} is below: pay it, and upload the receipts.")
    elif action == "receive":
        count, wrong = services.receive(where, _receipts(request), mine)
        messages.success(request, f"{count} payouts are confirmed.")
        for problem in wrong[:10]:
            messages.error(request, problem)
    elif action == "prolific":
        study = request.POST.get("study", "").strip()
        if not (study.isascii() and study.isalnum() and len(study) <= _LONGEST_STUDY):
            raise RuleError(
                "unknown",
                f"a study of Prolific is named by up to {_LONGEST_STUDY} letters and digits; got {study[:60]!r}",
            )
        if has_token(where) is None:
            raise RuleError("no-token", "an owner of the workspace sets its Prolific token first")
        add_job("payout", f"{where}/{study}")
        messages.success(request, "The payouts are made in the background; look again in a minute.")
    elif action == "token" and request.seat.role == "owner":
        keep_token(where, request.user, request.POST.get("token", ""))
        messages.success(request, "The token is kept; nobody can read it here.")
    else:
        reference, name = request.POST.get("reference", ""), request.POST.get("payout", "")
        there = Payout.within(where).filter(pk=name, state="disputed")
        if there.exists() and request.seat.role != "owner":
            raise RuleError("dispute", "an owner of the workspace decides what its payee disputes")
        services.decide_payout(
            where, request.POST.get("payout", ""), action, reference, people=mine
        )


def _receipts(request: HttpRequest) -> list[tuple[str, str]]:
    file: Any = request.FILES.get("file")
    if file is None or file.size > _MOST_FILE:
        raise RuleError("receipts", "upload the list as CSV, with a reference in each paid line")
    try:
        rows = list(csv.DictReader(io.StringIO(file.read().decode("utf-8-sig"))))
    except (UnicodeDecodeError, csv.Error):
        raise RuleError("receipts", "the file is not CSV in UTF-8") from None
    if rows and not {"payout", "reference"} <= set(rows[0]):
        raise RuleError("receipts", "the list has the columns payout and reference")
    cells = [[(row[name] or "").strip().removeprefix("'") for name in _READ] for row in rows]
    return [(name, reference) for name, reference in cells if name and reference]


@require_GET
@for_payers
def send_list(request: HttpRequest, number: int) -> HttpResponse:
    """Send a list to be paid by hand, as CSV; the same as often as it is asked for."""
    mine = services.people_of(request.seat)
    found = Batch.within(request.seat.workspace_id).filter(
        provider=BY_HAND, payouts__payee__in=mine
    )
    batch = found.filter(pk=number).first() if number < 10**15 else None
    if batch is None:
        raise Http404
    known = dict(User.objects.filter(username__in=mine).values_list("username", "participant"))
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
@for_payers
def statement_of(request: HttpRequest, name: str) -> HttpResponse:
    """Send a person's lines of the ledger, as CSV."""
    if name not in services.people_of(request.seat):
        raise Http404
    lines = statement(request.seat.workspace_id, LedgerAccount("earned", name))[::-1]
    return _csv_response(
        ({**line, "at": line["at"].isoformat()} for line in lines), _LINES, "statement.csv"
    )


def _csv_response(rows: Any, columns: tuple[str, ...], name: str) -> HttpResponse:
    response = StreamingHttpResponse(to_csv(columns, rows), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
