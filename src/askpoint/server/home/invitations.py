"""A link that somebody was sent: what it offers, what is asked for, and the way in."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth import login
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from askpoint.errors import InputError, RuleError
from askpoint.server.accounts.models import Invitation, User
from askpoint.server.accounts.people import keep_person, new_person, problems_of
from askpoint.server.accounts.services import accept_invitation, find_invitation
from askpoint.server.deployments.access import part_of
from askpoint.server.deployments.models import Deployment
from askpoint.server.deployments.roles import give_part
from askpoint.server.extensions import first_words, load_each
from askpoint.server.home.sign_in import hashing_slot
from askpoint.server.licences.access import agent_part
from askpoint.server.licences.agents import give_agent_part
from askpoint.server.licences.models import Agent

__all__ = ["Offer", "invitation"]

_PARTICIPANT = re.compile(r"[A-Za-z0-9_-]{1,64}")
_NAMED_BY = ("PROLIFIC_PID", "participant")  # as providers add it to a link
_LEADS = {
    "reviewer": "Label cases for",
    "viewer": "See how it goes with",
    "owner": "Own, with others,",
}
_AGENT_LEADS = {**_LEADS, "approver": "Decide what may run, action by action, for"}


@dataclass(frozen=True, kw_only=True)
class Offer:
    """What an invitation to something offers, for the page that shows it.

    Parameters
    ----------
    lead : str
        The first line.
    join : callable
        Gives somebody the part; false for who has it already.
    template : str, default=""
        What stands below the first line.
    asks : str, default=""
        A template: what must be ticked.
    context : mapping
        What the templates ask for.
    unsaid : callable
        From a request, what is missing in it, by field.
    """

    lead: str
    join: Callable[[Invitation, User], bool]
    template: str = ""
    asks: str = ""
    context: Mapping[str, Any] = field(default_factory=dict)
    unsaid: Callable[[HttpRequest], dict[str, list[str]]] = lambda _: {}


def _join_classifier(found: Invitation, user: User) -> bool:
    had = part_of(user, found.campaign, found.role) is not None
    give_part(found.campaign, user, found.role)
    return not had


def _join_agent(found: Invitation, user: User) -> bool:
    had = agent_part(user, found.campaign, found.role) is not None
    give_agent_part(found.campaign, user, found.role)
    return not had


def _offer_of(found: Invitation) -> Offer:
    for offer in load_each("invitations"):
        made: Offer | None = offer(found)
        if made is not None:
            return made
    used = Deployment.objects.filter(pk=found.campaign).first()
    if used is not None:
        lead = f"{_LEADS.get(found.role, found.role)} “{used.title}”, a classifier in use."
        return Offer(lead=lead, join=_join_classifier)
    agent = Agent.objects.filter(pk=found.campaign).first()
    if agent is not None:
        lead = f"{_AGENT_LEADS.get(found.role, found.role)} “{agent.title}”, an agent."
        return Offer(lead=lead, join=_join_agent)
    where = "on this server" if found.made_by_id is None else f"in the workspace {found.workspace}"
    does = {"watcher": "Watch", "owner": "Run" if found.made_by_id is None else "Own"}
    whats = " and ".join(dict.fromkeys(["classifiers", "agents", first_words("subject", "agents")]))
    whats = whats.replace(" and ", ", ", whats.count(" and ") - 1)
    return Offer(lead=f"{does.get(found.role, 'Run')} {whats} {where}.", join=_join_classifier)


def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Show what a link offers, and accept it by a new account or the one that is signed in."""
    try:
        found = find_invitation(token)
    except RuleError as error:
        return render(request, "home/refused.html", {"problem": str(error)}, status=410)
    offer = _offer_of(found)
    problems: dict[str, list[str]] = {}
    name = request.POST.get("name", "").strip()
    if request.method == "POST":
        try:
            user = accept_invitation(token, lambda: _person(request, name, offer), offer.join)
        except ValidationError as error:
            problems = error.message_dict
        except InputError as error:
            problems = {"rule": [str(error)]}
        else:
            if not request.user.is_authenticated:
                login(request, user)
            return redirect("home")
    page = {"invitation": found, "offer": offer, "problems": problems, "name": name}
    page["participant"] = "" if request.user.is_authenticated else _participant(request)
    page |= offer.context
    return render(request, "home/invitation.html", page, status=422 if problems else 200)


def _participant(request: HttpRequest) -> str:
    """Return what a provider calls who comes; it names people, and proves nothing."""
    given = next(filter(None, map(request.GET.get, _NAMED_BY)), "")
    return given if _PARTICIPANT.fullmatch(given) else ""


def _person(request: HttpRequest, name: str, offer: Offer) -> User:
    problems = offer.unsaid(request)
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
