"""Pages of uploaded logs: bring one, wait for its report, read it, put its policy into use."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from askpoint.reports.page import page_policy
from askpoint.server.accounts.access import for_organisers, refuse_frozen
from askpoint.server.deployments.models import LogReport
from askpoint.server.deployments.views import open_classifier
from askpoint.server.form_pages import explain_refusal_on, show_form
from askpoint.server.logs.reporting import STAGES
from askpoint.server.reports.forms import ChosenForm, UploadForm
from askpoint.server.reports.uploads import delete_report, find_report

__all__ = ["choose_policy", "list_reports", "log_page", "log_report"]

_LONG = ("page", "kept", "told", "classes")
_View = Callable[..., HttpResponse]


def _for_its_owner(view: _View) -> _View:
    """The view gets the `LogReport` that the visitor uploaded; to everybody else it is not there."""

    @login_required
    @wraps(view)
    def wrapper(request: HttpRequest, report: str) -> HttpResponse:
        row = find_report(report, request.user)
        if row is None:
            raise Http404
        return refuse_frozen(request, row.workspace) or view(request, row)

    return wrapper


@for_organisers
def list_reports(request: HttpRequest) -> HttpResponse:
    """List the reports, and take another log."""
    form = UploadForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        with explain_refusal_on(form):
            row = form.keep(request.seat.workspace_id, request.user)
            return redirect("log-report", row.pk)
    rows = LogReport.within(request.seat.workspace).filter(owner=request.user).defer(*_LONG)
    page = {"form": form, "rows": rows}
    return show_form(request, "reports/list.html", page)


@_for_its_owner
def log_report(request: HttpRequest, row: LogReport) -> HttpResponse:
    """Say how far a report is, or what it answers; delete it."""
    if request.method == "POST":
        if request.POST.get("action") == "delete":
            delete_report(row)
        return redirect("log-reports")
    stages = list(STAGES)
    page = {
        "row": row,
        "waiting": not row.page and not row.problem,
        "says": STAGES.get(row.stage, ""),
        "done": stages.index(row.stage) if row.stage in STAGES else 0,
        "stages": len(stages),
        "sections": [
            {**section, "blocks": [it for it in section["blocks"] if it["kind"] != "picture"]}
            for section in row.told
        ],
    }
    return render(request, "reports/report.html", page)


@require_GET
@_for_its_owner
def log_page(request: HttpRequest, row: LogReport) -> HttpResponse:
    """Show the report itself, or send it as a file: a page of its own, shut off from this site."""
    if not row.page:
        raise Http404
    answer = HttpResponse(row.page, content_type="text/html; charset=utf-8")
    answer["Content-Security-Policy"] = (
        f"{page_policy()}; frame-ancestors 'none'; sandbox allow-scripts"
    )
    if "file" in request.GET:
        name = row.name.rsplit(".", 1)[0]
        answer["Content-Disposition"] = f'attachment; filename="{name}-report.html"'
    return answer


@for_organisers
def choose_policy(request: HttpRequest, report: str) -> HttpResponse:
    """Make a classifier in use whose first policy a report chooses."""
    row = find_report(report, request.user)
    if row is None or not row.labelled or row.workspace_id != request.seat.workspace_id:
        raise Http404
    form = ChosenForm(row, request.POST or None)
    return open_classifier(request, form, "reports/chosen.html", {"row": row})
