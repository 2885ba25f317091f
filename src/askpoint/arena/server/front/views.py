"""An account's points, line by line."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from askpoint.arena.game.payout import whole_cents
from askpoint.arena.game.transaction import LedgerAccount
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.ledger.services import balance_of, statement
from askpoint.arena.server.payouts.models import Payout
from askpoint.arena.server.payouts.services import completion_code
from askpoint.arena.server.probes.models import Probe
from askpoint.arena.server.rulings.models import Ruling

__all__ = ["points"]

_JUDGED = ("pk", "content", "campaign__veiled")


@require_GET
@login_required
def points(request: HttpRequest) -> HttpResponse:
    """Show an account's lines of the ledger, each with the case that it is about."""
    me = request.user
    mine = dict(Probe.objects.filter(player__user=me).values_list("pk", "case"))
    voted = Ruling.objects.filter(votes__reviewer=me.username)
    judged = {key: (case, veiled) for key, case, veiled in voted.values_list(*_JUDGED)}
    lines = []
    for line in statement(LedgerAccount("earned", me.username)):
        case, veiled = judged.get(line["about"], (None, False))
        own = mine.get(line["about"])
        lines.append({**line, "own": own, "case": case, "veiled": veiled})
    joined = Campaign.objects.filter(Q(players__user=me) | Q(judges__user=me)).distinct()
    page = {
        "lines": lines,
        "cents": whole_cents(balance_of(LedgerAccount("earned", me.username)))[0],
        "payouts": Payout.objects.filter(payee=me.username).order_by("-planned"),
        "codes": [(row.title, completion_code(me, row.pk)) for row in joined.order_by("made")],
    }
    return render(request, "front/points.html", page)
