"""The organiser's page of the log, and its export."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from askpoint.server.accounts.seats import seats_of
from askpoint.server.deployments.models import Deployment
from askpoint.server.extensions import load_each
from askpoint.server.journal.models import LogLine
from askpoint.server.journal.services import lines_of
from askpoint.server.licences.models import Agent
from askpoint.server.spreadsheets import to_csv

__all__ = ["log", "log_file"]

_ON_A_PAGE = 100
_COLUMNS = ("at", "who", "what", "campaign", "about", "said")


def _mine(request: HttpRequest) -> QuerySet[LogLine]:
    """Return the lines for an organiser, or for whose campaign or classifier it is."""
    me = request.user
    seats = seats_of(me)
    owns = [seat.workspace_id for seat in seats if seat.role == "owner"]
    used = Deployment.objects.filter(
        Q(members__user=me, members__role="owner") | Q(workspace__in=owns)
    )
    agents = Agent.objects.filter(
        Q(members__user=me, members__role="owner") | Q(workspace__in=owns)
    )
    keys = [key for rows in (used, agents) for key in rows.distinct().values_list("pk", flat=True)]
    people = []
    for readable in load_each("activity"):
        more, names = readable(me)
        keys += more
        people += names
    if not seats and not keys:
        raise Http404
    runs = [seat.workspace_id for seat in seats]
    return lines_of(me.username, keys, people, owns=owns, runs=runs)


@require_GET
@login_required
def log(request: HttpRequest) -> HttpResponse:
    """Show who decided what, the newest first."""
    page = Paginator(_mine(request), _ON_A_PAGE).get_page(request.GET.get("page"))
    lines = [(line, ", ".join(f"{name} {it}" for name, it in line.said.items())) for line in page]
    return render(request, "home/log.html", {"rows": page, "what": "lines", "lines": lines})


@require_GET
@login_required
def log_file(request: HttpRequest) -> StreamingHttpResponse:
    """Send the whole of it as CSV."""
    rows: Any = (
        {**{name: getattr(line, name) for name in _COLUMNS}, "at": line.at.isoformat()}
        for line in _mine(request).iterator(chunk_size=1000)
    )
    response = StreamingHttpResponse(to_csv(_COLUMNS, rows), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="log.csv"'
    return response
