"""An organiser's pages of a campaign that runs: watch it, decide, export."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Case, Value, When
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from askpoint.arena.server.books import quick_problems
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.pseudonyms import by_name, by_pseudonym
from askpoint.arena.server.campaigns.records import terms_of
from askpoint.arena.server.examinations.models import SampleCase
from askpoint.arena.server.judges.services import forget_image
from askpoint.arena.server.organisers.accuracies import accuracies_of
from askpoint.arena.server.organisers.decisions import decide_case_of
from askpoint.arena.server.organisers.drift import drift_of, noise_floor
from askpoint.arena.server.organisers.exports import (
    columns_of,
    records_of,
    rows_of,
    to_jsonl,
    zip_export,
)
from askpoint.arena.server.organisers.figures import figures_of, judge_lines, player_lines
from askpoint.arena.server.probes.models import Probe
from askpoint.arena.server.rulings.access import for_organiser
from askpoint.arena.server.rulings.held_pay import doubts_about
from askpoint.arena.server.rulings.models import Ruling
from askpoint.arena.server.tags.figures import tag_figures
from askpoint.errors import AskpointError
from askpoint.judges.methods.dawid_skene import FEW_VOTES
from askpoint.server.classifiers.cases import image_of
from askpoint.server.health import jobs_health, model_health
from askpoint.server.images.serving import image_there, send_image
from askpoint.server.labelling.covers import check_uncovered, cover_of
from askpoint.server.spreadsheets import to_csv

__all__ = ["case_to_decide", "cases", "decide_image", "export", "forget", "watch"]

_ON_A_PAGE = 100
_FEW = 20


@require_GET
@for_organiser
def watch(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show how a campaign goes."""
    accuracies = accuracies_of(campaign)
    page = {
        "campaign": campaign,
        "figures": figures_of(campaign),
        "tags": tag_figures(campaign) if campaign.kind == "tags" else None,
        "players": player_lines(campaign),
        "judges": [
            (line, list(zip(accuracies.labels, accuracies.of(line.name), strict=True)))
            for line in judge_lines(campaign)
        ],
        "accuracies": accuracies,
        "few": FEW_VOTES,
        "terms": terms_of(campaign.terms),
        "wrong": quick_problems(campaign),
        "drift": drift_of(campaign),
        "blurred": noise_floor(campaign),
        "model": model_health(campaign.classifier),
        "jobs": jobs_health(),
        "stops": campaign.classifier.set_aside.order_by("-at")[:_FEW],
    }
    return render(request, "organisers/watch.html", page)


@require_GET
@for_organiser
def cases(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """List the submitted cases, first those that wait for the organiser."""
    waiting = Ruling.objects.filter(campaign=campaign, state__in=["referred", "appealed"])
    found = (
        Probe.objects.filter(campaign=campaign)
        .exclude(submitted=None)
        .select_related("player__user")
        .order_by(
            Case(When(pk__in=waiting.values("pk"), then=Value(0)), default=Value(1)),
            "-submitted",
        )
    )
    page = Paginator(found, _ON_A_PAGE).get_page(request.GET.get("page"))
    rulings = Ruling.objects.filter(campaign=campaign).in_bulk([row.pk for row in page])
    lines = [(row, rulings[row.pk]) for row in page]
    context = {"campaign": campaign, "lines": lines, "page": page}
    return render(request, "organisers/cases.html", context)


def _case(campaign: Campaign, name: str) -> Probe | SampleCase:
    rows = Probe.objects.filter(campaign=campaign).exclude(submitted=None)
    row = rows.select_related("player__user").filter(pk=name).first()
    row = row or SampleCase.objects.filter(ruling__campaign=campaign, ruling=name).first()
    if row is None:
        raise Http404
    return row


@for_organiser
def case_to_decide(request: HttpRequest, campaign: Campaign, name: str) -> HttpResponse:
    """Show a case with its votes; decide it where that is the organiser's."""
    row = _case(campaign, name)
    if request.method == "POST":
        try:
            check_uncovered(request, campaign, name)
            decide_case_of(campaign.pk, name, request.POST.get("choice", ""))
        except AskpointError as error:
            messages.error(request, str(error))
        return redirect("decide", campaign.pk, name)
    rulings = Ruling.objects.filter(campaign=campaign).prefetch_related("votes")
    ruling = rulings.get(pk=name)
    page = {"campaign": campaign, "row": row, "ruling": ruling, "votes": ruling.votes.all()}
    page["covered"] = cover_of(request, campaign, name)
    if ruling.state == "referred" and isinstance(row, Probe):
        page["doubts"] = doubts_about(campaign, row, ruling)
    if image_there(campaign.pk, row.case):
        page["image_url"] = reverse("decide-image", args=[campaign.pk, name])
    if row.probabilities:  # none where a tag is challenged
        page["answers"] = list(zip(ruling.options, row.probabilities, strict=True))
    return render(request, "organisers/case.html", page)


@require_GET
@for_organiser
def decide_image(request: HttpRequest, campaign: Campaign, name: str) -> HttpResponse:
    """Send the image that a case is, uncovered."""
    row = _case(campaign, name)
    if cover_of(request, campaign, name):
        raise PermissionDenied
    return send_image(campaign.pk, row.case)


@require_POST
@for_organiser
def forget(request: HttpRequest, campaign: Campaign, name: str) -> HttpResponse:
    """Delete the image that a case is, for good."""
    image = image_of(_case(campaign, name).case)
    if image is None:
        raise Http404
    forget_image(campaign.pk, image["sha256"])
    messages.info(request, "The image is deleted. What was ruled and paid stays.")
    return redirect("decide", campaign.pk, name)


@require_GET
@for_organiser
def export(request: HttpRequest, campaign: Campaign, kind: str) -> HttpResponseBase:
    """Send all as JSON lines, or the cases as CSV, images beside it; by names where it is asked for."""
    called = by_name if request.GET.get("names") == "real" else by_pseudonym(campaign.pk)
    if kind == "zip":
        if campaign.classifier.cases != "image":
            raise Http404
        return FileResponse(
            zip_export(campaign, called), as_attachment=True, filename=f"{campaign.pk}.zip"
        )
    if kind == "jsonl":
        lines, mime = to_jsonl(records_of(campaign, called)), "application/jsonl"
    else:
        lines, mime = to_csv(columns_of(campaign), rows_of(campaign, called)), "text/csv"
    response = StreamingHttpResponse(lines, content_type=f"{mime}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{campaign.pk}.{kind}"'
    return response
