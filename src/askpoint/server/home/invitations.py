"""A link that somebody was sent: what it offers, what is asked for, and the way in."""

from __future__ import annotations

import re

from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from askpoint.arena.server.campaigns.consents import age_statement, agreement_of, record_consent
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.records import terms_of
from askpoint.arena.server.players.words import pay_of
from askpoint.arena.server.rulings.pools import join, role_in
from askpoint.arena.server.tags.words import tag_rules
from askpoint.errors import InputError, RuleError
from askpoint.server.accounts.models import Invitation, User
from askpoint.server.accounts.people import keep_person, new_person, problems_of
from askpoint.server.accounts.services import accept_invitation, find_invitation
from askpoint.server.deployments.access import part_of
from askpoint.server.deployments.models import Deployment, Member
from askpoint.server.deployments.parts import give_part
from askpoint.server.home.sign_in import hashing_slot

__all__ = ["agree", "invitation"]

_PARTICIPANT = re.compile(r"[A-Za-z0-9_-]{1,64}")
_NAMED_BY = ("PROLIFIC_PID", "participant")  # as providers add it to a link
_UNSAID = "Tick this first: without it you cannot take part."


def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Show what a link offers, and accept it by a new account or the one that is signed in."""
    try:
        found = find_invitation(token)
    except RuleError as error:
        return render(request, "home/refused.html", {"problem": str(error)}, status=410)
    campaign = Campaign.objects.filter(pk=found.campaign).first()
    used = None if campaign else Deployment.objects.filter(pk=found.campaign).first()
    problems: dict[str, list[str]] = {}
    name = request.POST.get("name", "").strip()
    asks = campaign is not None and found.role in ("player", "judge")
    if request.method == "POST":
        try:
            user = accept_invitation(
                token, lambda: _person(request, name, campaign if asks else None), _join
            )
        except ValidationError as error:
            problems = error.message_dict
        except InputError as error:
            problems = {"rule": [str(error)]}
        else:
            if not request.user.is_authenticated:
                login(request, user)
            return redirect("home")
    page = {
        "invitation": found,
        "campaign": campaign,
        "used": used,
        "problems": problems,
        "name": name,
    }
    page["participant"] = "" if request.user.is_authenticated else _participant(request)
    if campaign is not None and asks:
        terms = terms_of(campaign.terms)
        tags = campaign.kind == "tags" and found.role == "player"
        page["pay"] = tag_rules(terms)[2:4] if tags else pay_of(terms, found.role)
        page |= _asked(campaign)
    return render(request, "home/invitation.html", page, status=422 if problems else 200)


def _asked(campaign: Campaign) -> dict[str, str]:
    return {"agreement": agreement_of(campaign), "age": age_statement(campaign)}


def _participant(request: HttpRequest) -> str:
    """Return what a provider calls who comes; it names people, and proves nothing."""
    given = next(filter(None, map(request.GET.get, _NAMED_BY)), "")
    return given if _PARTICIPANT.fullmatch(given) else ""


def _join(found: Invitation, user: User) -> bool:
    if found.role in dict(Member.ROLES):
        had = part_of(user, found.campaign, found.role) is not None
        give_part(found.campaign, user, found.role)
        return not had
    joined = join(found.campaign, user, found.role)
    if found.role in ("player", "judge"):
        record_consent(Campaign.objects.get(pk=found.campaign), user)
    return joined


def _unsaid(request: HttpRequest, campaign: Campaign | None) -> dict[str, list[str]]:
    """Return which of the boxes to be ticked were not."""
    if campaign is None:
        return {}
    boxes = {"consent": campaign.consent.strip(), "age": age_statement(campaign)}
    return {name: [_UNSAID] for name, text in boxes.items() if text and name not in request.POST}


def _person(request: HttpRequest, name: str, campaign: Campaign | None) -> User:
    problems = _unsaid(request, campaign)
    if request.user.is_authenticated:
        if problems:
            raise ValidationError(problems)
        user: User = request.user
        return user
    password = request.POST.get("password", "")
    user = new_person(name)
    problems |= problems_of(user, password)
    if problems:
        raise ValidationError(problems)
    with hashing_slot() as held:
        if not held:
            raise RuleError("busy", "many sign in just now; try again in a moment")
        user.set_password(password)
    user.participant = _participant(request)  # of a new account only: nobody can change another's
    return keep_person(user)


@login_required
def agree(request: HttpRequest, campaign: str) -> HttpResponse:
    """Ask who is in a campaign already for what it asks by now."""
    row = Campaign.objects.filter(pk=campaign).first()
    role = None if row is None else role_in(campaign, request.user)
    if row is None or role is None:
        raise Http404
    problems: dict[str, list[str]] = {}
    if request.method == "POST":
        problems = _unsaid(request, row)
        if not problems:
            record_consent(row, request.user)
            return redirect("play" if role == "player" else "judge", row.pk)
    page = {"campaign": row, "problems": problems, **_asked(row)}
    return render(request, "home/agree.html", page, status=422 if problems else 200)
