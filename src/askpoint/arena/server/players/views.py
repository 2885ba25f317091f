"""A player's pages: play, a case, history, standings."""

from __future__ import annotations

import secrets
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

import askpoint.arena.server.players.services as services
from askpoint.arena.game.player import is_suspended
from askpoint.arena.game.probe import feedback_on
from askpoint.arena.game.standings import rank_players, tally_probes
from askpoint.arena.game.transaction import LedgerAccount
from askpoint.arena.server.campaigns.records import terms_of
from askpoint.arena.server.campaigns.services import budget_left
from askpoint.arena.server.campaigns.workdays import due_of, limits_of
from askpoint.arena.server.ledger.services import balance_of
from askpoint.arena.server.players.words import rules_of, why
from askpoint.arena.server.probes.models import Draft, Player, Probe
from askpoint.arena.server.probes.records import player_of, probe_of
from askpoint.arena.server.rulings.access import for_player
from askpoint.arena.server.rulings.models import Ruling
from askpoint.errors import AskpointError, ModelError, RuleError
from askpoint.server.accounts.access import address_of
from askpoint.server.images.serving import image_there, send_image
from askpoint.server.labelling.covers import cover_of
from askpoint.server.uploads.decoding import MOST_BYTES, MOST_SIDE

__all__ = ["appeal", "case", "case_image", "drop", "history", "play", "standings", "submit"]

_ON_A_PAGE = 100
_STATUS = {"too-many-tries": 429, "rest": 429, "exact-duplicate": 409, "stops-model": 429}


@for_player
def play(request: HttpRequest, player: Player) -> HttpResponse:
    """Show the rules and the form; take a case to the model."""
    if player.campaign.kind == "tags":
        return redirect("tags", player.campaign_id)
    if request.method != "POST":
        draft = Draft.objects.filter(player=player).first()
        return _play_page(request, player, "" if draft is None else draft.case)
    given = _case_of(request, player.campaign.classifier.cases)
    if not isinstance(given, bytes):
        services.keep_draft(player, given)
    key = request.POST.get("key", "")[:64] or secrets.token_hex(8)
    try:
        row = services.try_out_case(player.campaign, player, given, key, address_of(request))
    except AskpointError as error:
        rule = error.rule if isinstance(error, RuleError) else ""
        status = 503 if isinstance(error, ModelError) else _STATUS.get(rule, 422)
        return _play_page(request, player, given, str(error), status)
    return redirect("case", player.campaign_id, row.pk)


def _case_of(request: HttpRequest, cases: str) -> Any:
    if cases == "image":
        file = request.FILES.get("case")
        return b"" if file is None else file.read(MOST_BYTES + 1)
    return request.POST.dict() if cases == "row" else request.POST.get("case", "")


def _play_page(
    request: HttpRequest, player: Player, case: Any, problem: str = "", status: int = 200
) -> HttpResponse:
    campaign, terms = player.campaign, terms_of(player.campaign.terms)
    features = [
        {
            **feature,
            "value": case.get(feature["name"], "") if isinstance(case, dict) else "",
            "wrong": problem.startswith(
                (f"{feature['name']} is one of ", f"{feature['name']} must be ")
            ),
        }
        for feature in campaign.classifier.features
    ]
    suspended = player.barred or is_suspended(player_of(player), terms.precision_floor)
    due = due_of(campaign, request.user, timezone.now())
    spent = budget_left(campaign) < terms.most_promised
    return render(
        request,
        "players/play.html",
        {
            "campaign": campaign,
            "player": player,
            "rules": rules_of(terms),
            "features": features,
            "case": case if isinstance(case, str) else "",
            "problem": problem,
            "key": secrets.token_hex(8),
            "longest": services.LONGEST_CASE,
            "image": {"bytes": MOST_BYTES // 1_000_000, "side": MOST_SIDE},
            "placed": any(feature["wrong"] for feature in features),
            "suspended": suspended,
            "spent": spent,
            "due": due,
            "limits": limits_of(campaign),
            "takes": campaign.state == "open" and not suspended and not spent and not due,
        },
        status=status,
    )


def _own(player: Player, name: str) -> Probe:
    row = Probe.objects.filter(player=player, pk=name).first()
    if row is None:
        raise Http404
    row.player, row.campaign = player, player.campaign  # looked up already
    return row


@require_GET
@for_player
def case(request: HttpRequest, player: Player, name: str) -> HttpResponse:
    """Show a case: what the model says, what it would bring, what judges ruled."""
    row = _own(player, name)
    terms, probe = terms_of(player.campaign.terms), probe_of(row)
    feedback = feedback_on(terms, probe)
    prizes = dict(zip(probe.options, probe.prizes, strict=True))
    ruling = None if row.submitted is None else Ruling.objects.filter(pk=row.pk).first()
    ends = ruling.ruled_at + terms.appeal_window if ruling and ruling.ruled_at else None
    return render(
        request,
        "players/case.html",
        {
            "campaign": player.campaign,
            "player": player,
            "row": row,
            "covered": cover_of(request, player.campaign, name),
            "image_url": image_there(player.campaign_id, row.case)
            and reverse("case-image", args=[player.campaign_id, name]),
            "feedback": feedback,
            "why": why(terms, feedback, prizes) if feedback and not row.reason else [],
            "outcomes": [
                (option, prize.points + terms.pay.base, prize) for option, prize in prizes.items()
            ],
            "most": probe.best_prize + terms.pay.base,
            "base": terms.pay.base,
            "ruling": ruling,
            "appeal_ends": ends,
        },
    )


@require_GET
@for_player
def case_image(request: HttpRequest, player: Player, name: str) -> HttpResponse:
    """Send the image that an own case is."""
    del request
    return send_image(player.campaign_id, _own(player, name).case)


@require_POST
@for_player
def submit(request: HttpRequest, player: Player, name: str) -> HttpResponse:
    """Submit a tried case; the second of two clicks changes nothing."""
    row = _own(player, name)
    if row.submitted is None:
        try:
            services.submit(player, row)
        except RuleError as error:
            if error.rule != "submitted-before":
                messages.error(request, str(error))
    return redirect("case", player.campaign_id, name)


@require_POST
@for_player
def drop(request: HttpRequest, player: Player, name: str) -> HttpResponse:
    """Put a tried case aside."""
    services.drop(_own(player, name))
    messages.info(request, "Dropped: nothing was submitted.")
    return redirect("play", player.campaign_id)


@require_POST
@for_player
def appeal(request: HttpRequest, player: Player, name: str) -> HttpResponse:
    """Appeal against a ruling."""
    row = _own(player, name)
    try:
        services.appeal(player.campaign_id, row.pk, player, request.POST.get("why", ""))
    except RuleError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "The organiser will decide; until then the ruling stands.")
    return redirect("case", player.campaign_id, name)


@require_GET
@for_player
def history(request: HttpRequest, player: Player) -> HttpResponse:
    """Show a player's own cases, the newest first."""
    found = Probe.objects.filter(player=player).order_by("-tried")
    rows = Paginator(found, _ON_A_PAGE).get_page(request.GET.get("page"))
    earned = balance_of(player.campaign.workspace_id, LedgerAccount("earned", player.user.username))
    return render(
        request,
        "players/history.html",
        {"campaign": player.campaign, "player": player, "rows": rows, "earned": earned},
    )


@require_GET
@for_player
def standings(request: HttpRequest, player: Player) -> HttpResponse:
    """Show who leads."""
    rows = Probe.objects.filter(campaign=player.campaign).exclude(submitted=None)
    tallies = tally_probes(map(probe_of, rows.select_related("player__user")))
    return render(
        request,
        "players/standings.html",
        {"campaign": player.campaign, "player": player, "table": rank_players(tallies)},
    )
