"""Pages of a classifier in use: how it stands, its versions, who has a part."""

from __future__ import annotations

import threading
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from askpoint.displays.theme import svg
from askpoint.errors import AskpointError
from askpoint.reports.document import Section
from askpoint.reports.page import render_page
from askpoint.server.accounts.access import for_organisers
from askpoint.server.deployments.access import for_owner, for_owner_and_viewer, part_of
from askpoint.server.deployments.forms import (
    ClassifierForm,
    OpeningForm,
    PolicyForm,
    RolloutForm,
    VersionsForm,
)
from askpoint.server.deployments.incidents import open_incident
from askpoint.server.deployments.models import Deployment
from askpoint.server.deployments.overview import RANGES, overview_of
from askpoint.server.deployments.policies import adopt, go_back, set_mode
from askpoint.server.deployments.policy_state import document_of
from askpoint.server.deployments.review_workload import outgrows_reviewers
from askpoint.server.deployments.state_lines import history_of, newer_version, state_line_of
from askpoint.server.deployments.status_page import (
    page_sections,
    pictures_of,
    report_of,
    sections_of,
    status_of,
    urgent_notices,
)
from askpoint.server.deployments.version_diff import money_text, version_blocks
from askpoint.server.deployments.what_if import PriceForm
from askpoint.server.form_pages import explain_refusal_on, show_form
from askpoint.server.report_sections import plain_sections

__all__ = [
    "classifier",
    "new_classifier",
    "open_classifier",
    "picture",
    "report",
    "traffic",
    "two_versions",
    "version",
    "versions",
]

_LAST = 4  # lines of history on the first page
_drawing = threading.Lock()  # matplotlib's settings are one for all threads


@for_organisers
def new_classifier(request: HttpRequest) -> HttpResponse:
    """Bring a log, a policy or nothing: a classifier with its first version, to be read and adopted."""
    form = ClassifierForm(request.POST or None, request.FILES or None)
    return open_classifier(request, form, "deployments/new.html", {})


def open_classifier(
    request: HttpRequest, form: OpeningForm, template: str, page: dict[str, Any]
) -> HttpResponse:
    """Show what a filled-in form would open, start it in shadow, or keep it as a draft to be read."""
    action = request.POST.get("action", "draft")
    page["form"] = form
    if request.method == "POST" and form.is_valid():
        with explain_refusal_on(form):
            if action == "preview":
                page["preview"] = form.preview()
                return render(request, template, page)
            starts = action == "start"
            row = form.make(request.seat.workspace_id, request.user, in_shadow=starts)
            if not starts:
                return redirect("policy", row.pk, 1)
            unsure = form.cleaned_data["aim"] == "unsure"
            if unsure:
                messages.success(
                    request,
                    f"“{row.title}” started in shadow, at 20 checks per mistake. Now ask what a mistake costs, or open "
                    "Overview and send the first case.",
                )
            return redirect("questionnaires" if unsure else "classifier", row.pk)
    return show_form(request, template, page)


@require_GET
@for_owner_and_viewer
def classifier(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Show how a classifier in use stands; with `more` what is folded away, for which its state is read."""
    state, incident = state_line_of(deployment), open_incident(deployment)
    page: dict[str, Any] = {
        "deployment": deployment,
        "owns": _owns(request, deployment),
        "state": state,
        "history": history_of(deployment, _LAST),
        "all_history": reverse("incidents", args=[deployment.pk]),
        "incident": incident,
    }
    policy = deployment.policies.filter(number=deployment.adopted).first()
    if policy is not None:
        checks, days = _checks(request), request.GET.get("days", "28")
        if days not in RANGES:
            raise Http404
        page |= {"policy": document_of(policy).id, "checks": checks, "ranges": RANGES.items()}
        page["overview"] = overview_of(deployment, state, incident, days)
        page["notices"] = list(urgent_notices(policy))
        page["proposed"] = newer_version(deployment)
        page["outgrown"] = state.kind == "learning" and outgrows_reviewers(deployment)
        if "more" in request.GET or checks is not None:
            told = status_of(deployment)
            if told is not None:
                reads = page["owns"] or deployment.viewers_read
                found = page_sections(told, deployment, checks, with_cases=reads)
                page["sections"] = plain_sections(found)
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
    told = status_of(deployment)
    if told is None:
        raise Http404
    reads = deployment.viewers_read or _owns(request, deployment)
    with _drawing:
        text = render_page(report_of(told, deployment, with_cases=reads), options=False)
    response = HttpResponse(text, content_type="text/html; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{deployment.pk}.html"'
    return response


@for_owner
def traffic(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Let it decide nothing, a share, or all."""
    now = {"mode": deployment.mode, "rollout": round(100 * deployment.rollout, 3)}
    form = RolloutForm(request.POST or None, initial=now)
    if request.method == "POST" and form.is_valid():
        share = form.cleaned_data["rollout"]
        with explain_refusal_on(form):
            set_mode(
                deployment.pk, form.cleaned_data["mode"], None if share is None else share / 100
            )
            return redirect("classifier", deployment.pk)
    return show_form(
        request, "deployments/traffic.html", {"deployment": deployment, "owns": True, "form": form}
    )


@for_owner
def versions(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """List the versions, and propose another one."""
    form = PolicyForm(request.POST or None, request.FILES or None, initial={"why": ""})
    if request.method == "POST" and form.is_valid():
        with explain_refusal_on(form):
            made = form.keep(deployment.pk, request.user)
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
