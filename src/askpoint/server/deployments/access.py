"""Who may open a page of a classifier in use; to everybody else it is not there."""

from __future__ import annotations

import functools
from collections.abc import Callable

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse

from askpoint.server.accounts.access import refuse_frozen
from askpoint.server.accounts.models import User
from askpoint.server.deployments.models import Deployment, Member

__all__ = ["for_owner", "for_owner_and_viewer", "owned_by_workspace", "part_of"]

_View = Callable[..., HttpResponse]


def part_of(user: User, deployment: str, *roles: str) -> Deployment | None:
    """Return a classifier in which somebody has one of these roles.

    Who owns the workspace owns its classifiers, unless another part was taken there: reviewers stay blind.
    """
    rows = Member.objects.filter(deployment=deployment, user=user)
    found = rows.select_related("deployment__workspace").first()
    if found is not None:
        row = found.deployment if found.role in roles else None
    elif "owner" in roles:
        owned = Deployment.objects.filter(
            pk=deployment, workspace__seat__user=user, workspace__seat__role="owner"
        )
        row = owned.select_related("workspace").first()
    else:
        row = None
    return None if row is None or row.workspace.state == "closed" else row


def owned_by_workspace(user: User) -> list[Deployment]:
    """Return the classifiers that somebody owns by owning their workspace, with no part of the own."""
    rows = Deployment.objects.filter(workspace__seat__user=user, workspace__seat__role="owner")
    mine = Member.objects.filter(user=user).values("deployment")
    return list(rows.exclude(pk__in=mine).exclude(workspace__state="closed").order_by("-made"))


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
            refusal = refuse_frozen(request, found.workspace)
            return refusal or view(request, found, *args, **named)

        return wrapper

    return decorate


for_owner = _for("owner")
"""The view gets the `Deployment` that the visitor owns."""

for_owner_and_viewer = _for("owner", "viewer")
"""The view gets the `Deployment` that the visitor may look at."""
