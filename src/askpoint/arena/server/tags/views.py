"""The pages of a tag challenge: its items, one of them, and the organiser's set-up."""

from __future__ import annotations

import secrets

from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET

from askpoint.arena.game.player import is_suspended
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.pseudonyms import by_name, by_pseudonym
from askpoint.arena.server.campaigns.records import terms_of
from askpoint.arena.server.campaigns.services import budget_left, change_draft
from askpoint.arena.server.campaigns.workdays import due_of
from askpoint.arena.server.probes.models import Player, Tag
from askpoint.arena.server.probes.records import player_of
from askpoint.arena.server.rulings.access import for_organiser, for_player
from askpoint.arena.server.tags.figures import (
    COLUMNS,
    challenge_label,
    challenges_of,
    tag_figures,
    tag_rows,
)
from askpoint.arena.server.tags.forms import ItemsForm, TagPricesForm
from askpoint.arena.server.tags.item_lists import bring_items
from askpoint.arena.server.tags.services import propose
from askpoint.arena.server.tags.words import tag_rules
from askpoint.arena.wire.tags import LONGEST_LABEL
from askpoint.errors import AskpointError
from askpoint.labelling.clock import span
from askpoint.server.accounts.access import address_of
from askpoint.server.labelling.covers import cover_of
from askpoint.server.spreadsheets import to_csv

__all__ = ["items", "tag", "tag_file", "tags"]

_ON_A_PAGE = 50


def _check_campaign(campaign: Campaign) -> Campaign:
    if campaign.kind != "tags":
        raise Http404
    return campaign


def _closing_reason(player: Player) -> str:
    """Say why nothing can be proposed now; empty where it can."""
    campaign, terms = player.campaign, terms_of(player.campaign.terms)
    if campaign.state != "open":
        return (
            f"This campaign is {campaign.state}: nothing can be proposed now. What was submitted is "
            "judged and paid."
        )
    if player.barred or is_suspended(player_of(player), terms.precision_floor):
        return (
            "You cannot play on here. What you submitted is still judged and paid; the organiser "
            "can let you in again."
        )
    if budget_left(campaign) < terms.most_promised:
        return "The budget is used up. What was submitted is honoured."
    due = due_of(campaign, player.user, now := timezone.now())
    return (
        ""
        if due is None
        else f"That is enough for now: {due.why}. Go on in {span(due.until - now)}."
    )


@require_GET
@for_player
def tags(request: HttpRequest, player: Player) -> HttpResponse:
    """Show the items, and the rules."""
    campaign = _check_campaign(player.campaign)
    sought = request.GET.get("q", "").replace("\0", "")[:LONGEST_LABEL].strip()
    rows = campaign.tags.exclude(label="")
    if sought:
        rows = rows.filter(Q(label__icontains=sought) | Q(item__icontains=sought))
    page = {
        "campaign": campaign,
        "player": player,
        "rows": Paginator(rows, _ON_A_PAGE).get_page(request.GET.get("page")),
        "sought": sought,
        "closed": _closing_reason(player),
        "rules": tag_rules(terms_of(campaign.terms)),
    }
    return render(request, "tags/tags.html", page)


@for_player
def tag(request: HttpRequest, player: Player, number: int) -> HttpResponse:
    """Show an item with its label and what became of it; propose a better one."""
    campaign, problem = _check_campaign(player.campaign), ""
    row = Tag.objects.filter(campaign=campaign, number=number).exclude(label="").first()
    if row is None:
        raise Http404
    given = request.POST.get("label", "")
    if request.method == "POST":
        key = request.POST.get("key", "")[:64] or secrets.token_hex(8)
        try:
            probe = propose(player, number, given, key, address_of(request))
        except AskpointError as error:
            problem = str(error)
        else:
            return redirect("case", campaign.pk, probe.pk)
    known = campaign.tags.exclude(label="").values_list("label", flat=True).order_by("label")
    page = {
        "campaign": campaign,
        "player": player,
        "row": row,
        "covered": cover_of(request, campaign, str(number)),
        "history": [(probe, challenge_label(probe)) for probe in challenges_of(row)],
        "closed": _closing_reason(player),
        "problem": problem,
        "given": given,
        "known": known.distinct()[:200],
        "longest": LONGEST_LABEL,
        "key": secrets.token_hex(8),
    }
    return render(request, "tags/tag.html", page, status=422 if problem else 200)


@for_organiser
def items(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Set prices, bring items, and read what became of their labels."""
    _check_campaign(campaign)
    action = request.POST.get("action", "")
    prices = TagPricesForm(terms_of(campaign.terms), request.POST if action == "prices" else None)
    brought = ItemsForm(*((request.POST, request.FILES) if action == "bring" else ()))
    try:
        if action == "prices" and prices.is_valid():
            change_draft(campaign.pk, prices.terms())
            return redirect("judging", campaign.pk)
        if action == "bring" and brought.is_valid():
            bring_items(campaign.pk, brought.items)
            return redirect("items", campaign.pk)
    except AskpointError as error:
        (prices if action == "prices" else brought).add_error(None, str(error))
    for field in prices.fields.values():
        field.disabled = campaign.state != "draft"
    page = {
        "campaign": campaign,
        "prices": prices,
        "brought": brought,
        "figures": tag_figures(campaign),
        "rows": Paginator(campaign.tags.all(), _ON_A_PAGE).get_page(request.GET.get("page")),
        "step": 2,
    }
    return render(request, "tags/items.html", page, status=422 if action else 200)


@require_GET
@for_organiser
def tag_file(request: HttpRequest, campaign: Campaign, kind: str) -> HttpResponse:
    """Send each item with its label and history, as CSV; by names only where it is asked for."""
    del kind
    called = by_name if request.GET.get("names") == "real" else by_pseudonym(campaign.pk)
    lines = to_csv(COLUMNS, tag_rows(_check_campaign(campaign), called))
    response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{campaign.pk}-tags.csv"'
    return response
