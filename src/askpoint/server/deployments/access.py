"""Who may open a page of a classifier in use; to everybody else it is not there."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse

from askpoint.server.deployments.models import Deployment, Member
from askpoint.server.labelling.parts import HeldParts

__all__ = [
    "PARTS",
    "for_case_reader",
    "for_owner",
    "for_owner_and_viewer",
    "list_owned_by_workspace",
    "part_of",
]

PARTS: HeldParts[Deployment] = HeldParts(
    Deployment, Member, "deployment", "classifier", "reviewers label blind"
)
"""The parts that people have in classifiers."""

part_of = PARTS.part_of
list_owned_by_workspace = PARTS.list_owned_by_workspace

for_owner = PARTS.for_roles("owner")
"""The view gets the `Deployment` that the visitor owns."""

for_owner_and_viewer = PARTS.for_roles("owner", "viewer")
"""The view gets the `Deployment` that the visitor may look at."""


def for_case_reader(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Return a view for who may read cases: owners, who also send, and viewers where owners let them."""

    @for_owner_and_viewer
    @functools.wraps(view)
    def wrapper(
        request: HttpRequest, deployment: Deployment, *args: Any, **named: Any
    ) -> HttpResponse:
        reads = deployment.viewers_read and request.method in ("GET", "HEAD")
        if not reads and part_of(request.user, deployment.pk, "owner") is None:
            raise Http404
        return view(request, deployment, *args, **named)

    return wrapper
