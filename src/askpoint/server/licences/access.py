"""Who may open a page of an agent; to everybody else it is not there."""

from __future__ import annotations

import functools
from collections.abc import Callable

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse

from askpoint.server.accounts.access import refuse_frozen
from askpoint.server.accounts.models import User
from askpoint.server.licences.models import Agent, AgentMember

__all__ = ["agent_part", "for_agent_owner", "for_agent_owner_and_viewer"]

_View = Callable[..., HttpResponse]


def agent_part(user: User, agent: str, *roles: str) -> Agent | None:
    """Return an agent in which somebody has one of these roles.

    Who owns the workspace owns its agents, unless another part was taken there: approvers stay blind.
    """
    rows = AgentMember.objects.filter(agent=agent, user=user)
    found = rows.select_related("agent__workspace").first()
    if found is not None:
        row = found.agent if found.role in roles else None
    elif "owner" in roles:
        owned = Agent.objects.filter(
            pk=agent, workspace__seat__user=user, workspace__seat__role="owner"
        )
        row = owned.select_related("workspace").first()
    else:
        row = None
    return None if row is None or row.workspace.state == "closed" else row


def _for(*roles: str) -> Callable[[_View], _View]:
    def decorate(view: _View) -> _View:
        @login_required
        @functools.wraps(view)
        def wrapper(request: HttpRequest, agent: str, *args: str, **named: str) -> HttpResponse:
            found = agent_part(request.user, agent, *roles)
            if found is None:
                raise Http404
            refusal = refuse_frozen(request, found.workspace)
            return refusal or view(request, found, *args, **named)

        return wrapper

    return decorate


for_agent_owner = _for("owner")
"""The view gets the `Agent` that the visitor owns."""

for_agent_owner_and_viewer = _for("owner", "viewer")
"""The view gets the `Agent` that the visitor may look at."""
