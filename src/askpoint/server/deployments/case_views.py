"""Pages of decided cases: the list with its filters, and one case with its decision record."""

from __future__ import annotations

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from askpoint.server.deployments.access import for_owner
from askpoint.server.deployments.case_records import (
    FILTERS,
    case_record,
    list_cases,
    parse_place,
)
from askpoint.server.deployments.labelling import forget
from askpoint.server.deployments.models import Deployment
from askpoint.server.journal.services import note

__all__ = ["show_case", "show_cases"]


@require_GET
@for_owner
def show_cases(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """List decided cases, the newest first."""
    show = request.GET.get("show", "all")
    before = parse_place(request.GET["before"]) if "before" in request.GET else None
    if show not in FILTERS or ("before" in request.GET and before is None):
        raise Http404
    page = {
        "deployment": deployment,
        "owns": True,
        "filters": FILTERS.items(),
        "show": show,
        "found": list_cases(deployment, show, before),
        "goes_on": before is not None,
    }
    return render(request, "deployments/cases.html", page)


@for_owner
def show_case(request: HttpRequest, deployment: Deployment, key: str) -> HttpResponse:
    """Show one case; an owner may delete its content, and its record stays."""
    record = case_record(deployment, key)
    if record is None:
        raise Http404
    if request.method == "POST":
        with transaction.atomic():
            if forget(deployment.pk, [key]):
                note("content deleted", campaign=deployment.pk, about=key)
                messages.success(request, "The content is deleted. The decision record stays.")
        return redirect("classifier-case", deployment.pk, key)
    page = {"deployment": deployment, "owns": True, "record": record}
    if record.case is not None:
        page["votes"] = record.case.votes.all()
    return render(request, "deployments/case_record.html", page)
