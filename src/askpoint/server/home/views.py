"""The front door: home, an account's points, refusals."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.core.exceptions import RequestDataTooBig
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from askpoint.arena.game.payout import whole_cents
from askpoint.arena.game.transaction import Account
from askpoint.arena.server.campaigns.models import Campaign, Colleague
from askpoint.arena.server.ledger.services import balance_of, statement
from askpoint.arena.server.payouts.models import Payout
from askpoint.arena.server.payouts.services import completion_code
from askpoint.arena.server.probes.models import Player, Probe
from askpoint.arena.server.rulings.models import Judge, Ruling
from askpoint.server.accounts.models import User
from askpoint.server.deployments.models import Member

__all__ = ["bad_request", "enter", "explain_refusal", "home", "points"]


@require_GET
@login_required
def home(request: HttpRequest) -> HttpResponse:
    """Show where one plays, judges and organises."""
    user = request.user
    beside = Colleague.objects.filter(user=user).values("campaign")
    mine = Q(organiser=user) if user.is_organiser else Q(pk="")
    return render(
        request,
        "home/home.html",
        {
            "plays": Player.objects.filter(user=user).select_related("campaign"),
            "judges": Judge.objects.filter(user=user).select_related("campaign"),
            "runs": Campaign.objects.filter(Q(pk__in=beside) | mine).order_by("-made"),
            "uses": Member.objects.filter(user=user).select_related("deployment").order_by("-at"),
            "owns": Member.objects.filter(user=user, role="owner").exists(),
            "earned": balance_of(Account("earned", user.username)),
        },
    )


_JUDGED = ("pk", "case", "campaign__veiled")


@require_GET
@login_required
def points(request: HttpRequest) -> HttpResponse:
    """Show an account's lines of the ledger, each with the case that it is about."""
    me = request.user
    mine = dict(Probe.objects.filter(player__user=me).values_list("pk", "case"))
    voted = Ruling.objects.filter(votes__judge=me.username)
    judged = {key: (case, veiled) for key, case, veiled in voted.values_list(*_JUDGED)}
    lines = []
    for line in statement(Account("earned", me.username)):
        case, veiled = judged.get(line["about"], (None, False))
        own = mine.get(line["about"])
        lines.append({**line, "own": own, "case": case, "veiled": veiled})
    joined = Campaign.objects.filter(Q(players__user=me) | Q(judges__user=me)).distinct()
    page = {
        "lines": lines,
        "cents": whole_cents(balance_of(Account("earned", me.username)))[0],
        "payouts": Payout.objects.filter(payee=me.username).order_by("-planned"),
        "codes": [(row.title, completion_code(me, row.pk)) for row in joined.order_by("made")],
    }
    return render(request, "home/points.html", page)


@require_POST
def enter(request: HttpRequest, name: str) -> HttpResponse:
    """Enter as one of the demo's people; there is no such page without ``--demo``."""
    user = User.objects.filter(username=name).first() if settings.ASKPOINT.demo else None
    if user is None:
        raise Http404
    login(request, user)
    return redirect("home")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Say what was wrong with a request that could not be read."""
    too_big = isinstance(exception, RequestDataTooBig)
    problem = (
        "What you sent is far too large: a page takes a megabyte. Go back and shorten it."
        if too_big
        else "The browser sent something that cannot be read."
    )
    return render(
        request, "home/refused.html", {"problem": problem}, status=413 if too_big else 400
    )


def explain_refusal(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Say something where a browser opens what only a form may send to."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.status_code == 405 and not response.content:
            problem = "This address takes only what a form sends. Nothing was changed."
            page = render(request, "home/refused.html", {"problem": problem}, status=405)
            page["Allow"] = response["Allow"]
            return page
        return response

    return answer
