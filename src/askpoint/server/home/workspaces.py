"""The page of a workspace: who has a seat, what they may do, its limits; and the way into another one."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from askpoint.errors import RuleError
from askpoint.server.accounts.access import refuse_frozen
from askpoint.server.accounts.models import Invitation, Seat
from askpoint.server.accounts.seats import (
    change_rights,
    enter_workspace,
    seat_in,
    seats_of,
    take_seat_away,
)
from askpoint.server.accounts.second_factor import with_fresh_factor
from askpoint.server.accounts.services import invite, token_of, waiting_seats
from askpoint.server.journal.services import note

__all__ = ["RightsForm", "SeatForm", "enter_other", "show_workspace"]

_View = Callable[..., HttpResponse]
_MOST_CENTS = 10**12


class SeatForm(forms.Form):
    """Who is to come into the workspace."""

    role = forms.ChoiceField(choices=Seat.ROLES, initial="organiser")
    note = forms.CharField(label="For whom", max_length=200, required=False)


class RightsForm(forms.Form):
    """What an organiser may do with the workspace's money."""

    name = forms.CharField(max_length=150)
    pays = forms.BooleanField(required=False)
    share_cents = forms.IntegerField(min_value=0, max_value=_MOST_CENTS, required=False)


def _for_seats_there(view: _View) -> _View:
    """Open the page of a workspace to who has a seat there; to everybody else it is not there."""

    @login_required
    @functools.wraps(view)
    def wrapper(request: HttpRequest, workspace: str) -> HttpResponse:
        seat = seat_in(workspace, request.user)
        if seat is None:
            raise Http404
        return view(request, seat)

    return wrapper


@_for_seats_there
@with_fresh_factor
def show_workspace(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Show who has a seat in a workspace; its owner invites, gives rights and takes seats away."""
    where, form = seat.workspace, SeatForm(request.POST if "invite" in request.POST else None)
    if request.method == "POST":
        if seat.role != "owner":
            raise Http404
        refusal = refuse_frozen(request, where)
        if refusal is not None:
            return refusal
        if _change(request, seat, form):
            return redirect("workspace", where.pk)
    owns = seat.role == "owner"
    page = {
        "workspace": where,
        "own": seat,
        "members": Seat.within(where).select_related("user").order_by("user__username"),
        "others": [it for it in seats_of(request.user) if it.workspace_id != where.pk],
        "form": form,
        "links": [(it, _link(request, it)) for it in waiting_seats(where.pk)] if owns else [],
    }
    wrong = request.method == "POST"
    return render(request, "home/workspace.html", page, status=422 if wrong else 200)


def _link(request: HttpRequest, row: Invitation) -> str:
    return request.build_absolute_uri(reverse("invitation", args=[token_of(row)]))


def _change(request: HttpRequest, seat: Seat, form: SeatForm) -> bool:
    """Do what a form asks for; whether it could be read."""
    where, given = seat.workspace, request.POST
    try:
        if "invite" in given:
            if not form.is_valid():
                return False
            said: dict[str, Any] = form.cleaned_data
            with transaction.atomic():
                invite(where.pk, said["role"], made_by=request.user, note=said["note"])
                note("links made", workspace=where.pk, role=said["role"])
        elif "withdraw" in given:
            key = given["withdraw"]
            rows = waiting_seats(where.pk).filter(
                pk=key if key.isdecimal() and len(key) < 10 else 0
            )
            rows.update(expires=timezone.now())
        elif "remove" in given:
            take_seat_away(where, given["remove"])
        else:
            rights = RightsForm(given)
            if not rights.is_valid():
                messages.error(request, "A share is a whole number of cents, 0 or more, or empty.")
                return True
            found = rights.cleaned_data
            share = found["share_cents"]
            change_rights(where, found["name"], pays=found["pays"], share_cents=share)
    except RuleError as error:
        messages.error(request, str(error))
    return True


@require_POST
@_for_seats_there
def enter_other(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Enter a workspace: pages without a campaign or a classifier are of it from now on."""
    enter_workspace(request, seat)
    return redirect("home")
