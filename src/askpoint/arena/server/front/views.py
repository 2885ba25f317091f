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
from askpoint.arena.server.ledger.people import accounts_of
from askpoint.arena.server.ledger.services import statement
from askpoint.arena.server.payouts.models import Payout
from askpoint.arena.server.payouts.services import completion_code
from askpoint.arena.server.probes.models import Probe
from askpoint.arena.server.rulings.held_pay import held_lines
from askpoint.arena.server.rulings.models import Ruling

__all__ = ["points"]

_JUDGED = ("pk", "content", "campaign__veiled")


@require_GET
@login_required
def points(request: HttpRequest) -> HttpResponse:
    """Show an account's lines of the ledger in each workspace, each with the case that it is about."""
    me = request.user
    mine = dict(Probe.objects.filter(player__user=me).values_list("pk", "case"))
    voted = Ruling.objects.filter(votes__reviewer=me.username)
    judged = {key: (case, veiled) for key, case, veiled in voted.values_list(*_JUDGED)}
    account = LedgerAccount("earned", me.username)
    accounts = []
    for where, earned in accounts_of(me):
        lines = []
        for line in statement(where.pk, account):
            case, veiled = judged.get(line["about"], (None, False))
            own = mine.get(line["about"])
            lines.append({**line, "own": own, "case": case, "veiled": veiled})
        accounts.append(
            {
                "where": where,
                "lines": lines,
                "cents": whole_cents(earned)[0],
                "owed": max(-earned, 0),
                "payouts": Payout.within(where).filter(payee=me.username).order_by("-planned"),
            }
        )
    joined = Campaign.objects.filter(Q(players__user=me) | Q(judges__user=me)).distinct()
    page = {
        "accounts": accounts,
        "held": held_lines(me),
        "codes": [(row.title, completion_code(me, row.pk)) for row in joined.order_by("made")],
    }
    return render(request, "front/points.html", page)
