"""Who may open a page of an agent; to everybody else it is not there."""

from __future__ import annotations

import functools
from collections.abc import Callable

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse

from askpoint.server.accounts.models import User
from askpoint.server.licences.models import Agent, AgentMember

__all__ = ["agent_part", "for_agent_owner", "for_agent_owner_and_viewer"]

_View = Callable[..., HttpResponse]


def agent_part(user: User, agent: str, *roles: str) -> Agent | None:
    """Return an agent in which somebody has one of these roles."""
    rows = AgentMember.objects.filter(agent=agent, user=user, role__in=roles)
    found = rows.select_related("agent").first()
    return None if found is None else found.agent


def _for(*roles: str) -> Callable[[_View], _View]:
    def decorate(view: _View) -> _View:
        @login_required
        @functools.wraps(view)
        def wrapper(request: HttpRequest, agent: str, *args: str, **named: str) -> HttpResponse:
            found = agent_part(request.user, agent, *roles)
            if found is None:
                raise Http404
            return view(request, found, *args, **named)

        return wrapper

    return decorate


for_agent_owner = _for("owner")
"""The view gets the `Agent` that the visitor owns."""

for_agent_owner_and_viewer = _for("owner", "viewer")
"""The view gets the `Agent` that the visitor may look at."""
