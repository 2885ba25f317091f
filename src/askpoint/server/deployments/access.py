"""Who may open a page of a classifier in use; to everybody else it is not there."""

from __future__ import annotations

import functools
from collections.abc import Callable

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse

from askpoint.server.accounts.models import User
from askpoint.server.deployments.models import Deployment, Member

__all__ = ["for_owner", "for_owner_and_viewer", "for_who_owns", "part_of"]

_View = Callable[..., HttpResponse]


def part_of(user: User, deployment: str, *roles: str) -> Deployment | None:
    """Return a classifier in which somebody has one of these roles."""
    rows = Member.objects.filter(deployment=deployment, user=user, role__in=roles)
    found = rows.select_related("deployment").first()
    return None if found is None else found.deployment


def _for(*roles: str) -> Callable[[_View], _View]:
    def decorate(view: _View) -> _View:
        @login_required
        @functools.wraps(view)
        def wrapper(
            request: HttpRequest, classifier: str, *args: str, **named: str
        ) -> HttpResponse:
            found = part_of(request.user, classifier, *roles)
            if found is None:
                raise Http404
            return view(request, found, *args, **named)

        return wrapper

    return decorate


for_owner = _for("owner")
"""The view gets the `Deployment` that the visitor owns."""

for_owner_and_viewer = _for("owner", "viewer")
"""The view gets the `Deployment` that the visitor may look at."""


def for_who_owns(view: _View) -> _View:
    """Open a page to every organiser, and to every owner of a classifier in use."""

    @login_required
    @functools.wraps(view)
    def wrapper(request: HttpRequest, *args: str, **named: str) -> HttpResponse:
        mine = Member.objects.filter(user=request.user, role="owner")
        if not (request.user.is_organiser or mine.exists()):
            raise Http404
        return view(request, *args, **named)

    return wrapper
