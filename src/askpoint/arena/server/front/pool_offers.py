"""Offers to reviewers of a classifier: judge a campaign's cases in its queue, by consent and until one leaves."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from askpoint.arena.server.campaigns.consents import record_consent
from askpoint.arena.server.campaigns.records import terms_of
from askpoint.arena.server.front.invitations import agreement_fields, unsaid
from askpoint.arena.server.judges.shared_campaigns import (
    accept,
    leave,
    list_enrolments,
    list_offers,
)
from askpoint.arena.server.players.words import pay_of
from askpoint.errors import RuleError
from askpoint.server.accounts.access import refuse_frozen
from askpoint.server.deployments.access import part_of

__all__ = ["pool_offer"]


@login_required
def pool_offer(request: HttpRequest, classifier: str, campaign: str) -> HttpResponse:
    """Show what judging a campaign's cases means and pays; accept it, or leave again."""
    row = part_of(request.user, classifier, "reviewer")
    if row is None:
        raise Http404
    try:
        open_to = {one.pk: one for one in list_offers(row, request.user)}
        active = {judge.campaign_id: judge.campaign for judge in list_enrolments(row, request.user)}
    except RuleError:  # no policy is in use yet
        raise Http404 from None
    found = open_to.get(campaign) or active.get(campaign)
    if found is None:
        raise Http404
    refusal = refuse_frozen(request, row.workspace)
    if refusal is not None:
        return refusal
    problems: dict[str, list[str]] = {}
    if request.method == "POST" and campaign in active:
        if request.POST.get("action") == "leave":
            leave(row, request.user, campaign)
            messages.success(request, f"You no longer get cases of {found.title}.")
        return redirect("review")
    if request.method == "POST":
        problems = unsaid(request, found)
        if not problems:
            with transaction.atomic():
                accept(row, request.user, campaign)
                record_consent(found, request.user)
            return redirect("review")
    page = {"campaign": found, "active": campaign in active, "problems": problems}
    page |= {"pay": pay_of(terms_of(found.terms), "judge"), **agreement_fields(found)}
    return render(request, "front/pool-offer.html", page, status=422 if problems else 200)
