"""The front door: home and refusals."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from askpoint.server.accounts.models import User
from askpoint.server.accounts.seats import RUNS, seats_of_visitor
from askpoint.server.deployments.access import list_owned_by_workspace
from askpoint.server.deployments.fleet import fleet_of
from askpoint.server.deployments.models import Member
from askpoint.server.deployments.state_lines import classifier_rows, fleet_line
from askpoint.server.extensions import load_each
from askpoint.server.home.sections import find_twice
from askpoint.server.labelling.desk import desk_of
from askpoint.server.labelling.own_work import count_waiting_about, day_of
from askpoint.server.licences.models import AgentMember

__all__ = ["bad_request", "enter", "explain_refusal", "home"]

_IDLE = "You take part in nothing yet. An organiser sends you a link."


@require_GET
@login_required
def home(request: HttpRequest) -> HttpResponse:
    """Show where somebody takes part, and how it stands there."""
    user = request.user
    parts = [sections(request) for sections in load_each("home")]
    uses = Member.objects.filter(user=user).select_related("deployment__workspace")
    uses = list(uses.exclude(deployment__workspace__state="closed").order_by("-at"))
    owned = list_owned_by_workspace(user)
    seen = [one.deployment for one in uses if one.role != "reviewer"] + owned
    own = {one.deployment_id for one in uses if one.role == "owner"} | {row.pk for row in owned}
    fleet = classifier_rows(seen, own)
    agents = AgentMember.objects.filter(user=user).select_related("agent__workspace")
    agents = list(agents.exclude(agent__workspace__state="closed").order_by("-at"))
    seats = seats_of_visitor(request)
    reviews = [one for one in uses if one.role == "reviewer" and one.deployment.archived is None]
    desk = desk_of(user) if reviews else None
    if desk is not None and not desk.titles:  # its workspace is frozen
        desk = None
    takes_part = any(part.takes_part for part in parts)
    return render(
        request,
        "home/home.html",
        {
            **{name: value for part in parts for name, value in part.context.items()},
            "before": [part.before for part in parts if part.before],
            "after": [part.after for part in parts if part.after],
            "uses": uses,
            "reviews": reviews,
            "labels": desk is not None,
            "only_labels": desk is not None and not any(part.takes_part for part in parts),
            "waiting": 0 if desk is None else count_waiting_about(desk),
            "day": None if desk is None else day_of(desk),
            "fleet": fleet,
            "listed": fleet_of(fleet, request.GET.get("state", ""), request.GET.get("page")),
            "twice": find_twice([row.deployment.title for row in fleet])
            | find_twice([one.deployment.title for one in reviews]),
            "fleet_line": fleet_line(fleet),
            "agents": agents,
            "owns": bool(own)
            or any(one.role == "owner" for one in agents)
            or any(seat.role in RUNS for seat in seats),
            "takes_part": takes_part or bool(uses) or bool(agents) or bool(seats),
            "idle": next(filter(None, (part.idle for part in parts)), _IDLE),
        },
    )


@require_POST
def enter(request: HttpRequest, name: str) -> HttpResponse:
    """Enter as one of the demo's people; there is no such page without ``--demo``."""
    user = User.objects.filter(username=name).first() if settings.ASKPOINT.demo else None
    if user is None:
        raise Http404
    login(request, user)
    return redirect("home")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Say what was wrong with a request that could not be read."""
    too_big = isinstance(exception, RequestDataTooBig)
    problem = (
        "What you sent is far too large: a page takes a megabyte. Go back and shorten it."
        if too_big
        else "The browser sent something that cannot be read."
    )
    return render(
        request, "home/refused.html", {"problem": problem}, status=413 if too_big else 400
    )


def explain_refusal(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Say something where a browser opens what only a form may send to."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.status_code == 405 and not response.content:
            problem = "This address takes only what a form sends. Nothing was changed."
            page = render(request, "home/refused.html", {"problem": problem}, status=405)
            page["Allow"] = response["Allow"]
            return page
        return response

    return answer
