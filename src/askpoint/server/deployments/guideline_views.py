"""The page on which owners write what reviewers go by."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from askpoint.server.deployments.access import for_owner
from askpoint.server.deployments.cases import queue_of
from askpoint.server.deployments.guideline_forms import GuidelineForm
from askpoint.server.deployments.models import Deployment
from askpoint.server.form_pages import explain_refusal_on, show_form
from askpoint.server.labelling.guidelines import list_versions

__all__ = ["guideline"]


@for_owner
def guideline(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Show the guideline with its versions, and keep another one."""
    versions = list_versions(queue_of(deployment.pk))
    form = GuidelineForm(deployment, versions[0] if versions else None, request.POST or None)
    if request.method == "POST" and form.is_valid():
        with explain_refusal_on(form):
            number = form.keep(request.user.username)
            messages.success(request, f"Version {number} is shown with each case from now on.")
            return redirect("guideline", deployment.pk)
    page = {"deployment": deployment, "owns": True, "form": form, "versions": versions}
    return show_form(request, "deployments/guideline.html", page)
