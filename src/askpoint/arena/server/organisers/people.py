"""An organiser's page of people: links, who came by which, who is shut out."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET

from askpoint.arena.server.campaigns.models import Campaign, Consent
from askpoint.arena.server.judges.services import ask_again
from askpoint.arena.server.organisers.figures import judge_lines, player_lines
from askpoint.arena.server.organisers.invite_form import InviteForm
from askpoint.arena.server.rulings.access import for_organiser
from askpoint.arena.server.rulings.held_pay import decide_held_votes, undecided_judges
from askpoint.arena.server.rulings.pools import change_standing
from askpoint.errors import RuleError
from askpoint.server.accounts.many_links import link_of, send_links
from askpoint.server.accounts.models import Acceptance, User
from askpoint.server.accounts.services import invite, waiting
from askpoint.server.journal.services import note

__all__ = ["links_file", "show_people", "standing"]

_ON_A_PAGE = 50


@for_organiser
def show_people(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Invite people; see which links wait, and who came by which."""
    form = InviteForm(request.POST or None, request.FILES or None)
    if request.method == "POST":
        if "withdraw" in request.POST:
            _withdraw(campaign, request.POST["withdraw"])
            return redirect("people", campaign.pk)
        if form.is_valid():
            _invite(request, campaign, form.cleaned_data)
            return redirect("people", campaign.pk)
    links = Paginator(waiting(campaign.pk), _ON_A_PAGE).get_page(request.GET.get("page"))
    page = {
        "campaign": campaign,
        "form": form,
        "links": [(row, link_of(request, row)) for row in links],
        "rows": links,
        "came": _came(campaign),
        "players": player_lines(campaign),
        "judges": judge_lines(campaign),
        "undecided": undecided_judges(campaign),
        "colleagues": campaign.colleagues.select_related("user").order_by("user__username"),
    }
    wrong = request.method == "POST"
    return render(request, "organisers/people.html", page, status=422 if wrong else 200)


@transaction.atomic
def _invite(request: HttpRequest, campaign: Campaign, given: dict[str, Any]) -> None:
    for label in given["labels"]:
        invite(
            campaign.workspace_id,
            given["role"],
            campaign=campaign.pk,
            made_by=request.user,
            note=label,
            places=given["places"],
            days=given["days"],
        )
    said = {"links": len(given["labels"]), "places": given["places"]}
    note("links made", campaign=campaign.pk, role=given["role"], **said)


@transaction.atomic
def _withdraw(campaign: Campaign, link: str) -> None:
    known = waiting(campaign.pk).filter(pk=link if link.isdecimal() and len(link) < 10 else 0)
    if known.update(expires=timezone.now()):
        note("link withdrawn", campaign=campaign.pk, link=int(link))


def _came(campaign: Campaign) -> dict[str, dict[str, Any]]:
    """Return of each person the label of the link, the participant id, and the consent."""
    found: dict[str, dict[str, Any]] = {}
    links = Acceptance.objects.filter(invitation__campaign=campaign.pk)
    for row in links.select_related("invitation", "user").order_by("at"):
        found.setdefault(row.user.username, {})["label"] = row.invitation.note
    here = Q(plays__campaign=campaign) | Q(standings__judge__campaign=campaign)
    named = User.objects.filter(here).exclude(participant="")
    ids = dict(named.values_list("username", "participant"))
    often = Counter(ids.values())
    for name, participant in ids.items():
        found.setdefault(name, {})["participant"] = participant
        found[name]["shared"] = often[participant] > 1
    for consent in Consent.objects.filter(campaign=campaign).select_related("user").order_by("at"):
        found.setdefault(consent.user.username, {})["agreed"] = consent.at
    return found


@require_GET
@for_organiser
def links_file(request: HttpRequest, campaign: Campaign) -> StreamingHttpResponse:
    """Send all links that wait, with their labels, as CSV: what is made in bulk is mailed from it."""
    return send_links(request, campaign.pk)


@for_organiser
def standing(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Shut a person out or let them in again, ask anew for votes.

    What costs somebody something is asked about first: by GET.
    """
    asked = request.POST if request.method == "POST" else request.GET
    role, name, action = (asked.get(key, "") for key in ("role", "name", "action"))
    pools = {"player": campaign.players, "judge": campaign.judges, "colleague": campaign.colleagues}
    row = pools[role].filter(user__username=name).first() if role in pools else None
    if row is None or action not in _ACTIONS[role]:
        raise Http404
    if request.method != "POST":
        page = {"campaign": campaign, "role": role, "name": name, "action": action}
        return render(request, "organisers/standing.html", page)
    if action == "ask-again":
        count = ask_again(campaign.pk, name)
        messages.success(request, f"{count} votes of {name} are void and asked for again.")
    elif action in ("pay-held", "void-held"):
        try:
            decide_held_votes(campaign.pk, name, pays=action == "pay-held")
        except RuleError as error:
            messages.error(request, str(error))
        else:
            messages.success(request, f"The last votes of {name} are {_SETTLED[action]}.")
    elif action == "remove":
        row.delete()
        note("removed", campaign=campaign.pk, about=name, role=row.role)
        messages.success(request, f"{name} no longer sees this campaign.")
    else:
        change_standing(campaign.pk, name, role, barred=action == "bar")
        said = "is shut out" if action == "bar" else "is in again"
        messages.success(request, f"{name} {said}.")
    return redirect("people", campaign.pk)


_SETTLED = {"pay-held": "paid", "void-held": "not paid"}
_ACTIONS = {
    "player": ("bar", "readmit"),
    "judge": ("bar", "readmit", "ask-again", "pay-held", "void-held"),
    "colleague": ("remove",),
}
