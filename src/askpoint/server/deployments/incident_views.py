"""Pages of incidents: the list, and one with what to do about it."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from askpoint.errors import AskpointError
from askpoint.reports.words import plural
from askpoint.server.deployments.access import for_owner, for_owner_and_viewer, part_of
from askpoint.server.deployments.asked_regions import propose_asking, regions_to_ask
from askpoint.server.deployments.incident_actions import keep_closed, let_go_on, write_note
from askpoint.server.deployments.incident_records import EXPORTED, IncidentRecord
from askpoint.server.deployments.models import Deployment, Incident, Policy
from askpoint.server.deployments.second_opinions import ask_second_opinions
from askpoint.server.deployments.state_lines import history_of, state_line_of
from askpoint.server.journal.services import note
from askpoint.server.spreadsheets import to_csv

__all__ = ["export_incident", "show_incident", "show_incidents"]

_PAGE = 50
_MOST_NUMBER = 2**31 - 1
_MOST_REGIONS = 3  # that are shown to be asked in


@require_GET
@for_owner_and_viewer
def show_incidents(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """List the incidents of all versions, the newest first."""
    before = request.GET.get("before", "")
    if before and not (before.isdecimal() and len(before) < 10):
        raise Http404
    rows = Incident.objects.filter(deployment=deployment).select_related("policy")
    if before:
        rows = rows.filter(number__lt=int(before))
    found = [IncidentRecord(row) for row in rows.order_by("-number")[: _PAGE + 1]]
    page = {
        "deployment": deployment,
        "owns": part_of(request.user, deployment.pk, "owner") is not None,
        "found": found[:_PAGE],
        "older": found[_PAGE - 1].incident.number if len(found) > _PAGE else None,
        "history": [] if before else history_of(deployment),
    }
    return render(request, "deployments/incidents.html", page)


def _record(deployment: Deployment, number: int) -> IncidentRecord:
    rows = Incident.objects.filter(deployment=deployment, number=min(number, _MOST_NUMBER))
    found = rows.select_related("policy", "deployment").first()
    if found is None:
        raise Http404
    return IncidentRecord(found)


@for_owner_and_viewer
def show_incident(request: HttpRequest, deployment: Deployment, number: int) -> HttpResponse:
    """Show an incident; an owner keeps it closed, lets it go on, or writes a note."""
    record = _record(deployment, number)
    owns = part_of(request.user, deployment.pk, "owner") is not None
    if request.method == "POST":
        if not owns:
            raise Http404
        try:
            made = _act(request, record.incident)
        except AskpointError as error:
            messages.error(request, str(error))
            made = None
        if made is not None:
            return redirect("policy", deployment.pk, made.number)
        return redirect("incident", deployment.pk, number)
    page = {
        "deployment": deployment,
        "owns": owns,
        "record": record,
        "incident": record.incident,
        "to_ask": regions_to_ask(record.incident)[:_MOST_REGIONS] if owns else [],
        "state": state_line_of(deployment),
    }
    return render(request, "deployments/incident.html", page)


def _act(request: HttpRequest, incident: Incident) -> Policy | None:
    """Do what was pressed; the version that it proposes."""
    action, region = request.POST.get("action", ""), request.POST.get("region", "")
    if action == "ask-where":
        number = int(region) if region.isdecimal() and len(region) < 4 else -1
        return propose_asking(incident, number, request.user.username)
    if action == "opinions":
        n = ask_second_opinions(
            incident.deployment_id, IncidentRecord(incident).draw_for_opinions()
        )
        messages.success(
            request, f"{plural(n, 'case goes', 'cases go')} to reviewers who have not seen them."
        )
    if action == "keep":
        keep_closed(incident.deployment_id)
        messages.success(request, "It stays closed until an owner lets it go on.")
    elif action == "go-on":
        let_go_on(incident.deployment_id)
        messages.success(request, "It goes on: it decides alone once its labels allow it.")
    elif action == "note":
        write_note(incident, request.user.username, request.POST.get("note", ""))
        messages.success(request, "The note is kept.")
    return None


@require_GET
@for_owner
def export_incident(request: HttpRequest, deployment: Deployment, number: int) -> HttpResponse:
    """Send the labelled cases of an incident as CSV, by which the model can be mended."""
    del request
    record = _record(deployment, number)
    note("exported", campaign=deployment.pk, about=f"incident {number}")
    answer = StreamingHttpResponse(
        to_csv(EXPORTED, record.export_cases()), content_type="text/csv; charset=utf-8"
    )
    name = f"{deployment.pk}-incident-{number}.csv"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
