"""Pages of a classifier in use: how it stands, its versions, who has a part."""

from __future__ import annotations

import threading
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET

from askpoint.displays.theme import svg
from askpoint.errors import AskpointError
from askpoint.reports.document import Section
from askpoint.reports.page import render_page
from askpoint.server.accounts.access import for_organisers
from askpoint.server.accounts.services import invite, token_of, waiting
from askpoint.server.deployments.access import for_owner, for_owner_and_viewer, part_of
from askpoint.server.deployments.forms import (
    ClassifierForm,
    LinkForm,
    PartForm,
    PolicyForm,
    TrafficForm,
    VersionsForm,
)
from askpoint.server.deployments.incidents import open_incident
from askpoint.server.deployments.models import Deployment
from askpoint.server.deployments.overview import RANGES, overview_of
from askpoint.server.deployments.policies import adopt, go_back, set_mode
from askpoint.server.deployments.roles import take_part_away
from askpoint.server.deployments.state_lines import history_of, newer_version, state_line_of
from askpoint.server.deployments.status_page import (
    pictures_of,
    report_of,
    sections_of,
    status_of,
    urgent_notices,
)
from askpoint.server.deployments.version_diff import money_text, version_blocks
from askpoint.server.deployments.what_if import PriceForm
from askpoint.server.form_pages import show_form
from askpoint.server.report_sections import plain_sections

__all__ = [
    "classifier",
    "classifier_people",
    "new_classifier",
    "picture",
    "report",
    "traffic",
    "two_versions",
    "version",
    "versions",
]

_LINKS = 50
_LAST = 4  # lines of history on the first page
_drawing = threading.Lock()  # matplotlib's settings are one for all threads


@for_organisers
def new_classifier(request: HttpRequest) -> HttpResponse:
    """Bring a log, a policy or nothing: a classifier with its first version, to be read and adopted."""
    form = ClassifierForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            row = form.make(request.seat.workspace_id, request.user)
        except AskpointError as error:
            form.add_error(None, str(error))
        else:
            return redirect("policy", row.pk, 1)
    return show_form(request, "deployments/new.html", {"form": form})


@require_GET
@for_owner_and_viewer
def classifier(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Show how a classifier in use stands."""
    told = status_of(deployment)
    state, incident = state_line_of(deployment), open_incident(deployment)
    page: dict[str, Any] = {
        "deployment": deployment,
        "owns": _owns(request, deployment),
        "state": state,
        "history": history_of(deployment, _LAST),
        "all_history": reverse("incidents", args=[deployment.pk]),
        "incident": incident,
    }
    if told is not None:
        checks, days = _checks(request), request.GET.get("days", "28")
        if days not in RANGES:
            raise Http404
        page |= {"told": told, "checks": checks, "ranges": RANGES.items()}
        page["overview"] = overview_of(deployment, state, incident, days)
        page["notices"] = list(urgent_notices(told))
        page["proposed"] = newer_version(deployment)
        page["sections"] = plain_sections(sections_of(told, deployment, checks))
    return render(request, "deployments/status_page.html", page)


def _checks(request: HttpRequest) -> float | None:
    form = PriceForm(request.GET if "checks" in request.GET else None)
    if form.is_bound and not form.is_valid():
        messages.error(request, "a mistake is worth 1.01 to 100,000 checks")
        return None
    return form.cleaned_data["checks"] if form.is_bound else None


def _owns(request: HttpRequest, deployment: Deployment) -> bool:
    return part_of(request.user, deployment.pk, "owner") is not None


@require_GET
@for_owner_and_viewer
def picture(request: HttpRequest, deployment: Deployment, name: str) -> HttpResponse:
    """Draw one of the page's pictures."""
    told = status_of(deployment)
    found = {}
    if told is not None:
        found = pictures_of(sections_of(told, deployment, _checks(request)))
    if name not in found:
        raise Http404
    with _drawing:
        text = svg(found[name].draw, height=found[name].height)
    return HttpResponse(text, content_type="image/svg+xml")


@require_GET
@for_owner_and_viewer
def report(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Send the page as one file to keep."""
    del request
    told = status_of(deployment)
    if told is None:
        raise Http404
    with _drawing:
        text = render_page(report_of(told, deployment))
    response = HttpResponse(text, content_type="text/html; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{deployment.pk}.html"'
    return response


@for_owner
def traffic(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Let it decide nothing, a share, or all."""
    now = {"mode": deployment.mode, "rollout": round(100 * deployment.rollout, 3)}
    form = TrafficForm(request.POST or None, initial=now)
    if request.method == "POST" and form.is_valid():
        share = form.cleaned_data["rollout"]
        try:
            set_mode(
                deployment.pk, form.cleaned_data["mode"], None if share is None else share / 100
            )
        except AskpointError as error:
            form.add_error(None, str(error))
        else:
            return redirect("classifier", deployment.pk)
    return show_form(
        request, "deployments/traffic.html", {"deployment": deployment, "owns": True, "form": form}
    )


@for_owner
def versions(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """List the versions, and propose another one."""
    form = PolicyForm(request.POST or None, request.FILES or None, initial={"why": ""})
    if request.method == "POST" and form.is_valid():
        try:
            made = form.keep(deployment.pk, request.user)
        except AskpointError as error:
            form.add_error(None, str(error))
        else:
            return redirect("policy", deployment.pk, made.number)
    page = {
        "deployment": deployment,
        "owns": True,
        "form": form,
        "rows": deployment.policies.order_by("-number").defer("document", "told"),
    }
    return show_form(request, "deployments/policies.html", page)


@require_GET
@for_owner
def two_versions(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Show two versions beside each other."""
    form = VersionsForm(deployment, request.GET or None)
    page: dict[str, Any] = {"deployment": deployment, "owns": True, "form": form}
    wrong = form.is_bound and not form.is_valid()
    if form.is_bound and not wrong:
        first, second = form.cleaned_data["first"], form.cleaned_data["second"]
        with transaction.atomic():
            blocks = tuple(version_blocks(deployment, first, second))
        page["sections"] = plain_sections([Section("What is known of both", blocks)])
    return render(request, "deployments/version_diff.html", page, status=422 if wrong else 200)


@for_owner
def version(request: HttpRequest, deployment: Deployment, number: int) -> HttpResponse:
    """Show what a version would do; adopt it, or go back to it."""
    row = deployment.policies.filter(number=min(number, 2**31 - 1)).first()
    if row is None:
        raise Http404
    if request.method == "POST":
        seen = request.POST.get("seen", "")
        instead_of = int(seen) if seen.isdecimal() and len(seen) < 10 else -1
        try:
            if request.POST.get("action") == "back":
                row = go_back(deployment.pk, request.user, request.POST.get("why", ""), row.number)
                return redirect("policy", deployment.pk, row.number)
            adopt(deployment.pk, request.user, row.number, instead_of)
        except AskpointError as error:
            messages.error(request, str(error))
            return redirect("policy", deployment.pk, row.number)
        messages.success(request, f"Version {row.number} is in use.")
        return redirect("classifier", deployment.pk)
    page = {"deployment": deployment, "owns": True, "row": row}
    page["money"] = money_text(deployment, row)
    return render(request, "deployments/policy.html", page)


@for_owner
def classifier_people(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Give parts, by name or by a link, and take them away."""
    given = request.POST
    form, links = PartForm(given if "name" in given else None), LinkForm(given or None)
    if request.method == "POST":
        try:
            if _change_people(request, deployment, form, links):
                return redirect("classifier-people", deployment.pk)
        except AskpointError as error:
            messages.error(request, str(error))
    rows = deployment.members.select_related("user").order_by("role", "user__username")
    page = {
        "deployment": deployment,
        "owns": True,
        "form": form,
        "links": links if "part" in given else LinkForm(),
        "rows": rows,
        "waiting": [
            (it, request.build_absolute_uri(reverse("invitation", args=[token_of(it)])))
            for it in waiting(deployment.pk)[:_LINKS]
        ],
    }
    return show_form(request, "deployments/people.html", page)


def _change_people(
    request: HttpRequest, deployment: Deployment, form: PartForm, links: LinkForm
) -> bool:
    """Do what was sent; whether it could be read."""
    given = request.POST
    if "remove" in given:
        take_part_away(deployment.pk, given["remove"])
    elif "withdraw" in given:
        key = given["withdraw"]
        if key.isdecimal() and len(key) < 10:
            waiting(deployment.pk).filter(pk=key).update(expires=timezone.now())
    elif "part" in given:
        if not links.is_valid():
            return False
        said = links.cleaned_data
        invite(
            deployment.workspace_id,
            said["part"],
            campaign=deployment.pk,
            made_by=request.user,
            note=said["note"],
        )
    else:
        if not form.is_valid():
            return False
        form.keep(deployment)
    return True
