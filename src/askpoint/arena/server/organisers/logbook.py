"""The organiser's page of the log, and its export."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from askpoint.arena.server.campaigns.models import Campaign
from askpoint.server.accounts.models import User
from askpoint.server.deployments.models import Member
from askpoint.server.journal.models import LogLine
from askpoint.server.journal.services import lines_of
from askpoint.server.spreadsheets import to_csv

__all__ = ["log", "log_file"]

_ON_A_PAGE = 100
_COLUMNS = ("at", "who", "what", "campaign", "about", "said")


def _mine(request: HttpRequest) -> QuerySet[LogLine]:
    """Return the lines for an organiser, or for whose campaign or classifier it is."""
    me = request.user
    runs = Q(organiser=me) if me.is_organiser else Q(pk__in=[])
    campaigns = Campaign.objects.filter(runs | Q(colleagues__user=me))
    there = User.objects.filter(
        Q(plays__campaign__in=campaigns) | Q(judges__campaign__in=campaigns)
    )
    names = there.values("username")
    used = Member.objects.filter(user=me, role="owner").values_list("deployment", flat=True)
    if not me.is_organiser and not campaigns.exists() and not used.exists():
        raise Http404
    keys = [*campaigns.values_list("pk", flat=True), *used]
    return lines_of(me.username, keys, names, server=me.is_organiser)


@require_GET
@login_required
def log(request: HttpRequest) -> HttpResponse:
    """Show who decided what, the newest first."""
    page = Paginator(_mine(request), _ON_A_PAGE).get_page(request.GET.get("page"))
    lines = [(line, ", ".join(f"{name} {it}" for name, it in line.said.items())) for line in page]
    return render(request, "organisers/log.html", {"rows": page, "what": "lines", "lines": lines})


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
