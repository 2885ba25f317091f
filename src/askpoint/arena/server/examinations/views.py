"""An organiser's pages of an examination: bring a sample, draw, see what was found."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

import askpoint.arena.server.examinations.services as services
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.pseudonyms import by_name, by_pseudonym
from askpoint.arena.server.campaigns.records import terms_of
from askpoint.arena.server.examinations.exports import export_rows, sample_rows
from askpoint.arena.server.examinations.forms import DesignForm, SampleForm
from askpoint.arena.server.examinations.models import Examination
from askpoint.arena.server.examinations.records import judgements_of
from askpoint.arena.server.rulings.access import for_organiser
from askpoint.errors import AskpointError, InputError, RuleError
from askpoint.reports.document import Block, Grid
from askpoint.reports.words import count
from askpoint.server.form_pages import explain_refusal_on
from askpoint.server.jobs.models import Job
from askpoint.server.jobs.services import add_job
from askpoint.server.spreadsheets import to_csv

__all__ = ["compare", "draw", "examination", "files", "sample"]


def _row(campaign: Campaign, number: str) -> Examination | None:
    """Return the examination of that number, by default the latest."""
    rows = campaign.examinations.all()
    if not number:
        return rows.last()
    row = rows.filter(pk=number).first() if number.isdecimal() and len(number) < 18 else None
    if row is None:
        raise Http404
    return row


@require_GET
@for_organiser
def examination(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show how far an examination is: being answered, to be drawn, being judged."""
    row = _row(campaign, request.GET.get("number", ""))
    if row is None:
        return redirect("sample", campaign.pk)
    row.campaign = campaign
    page = {"campaign": campaign, "row": row, "all": campaign.examinations.all()}
    if row.state == "answering":
        waiting = Job.objects.filter(kind="answer", about=str(row.pk), done=None).exists()
        page |= {"n_cases": row.cases.count(), "n_answered": row.cases.exclude(decision="").count()}
        return render(request, "examinations/answering.html", page | {"waiting": waiting})
    if row.state == "answered":
        return _plan(request, page)
    return _findings_page(request, page)


def _plan(request: HttpRequest, page: dict[str, Any]) -> HttpResponse:
    row = page["row"]
    form = DesignForm(row.cases.count(), request.GET)
    plan = None
    if form.is_valid():
        with explain_refusal_on(form):
            plan = services.plan(row, form.design(), form.cleaned_data["seed"])
    if plan is not None:
        bins = zip(
            plan.drawn.edges,
            plan.drawn.edges[1:],
            plan.drawn.sizes,
            plan.drawn.planned,
            strict=False,
        )
        terms = terms_of(page["campaign"].terms)
        page |= {"bins": list(bins), "n_drawn": len(plan.drawn.items), "terms": terms}
        page |= {"most": count(plan.most), "left": count(plan.left)}
    page |= {"form": form, "plan": plan}
    return render(request, "examinations/plan.html", page, status=200 if plan else 422)


def _findings_page(request: HttpRequest, page: dict[str, Any]) -> HttpResponse:
    from askpoint.arena.server.examinations.findings import sections_of  # takes a while

    campaign, row = page["campaign"], page["row"]
    judged = judgements_of(row)
    sections = [
        (section.title, [_block_context(block) for block in section.blocks])
        for section in sections_of(campaign, row, judged)
    ]
    counted = [len(judged.answers), campaign.probes.filter(state="judged").count()]
    page |= {
        "judged": judged,
        "sections": sections,
        "counted": counted,
        "reserved": sum(case.ruling.reserved for case in judged.cases),
        "promised": count(sum(case.ruling.reserved for case in judged.cases)),
        "learning": Job.objects.filter(kind="compare", about=str(row.pk), done=None).exists(),
    }
    return render(request, "examinations/found.html", page)


def _block_context(block: Block) -> dict[str, Any]:
    rows = []
    if isinstance(block, Grid):
        rows = [(row[0], list(zip(block.columns[1:], row[1:], strict=True))) for row in block.rows]
    return {"kind": type(block).__name__.lower(), "block": block, "rows": rows}


@for_organiser
def sample(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Upload a sample of the stream, or put aside the one that waits."""
    if request.POST.get("action") == "drop":
        services.drop_sample(campaign.pk)
        messages.success(request, "The sample was put aside; nothing was drawn from it.")
        return redirect("sample", campaign.pk)
    if campaign.examinations.exclude(state="drawn").exists():
        return redirect("examination", campaign.pk)
    given = (request.POST, request.FILES) if request.method == "POST" else ()
    form = SampleForm(campaign, *given)
    if request.method == "POST" and form.is_valid():
        try:
            services.bring_sample(campaign.pk, form.cases)
        except RuleError as error:  # the second of two clicks
            messages.error(request, str(error))
        return redirect("examination", campaign.pk)
    page = {"campaign": campaign, "form": form, "all": campaign.examinations.all()}
    status = 422 if request.method == "POST" else 200
    return render(request, "examinations/sample.html", page, status=status)


@require_POST
@for_organiser
def draw(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Draw what the plan said."""
    row = campaign.examinations.exclude(state="drawn").first()
    number = request.POST.get("number", "")
    if row is None or str(row.pk) != number:
        return redirect("examination", campaign.pk)  # the second of two clicks
    form = DesignForm(row.cases.count(), request.POST)
    try:
        if not form.is_valid():
            raise InputError("this is not a way to draw; check the fields")
        services.draw(campaign.pk, row.pk, form.design(), form.cleaned_data["seed"])
    except AskpointError as error:
        messages.error(request, str(error))
        page = redirect("examination", campaign.pk)
        kept = {name: request.POST.get(name, "") for name in form.fields}
        page["Location"] += f"?{urlencode(kept)}"
        return page
    messages.success(
        request, "Drawn: the cases are in the judges' queue, together with the players'."
    )
    return redirect("examination", campaign.pk)


@require_POST
@for_organiser
def compare(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Let the background tell what can be learned; or go on answering where a job was given up."""
    row = _row(campaign, request.POST.get("number", ""))
    if row is None:
        raise Http404
    add_job("compare" if row.state == "drawn" else "answer", str(row.pk))
    page = redirect("examination", campaign.pk)
    page["Location"] += f"?number={row.pk}"
    return page


@require_GET
@for_organiser
def files(request: HttpRequest, campaign: Campaign, kind: str) -> StreamingHttpResponse:
    """Send the whole sample as a log, or the drawn cases as judged: ``askpoint examine`` reads both."""
    row = _row(campaign, request.GET.get("number", ""))
    if row is None or row.state != "drawn":
        raise Http404
    terms = terms_of(campaign.terms)
    called = by_name if request.GET.get("names") == "real" else by_pseudonym(campaign.pk)
    columns, rows = sample_rows(row, terms) if kind == "log" else export_rows(row, terms, called)
    response = StreamingHttpResponse(to_csv(columns, rows), content_type="text/csv; charset=utf-8")
    name = f"{campaign.pk}-examination-{row.pk}-{kind}.csv"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
