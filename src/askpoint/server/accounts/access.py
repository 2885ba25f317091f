"""Where a visitor comes from, and pages that only organisers may open."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from askpoint.server.accounts.models import Seat
from askpoint.server.accounts.seats import RUNS, current_seat
from askpoint.server.workspaces.models import Workspace

__all__ = ["address_of", "for_organisers", "for_payers", "for_seats", "refuse_frozen"]

_View = Callable[..., HttpResponse]


def refuse_frozen(request: HttpRequest, workspace: Workspace) -> HttpResponse | None:
    """Return the refusal of a form where a workspace is frozen; a closed one is not there."""
    if workspace.state == "closed":
        raise Http404
    if workspace.state == "open" or request.method in ("GET", "HEAD"):
        return None
    problem = (
        f"{workspace.name} is frozen: nothing changes there. Ask the administrator of the server."
    )
    return render(request, "home/refused.html", {"problem": problem}, status=403)


def for_seats(allow: Callable[[Seat], bool]) -> Callable[[_View], _View]:
    """Open a page of the workspace that the visitor is in, to seats that are allowed; `request.seat` is theirs.

    To everybody else it is not there. A form that was opened in another workspace changes nothing.
    """

    def decorate(view: _View) -> _View:
        @login_required
        @functools.wraps(view)
        def wrapper(request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
            seat = current_seat(request)
            if seat is None or not allow(seat):
                raise Http404
            meant = request.POST.get("workspace", seat.workspace_id)
            if meant != seat.workspace_id:
                problem = "You entered another workspace meanwhile: open the page there again."
                return render(request, "home/refused.html", {"problem": problem}, status=409)
            refusal = refuse_frozen(request, seat.workspace)
            request.seat = seat
            return refusal or view(request, *args, **named)

        return wrapper

    return decorate


for_organisers = for_seats(lambda seat: seat.role in RUNS)
"""Owners and organisers of the workspace."""

for_payers = for_seats(lambda seat: seat.may_pay)
"""Its owners, and organisers who may pay people out."""


def address_of(request: HttpRequest) -> str:
    """Return the network address of a visitor; behind our own proxy, the one that it names."""
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "")
    if settings.ASKPOINT.url and forwarded:
        return str(forwarded.split(",")[-1].strip())
    return str(request.META.get("REMOTE_ADDR", ""))
