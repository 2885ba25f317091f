"""Pages of what comes next: a version chosen again, and prices."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from askpoint.errors import AskpointError
from askpoint.server.deployments.access import for_owner
from askpoint.server.deployments.models import Deployment
from askpoint.server.deployments.renewal_forms import AgainForm, PricesForm

__all__ = ["choose_again", "prices"]


@for_owner
def choose_again(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Propose a version from the cases and labels of the one in use."""
    policy = deployment.policies.filter(number=deployment.adopted).first()
    if policy is None:
        messages.error(request, "No policy is in use yet, so there is nothing to choose from.")
        return redirect("policies", deployment.pk)
    form = AgainForm(policy, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = form.keep(deployment.pk, request.user)
        except AskpointError as error:
            form.add_error(None, str(error))
        else:
            return redirect("policy", deployment.pk, made.number)
    page = {"deployment": deployment, "owns": True, "form": form, "row": policy}
    status = 422 if request.method == "POST" else 200
    return render(request, "deployments/again.html", page, status=status)


@for_owner
def prices(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Say what a mistake costs, and what happens at the end of a life."""
    form = PricesForm(deployment, request.POST or None)
    if request.method == "POST" and form.is_valid():
        form.keep()
        messages.success(request, "Kept.")
        return redirect("prices", deployment.pk)
    page = {"deployment": deployment, "owns": True, "form": form}
    wrong = request.method == "POST" and not form.is_valid()
    return render(request, "deployments/prices.html", page, status=422 if wrong else 200)
