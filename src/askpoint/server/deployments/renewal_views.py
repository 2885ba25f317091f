"""Pages of what comes next: a version chosen again, audits and settings."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from askpoint.errors import AskpointError
from askpoint.reports.document import Section
from askpoint.server.deployments.access import for_owner
from askpoint.server.deployments.archiving import (
    archive,
    delete_classifier,
    is_draft,
    restore,
)
from askpoint.server.deployments.audit_rates import region_blocks, set_audit_rate
from askpoint.server.deployments.models import Deployment
from askpoint.server.deployments.notified import list_endpoints
from askpoint.server.deployments.renewal_forms import AuditRateForm, NewVersionForm
from askpoint.server.deployments.review_workload import fit_of
from askpoint.server.deployments.settings_forms import SettingsForm
from askpoint.server.deployments.version_diff import check_text
from askpoint.server.form_pages import explain_refusal_on, show_form
from askpoint.server.jobs.services import add_job
from askpoint.server.report_sections import plain_sections
from askpoint.server.webhooks.delivery import send_test

__all__ = ["audits", "choose_again", "settings"]


@for_owner
def choose_again(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Propose a version from the cases and labels of the one in use."""
    policy = deployment.policies.filter(number=deployment.adopted).first()
    if policy is None:
        messages.error(request, "No policy is in use yet, so there is nothing to choose from.")
        return redirect("policies", deployment.pk)
    fit = fit_of(deployment, policy) if request.GET.get("aim") == "capacity" else None
    form = NewVersionForm(policy, request.POST or None, fit=fit)
    if request.method == "POST" and form.is_valid():
        with explain_refusal_on(form):
            made = form.keep(deployment.pk, request.user)
            return redirect("policy", deployment.pk, made.number)
    page = {"deployment": deployment, "owns": True, "form": form, "row": policy, "fit": fit}
    return show_form(request, "deployments/again.html", page)


@for_owner
def settings(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Say what it is called, what a mistake costs, and what happens after the planned decisions; archive or delete it."""
    if "action" in request.POST:
        return _act(request, deployment)
    form = SettingsForm(deployment, request.POST or None)
    if request.method == "POST" and form.is_valid():
        with explain_refusal_on(form):
            form.keep()
            messages.success(request, "Saved.")
            return redirect("classifier-settings", deployment.pk)
    page = {"deployment": deployment, "owns": True, "form": form}
    page["is_draft"] = is_draft(deployment)
    page["told"] = list_endpoints(deployment, request.user)
    page["check"] = check_text(deployment)
    wrong = request.method == "POST" and not form.is_valid()
    return render(request, "deployments/settings.html", page, status=422 if wrong else 200)


def _act(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Archive the classifier, restore it, or delete it; or send a test to an endpoint."""
    action, key, is_gone = request.POST["action"], deployment.pk, False
    if action == "test":
        _send_test(request, deployment)
        return redirect("classifier-settings", key)
    try:
        if action == "archive":
            archive(key)
            messages.success(request, "Archived. Every case is refused.")
        elif action == "restore":
            restore(key)
            messages.success(request, "Restored. It takes cases again.")
        elif action == "delete":
            is_gone = delete_classifier(key, request.POST.get("name", ""))
            messages.success(request, "Deleted.")
    except AskpointError as error:
        messages.error(request, str(error))
        return redirect("classifier-settings", key)
    return redirect("home") if is_gone else redirect("classifier", key)


def _send_test(request: HttpRequest, deployment: Deployment) -> None:
    number = request.POST.get("key", "")
    key = int(number) if number.isdecimal() and len(number) < 10 else 0
    tested = send_test(deployment.workspace_id, request.user, key)
    if tested is not None and tested.state == "delivered":
        messages.success(request, f"The test arrived: answered with {tested.status}.")
    elif tested is not None:
        messages.error(request, f"The test did not arrive: {tested.said}.")


@for_owner
def audits(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Raise the audit rate of a group; look for regions where it is sure and wrong."""
    given = request.POST
    form = AuditRateForm(given if "group" in given else None)
    if request.method == "POST":
        if given.get("action") == "look":
            add_job("regions", deployment.pk)
            messages.success(request, "The search is running; load this page again in a minute.")
            return redirect("audits", deployment.pk)
        if "lower" in given:
            set_audit_rate(deployment.pk, given["lower"], None)
            return redirect("audits", deployment.pk)
        if form.is_valid():
            with explain_refusal_on(form):
                form.keep(deployment.pk)
                return redirect("audits", deployment.pk)
    found = [one["group"] for one in deployment.regions.get("found", []) if one["group"]]
    page = {"deployment": deployment, "owns": True, "form": form, "raised": deployment.audit_rates}
    page["suggested"] = [name for name in found if name not in deployment.audit_rates]
    blocks = tuple(region_blocks(deployment))
    page["sections"] = plain_sections(
        [Section("Where it is confident but wrong", blocks)] if blocks else []
    )
    return show_form(request, "deployments/audits.html", page)
