"""Pages of a workspace for whoever owns something in it."""

from __future__ import annotations

import functools
from collections.abc import Callable

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse

from askpoint.server.accounts.access import refuse_frozen
from askpoint.server.accounts.models import User
from askpoint.server.accounts.seats import CHOSEN, RUNS, seats_of
from askpoint.server.deployments.models import Member
from askpoint.server.licences.models import AgentMember
from askpoint.server.workspaces.models import Workspace

__all__ = ["for_who_owns", "owned_workspaces"]

_View = Callable[..., HttpResponse]


def owned_workspaces(user: User) -> list[Workspace]:
    """Return the workspaces in which somebody organises, or owns a classifier or an agent, by their names."""
    found = {seat.workspace_id: seat.workspace for seat in seats_of(user) if seat.role in RUNS}
    mine = Member.objects.filter(user=user, role="owner").select_related("deployment__workspace")
    agents = AgentMember.objects.filter(user=user, role="owner").select_related("agent__workspace")
    held = [one.deployment.workspace for one in mine] + [one.agent.workspace for one in agents]
    found |= {one.pk: one for one in held if one.state != "closed"}
    return sorted(found.values(), key=lambda it: it.name)


def for_who_owns(view: _View) -> _View:
    """Open a page of a workspace to its organisers, and to who owns a classifier or an agent in it.

    `request.workspace` is the one that the visitor entered last, or the first.
    """

    @login_required
    @functools.wraps(view)
    def wrapper(request: HttpRequest, *args: str, **named: str) -> HttpResponse:
        mine = owned_workspaces(request.user)
        if not mine:
            raise Http404
        chosen = request.session.get(CHOSEN)
        request.workspace = next((it for it in mine if it.pk == chosen), mine[0])
        refusal = refuse_frozen(request, request.workspace)
        return refusal or view(request, *args, **named)

    return wrapper
