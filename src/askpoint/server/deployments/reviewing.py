"""A reviewer's page: one case at a time, without what the machine says or why it is shown."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

import askpoint.server.deployments.queue as queue
from askpoint.errors import InputError, RuleError
from askpoint.server.deployments.access import for_reviewer
from askpoint.server.deployments.models import Deployment, Vote

__all__ = ["claim_next", "leave", "review", "skip_case", "vote_on"]


@require_GET
@for_reviewer
def review(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Show the claimed case, or a way to claim one."""
    name, now = request.user.username, timezone.now()
    page: dict[str, Any] = {"deployment": deployment}
    mine = Vote.objects.filter(judge=name, case__deployment=deployment)
    page["voted"] = mine.count()
    held = queue.held_by(deployment, name, now)
    if held is not None:
        page |= {"held": held.case, "until": held.until, "options": queue.classes_of(deployment)}
    return render(request, "deployments/review.html", page)


def _next(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    try:
        if queue.claim(deployment.pk, request.user.username) is None:
            messages.info(request, "Nothing waits for you just now.")
    except RuleError as error:
        messages.error(request, str(error))
    return redirect("review", deployment.pk)


@require_POST
@for_reviewer
def claim_next(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Claim the next case."""
    return _next(request, deployment)


@require_POST
@for_reviewer
def vote_on(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Label the case, and claim the next one."""
    case, choice, name = (
        request.POST.get("case", ""),
        request.POST.get("choice", ""),
        request.user.username,
    )
    try:
        queue.cast(deployment.pk, name, case, choice)
    except InputError as error:
        rule = error.rule if isinstance(error, RuleError) else ""
        if rule == "second-vote" and queue.said_by(deployment, name, case) == choice:
            return redirect("review", deployment.pk)  # the second of two clicks
        messages.error(request, str(error))
        return redirect("review", deployment.pk)
    return _next(request, deployment)


@require_POST
@for_reviewer
def skip_case(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Give the case back for good, and claim another one."""
    try:
        queue.skip(deployment.pk, request.user.username, request.POST.get("case", ""))
    except RuleError as error:
        messages.error(request, str(error))
    return _next(request, deployment)


@require_POST
@for_reviewer
def leave(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Give the case back and take a break."""
    try:
        queue.give_back(deployment.pk, request.user.username, request.POST.get("case", ""))
    except RuleError as error:
        messages.error(request, str(error))
    return redirect("review", deployment.pk)
