"""Pages of people's work: what they can do, whose cases they judge, and what they differ on."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from askpoint.errors import AskpointError
from askpoint.labelling.case import GOLD
from askpoint.server.deployments.access import for_owner
from askpoint.server.deployments.case_rulings import open_appeals
from askpoint.server.deployments.cases import cases_of
from askpoint.server.deployments.forms import WorkForm
from askpoint.server.deployments.guests import queue_guests
from askpoint.server.deployments.label_signatures import close_hook, open_hook
from askpoint.server.deployments.models import Deployment, Member
from askpoint.server.deployments.queue import classes_of, settle
from askpoint.server.deployments.reviewer_standings import list_standings
from askpoint.server.deployments.second_opinions import summarise_opinions
from askpoint.server.form_pages import explain_refusal_on
from askpoint.server.labelling.blind_queue import OPINION

__all__ = ["list_disputes", "workload"]

_SHOWN = 20


@for_owner
def workload(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Say what people can do a day, who is checked twice, whose cases they judge; bring gold cases."""
    given = request.POST
    if given and _change_guests(request, deployment):
        return redirect("work", deployment.pk)
    secret = ""
    if given.get("hook") == "open":
        secret, given = open_hook(deployment.pk), {}
    elif given.get("hook") == "close":
        close_hook(deployment.pk)
        return redirect("work", deployment.pk)
    now = {"capacity": deployment.capacity, "second": f"{100 * deployment.second:.6g}"}
    now |= {"hold": deployment.hold}
    form = WorkForm(given or None, now)
    if given and form.is_valid():
        with explain_refusal_on(form, "gold"):
            made = form.keep(deployment)
            messages.success(request, f"Kept{f', with {made} new gold cases' if made else ''}.")
            return redirect("work", deployment.pk)
    page = {"deployment": deployment, "owns": True, "form": form}
    page["golden"] = cases_of(deployment).filter(purpose=GOLD).count()
    page["referred"] = (
        cases_of(deployment)
        .filter(labelled=None, state="referred")
        .exclude(purpose=OPINION)
        .count()
    )
    page["appeals"] = open_appeals(deployment).count()
    page["reviewers"] = Member.objects.filter(deployment=deployment, role="reviewer").count()
    page["standings"] = list_standings(deployment)
    page["opinions"] = summarise_opinions(deployment)
    page["guests"] = [one.template for one in queue_guests()]
    for one in queue_guests():
        page |= one.page(request, deployment)
    page |= {"secret": secret, "hook": secret or deployment.hook}
    wrong = request.method == "POST" and not secret
    return render(request, "deployments/work.html", page, status=422 if wrong else 200)


def _change_guests(request: HttpRequest, deployment: Deployment) -> bool:
    try:
        return any(guests.change(request, deployment) for guests in queue_guests())
    except AskpointError as error:
        messages.error(request, str(error))
        return True


@for_owner
def list_disputes(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Let an owner say what cases are that reviewers differ on, or skipped."""
    if request.method == "POST":
        try:
            settle(
                deployment.pk,
                request.user.username,
                request.POST.get("case", ""),
                request.POST.get("choice", ""),
            )
        except AskpointError as error:
            messages.error(request, str(error))
        return redirect("unsettled", deployment.pk)
    waiting = cases_of(deployment).filter(labelled=None, state="referred", content__isnull=False)
    waiting = waiting.exclude(purpose=OPINION)
    page = {"deployment": deployment, "owns": True, "waiting": waiting.count()}
    page["appeals"] = open_appeals(deployment)[:_SHOWN]
    page["rows"] = waiting.order_by("opened", "pk").prefetch_related("votes", "remarks")[:_SHOWN]
    page["options"] = classes_of(deployment) if deployment.adopted else []
    return render(request, "deployments/unsettled.html", page)
