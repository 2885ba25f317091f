"""Pages of a classifier's team: who takes part, links for many at once, and work by month as a file."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET

from askpoint.errors import AskpointError
from askpoint.server.accounts.many_links import link_of, send_links
from askpoint.server.accounts.services import waiting, withdraw_link
from askpoint.server.deployments.access import for_owner
from askpoint.server.deployments.forms import PARTS
from askpoint.server.deployments.models import Deployment
from askpoint.server.deployments.roles import give_part, take_part_away
from askpoint.server.deployments.team import (
    WORK_COLUMNS,
    count_for_team,
    list_team,
    list_work_by_month,
)
from askpoint.server.form_pages import show_form
from askpoint.server.labelling.part_forms import LinkForm, RoleForm
from askpoint.server.spreadsheets import to_csv

__all__ = ["classifier_people", "links_file", "work_file"]

_LINKS = 50


@for_owner
def classifier_people(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Give roles, by name or by links, and take them away; see what each person does."""
    given = request.POST
    form = RoleForm(PARTS, given if "name" in given else None)
    links = LinkForm(PARTS, *([given, request.FILES] if "part" in given else []))
    if request.method == "POST":
        try:
            if _change_people(request, deployment, form, links):
                return redirect("classifier-people", deployment.pk)
        except AskpointError as error:
            messages.error(request, str(error))
    page = {
        "deployment": deployment,
        "owns": True,
        "form": form,
        "links": links,
        "team": list_team(deployment),
        "counts": count_for_team(deployment),
        "waiting": [(it, link_of(request, it)) for it in waiting(deployment.pk)[:_LINKS]],
        "links_file": reverse("classifier-links", args=[deployment.pk]),
    }
    return show_form(request, "deployments/people.html", page)


def _change_people(
    request: HttpRequest, deployment: Deployment, form: RoleForm, links: LinkForm
) -> bool:
    """Do what was sent; whether it could be read."""
    given = request.POST
    if "remove" in given:
        take_part_away(deployment.pk, given["remove"])
    elif "withdraw" in given:
        withdraw_link(deployment.pk, given["withdraw"])
    elif "part" in given:
        if not links.is_valid():
            return False
        links.make(deployment, request.user)
    else:
        if not form.is_valid():
            return False
        give_part(deployment.pk, form.user, form.cleaned_data["role"])
    return True


@require_GET
@for_owner
def links_file(request: HttpRequest, deployment: Deployment) -> StreamingHttpResponse:
    """Send the links that wait as CSV."""
    return send_links(request, deployment.pk)


@require_GET
@for_owner
def work_file(request: HttpRequest, deployment: Deployment) -> StreamingHttpResponse:
    """Send what each reviewer did in each month as CSV."""
    del request
    lines = to_csv(WORK_COLUMNS, list_work_by_month(deployment))
    response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{deployment.pk}-work.csv"'
    return response
