"""Invitations to campaigns: what is offered and paid, what is asked for, and the way in."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from askpoint.arena.server.campaigns.consents import age_statement, agreement_of, record_consent
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.records import terms_of
from askpoint.arena.server.players.words import pay_of
from askpoint.arena.server.rulings.pools import join, role_in
from askpoint.arena.server.tags.words import tag_rules
from askpoint.server.accounts.models import Invitation, User
from askpoint.server.home.invitations import Offer

__all__ = ["agree", "agreement_fields", "campaign_offer", "unsaid"]

_UNSAID = "Tick this first: without it you cannot take part."
_LEADS = {"judge": "Judge cases in", "watcher": "Watch how it goes in"}


def campaign_offer(found: Invitation) -> Offer | None:
    """Return what an invitation to a campaign offers; None where it is to something else."""
    campaign = Campaign.objects.filter(pk=found.campaign).first()
    if campaign is None:
        return None
    tags = campaign.kind == "tags" and found.role == "player"
    lead = _LEADS.get(found.role, "Organise, with others,")
    if found.role == "player":
        lead = "Better a machine’s labels in" if tags else "Beat a machine in"
    context = {"campaign": campaign}
    asks = found.role in ("player", "judge")
    if asks:
        terms = terms_of(campaign.terms)
        context["pay"] = tag_rules(terms)[2:4] if tags else pay_of(terms, found.role)
        context |= agreement_fields(campaign)

    def take_part(invitation: Invitation, user: User) -> bool:
        joined = join(invitation.campaign, user, invitation.role)
        if asks:
            record_consent(Campaign.objects.get(pk=campaign.pk), user)
        return joined

    return Offer(
        lead=f"{lead} “{campaign.title}”.",
        join=take_part,
        template="front/offer.html",
        asks="front/asked.html" if context.get("agreement") else "",
        context=context,
        unsaid=(lambda request: unsaid(request, campaign)) if asks else (lambda _: {}),
    )


def agreement_fields(campaign: Campaign) -> dict[str, str]:
    """Return what a person is asked to agree to, for a template."""
    return {"agreement": agreement_of(campaign), "age": age_statement(campaign)}


def unsaid(request: HttpRequest, campaign: Campaign) -> dict[str, list[str]]:
    """Return which of the boxes to be ticked were not."""
    boxes = {"consent": campaign.consent.strip(), "age": age_statement(campaign)}
    return {name: [_UNSAID] for name, text in boxes.items() if text and name not in request.POST}


@login_required
def agree(request: HttpRequest, campaign: str) -> HttpResponse:
    """Ask who is in a campaign already for what it asks by now."""
    row = Campaign.objects.filter(pk=campaign).first()
    role = None if row is None else role_in(campaign, request.user)
    if row is None or role is None:
        raise Http404
    problems: dict[str, list[str]] = {}
    if request.method == "POST":
        problems = unsaid(request, row)
        if not problems:
            record_consent(row, request.user)
            return redirect("play" if role == "player" else "judge", row.pk)
    page = {"campaign": row, "problems": problems, **agreement_fields(row)}
    return render(request, "front/agree.html", page, status=422 if problems else 200)
