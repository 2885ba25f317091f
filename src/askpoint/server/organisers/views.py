"""An organiser's pages: make a campaign, watch it, invite, decide, export."""

from __future__ import annotations

import json
import secrets
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Case, Value, When
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

import askpoint.server.campaigns.services as services
from askpoint.errors import AskpointError
from askpoint.game.terms import Sought, Terms
from askpoint.judges.dawid_skene import FEW_VOTES
from askpoint.measures.costs import CostMatrix
from askpoint.server.accounts.models import Invitation
from askpoint.server.accounts.services import invite, token_of
from askpoint.server.campaigns.models import Campaign
from askpoint.server.campaigns.records import terms_of
from askpoint.server.classifiers.models import Classifier
from askpoint.server.classifiers.services import read_features, register
from askpoint.server.examinations.models import SampleCase
from askpoint.server.jobs.models import Job
from askpoint.server.jobs.services import add_job
from askpoint.server.judges.services import add_gold
from askpoint.server.organisers.accuracies import accuracies_of
from askpoint.server.organisers.decisions import decide_case_of
from askpoint.server.organisers.exports import COLUMNS, records_of, rows_of, to_jsonl
from askpoint.server.organisers.figures import figures_of, judge_lines, player_lines
from askpoint.server.organisers.forms import CampaignForm, JudgingForm, ModelForm, TermsForm
from askpoint.server.organisers.works import ENOUGH
from askpoint.server.players.words import rules_of
from askpoint.server.probes.models import Probe
from askpoint.server.rulings.access import for_organiser, for_organisers
from askpoint.server.rulings.models import Ruling
from askpoint.server.rulings.pools import change_standing
from askpoint.server.spreadsheets import to_csv

__all__ = [
    "budget",
    "case_to_decide",
    "cases",
    "export",
    "judging",
    "new_campaign",
    "new_model",
    "people",
    "standing",
    "terms",
    "watch",
    "what",
]

_ON_A_PAGE = 100


@for_organisers
def new_model(request: HttpRequest) -> HttpResponse:
    """Register a model, after it answered a trial case as expected."""
    form = ModelForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        try:
            features = read_features(given["features"])
            row = register(
                request.user,
                name=given["name"],
                adapter=given["adapter"],
                target=given["target"].strip(),
                classes=[name.strip() for name in given["classes"].split(",") if name.strip()],
                trial=_row(given["trial"]) if features else given["trial"],
                expected=given["expected"].strip(),
                features=features,
                seconds=given["seconds"],
            )
        except AskpointError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, f"“{row.name}” answered as expected.")
            return redirect("new-campaign")
    return _form(request, "organisers/model.html", {"form": form})


def _row(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return {}


def _form(request: HttpRequest, template: str, page: dict[str, Any]) -> HttpResponse:
    wrong = request.method == "POST"
    return render(request, template, page, status=422 if wrong else 200)


@for_organisers
def new_campaign(request: HttpRequest) -> HttpResponse:
    """First step: what to look for, and against which model."""
    if not Classifier.objects.filter(owner=request.user).exists():
        return redirect("new-model")
    form = CampaignForm(request.user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        classes = given["classifier"].classes
        plain = Terms(CostMatrix.zero_one(classes), sought=Sought(classes[-1], classes[0]))
        row = services.make_campaign(
            request.user,
            title=given["title"],
            classifier=given["classifier"],
            wanted=given["wanted"],
            terms=plain,
        )
        return redirect("terms", row.pk)
    return _form(request, "organisers/new.html", {"form": form, "step": 1})


@for_organiser
def what(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """First step again: correct what a draft looks for."""
    initial = {
        "title": campaign.title,
        "wanted": campaign.wanted,
        "classifier": campaign.classifier,
    }
    form = CampaignForm(request.user, request.POST or None, initial=initial)
    form.fields["classifier"].disabled = True
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        try:
            services.change_draft(campaign.pk, title=given["title"], wanted=given["wanted"])
        except AskpointError as error:
            form.add_error(None, str(error))
        else:
            return redirect("terms", campaign.pk)
    return _form(request, "organisers/new.html", {"campaign": campaign, "form": form, "step": 1})


@for_organiser
def terms(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Second step: costs, prices, designs."""
    form = TermsForm(terms_of(campaign.terms), campaign.warning, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            services.change_draft(
                campaign.pk, form.terms(), warning=form.cleaned_data["warning"], simulated=None
            )
        except AskpointError as error:
            form.add_error(None, str(error))
        else:
            return redirect("judging", campaign.pk)
    page = {"campaign": campaign, "form": form, "step": 2}
    return _form(request, "organisers/terms.html", page)


@for_organiser
def judging(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Third step: training and gold items."""
    kept = campaign.training.all()
    lines = [f"{it.truth} | {_line(it.case)} | {it.why}" for it in kept]
    initial = {
        "guide": campaign.guide,
        "reference": "\n".join(campaign.reference),
        "training": "\n".join(lines),
    }
    form = JudgingForm(campaign.classifier, request.POST or None, initial=initial)
    for name in initial:
        form.fields[name].disabled = campaign.state != "draft"
    if request.method == "POST" and form.is_valid():
        try:
            if campaign.state == "draft":
                lines = form.cleaned_data["reference"].splitlines()
                reference = [line.strip() for line in lines if line.strip()]
                guide = form.cleaned_data["guide"]
                services.change_draft(campaign.pk, guide=guide, reference=reference)
                services.set_training(campaign.pk, form.cleaned_data["training"])
            for case, truth, _ in form.cleaned_data["gold"]:
                add_gold(campaign.pk, case, truth)
        except AskpointError as error:
            form.add_error(None, str(error))
        else:
            return redirect("budget", campaign.pk)
    n_gold = campaign.rulings.filter(kind="gold").count()
    page = {"campaign": campaign, "form": form, "step": 3, "n_gold": n_gold}
    return _form(request, "organisers/judging.html", page)


def _line(case: Any) -> str:
    return " ".join(case.split()) if isinstance(case, str) else json.dumps(case)


@for_organiser
def budget(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Last step: what it may cost, funds, and open or closed."""
    problem = ""
    if request.method == "POST":
        problem = _change_budget(request, campaign)
        if not problem:
            return redirect("budget", campaign.pk)
    found = terms_of(campaign.terms)
    running = Job.objects.filter(kind="simulate", about=campaign.pk, done=None).exists()
    page = {
        "campaign": campaign,
        "terms": found,
        "step": 4,
        "left": services.budget_left(campaign),
        "most": found.most_promised,
        "rules": rules_of(found),
        "running": running,
        "problem": problem,
        "points": request.POST.get("points"),
        "enough": ENOUGH,
        "judged": Probe.objects.filter(campaign=campaign, state="judged").count(),
        "key": secrets.token_hex(8),
        "n_training": found.protocol.training_items,
        "n_gold": campaign.rulings.filter(kind="gold").count(),
    }
    return render(request, "organisers/budget.html", page, status=422 if problem else 200)


def _change_budget(request: HttpRequest, campaign: Campaign) -> str:
    """Do what a form asks for; what was wrong with it."""
    action = request.POST.get("action", "")
    try:
        if action == "simulate":
            add_job("simulate", campaign.pk)
        elif action in ("open", "close"):
            services.change_state(campaign.pk, action)
        elif action in ("add", "return"):
            given = request.POST.get("points", "").strip()
            points = int(given) if given.isdecimal() and len(given) < 12 else 0
            if not points:
                return "give a whole number of points, 1 or more"
            sign = 1 if action == "add" else -1
            services.fund(campaign.pk, sign * points, request.POST.get("key", "")[:40])
    except AskpointError as error:
        rule = getattr(error, "rule", "")
        if rule == "overdrawn":
            return f"the budget holds {services.budget_left(campaign):,} points, and no more"
        if rule != "posted-before":  # the second of two clicks
            return str(error)
    return ""


@require_GET
@for_organiser
def watch(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show how a campaign goes."""
    accuracies = accuracies_of(campaign)
    page = {
        "campaign": campaign,
        "figures": figures_of(campaign),
        "players": player_lines(campaign),
        "judges": [
            (line, list(zip(accuracies.labels, accuracies.of(line.name), strict=True)))
            for line in judge_lines(campaign)
        ],
        "accuracies": accuracies,
        "few": FEW_VOTES,
        "terms": terms_of(campaign.terms),
    }
    return render(request, "organisers/watch.html", page)


@for_organiser
def people(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Invite players and judges; see which links wait."""
    if request.method == "POST":
        role, link = request.POST.get("role", ""), request.POST.get("withdraw", "")
        if link.isdecimal():
            mine = Invitation.objects.filter(campaign=campaign.pk, used=None, pk=link)
            mine.update(expires=timezone.now())
        elif role in ("player", "judge"):
            note = request.POST.get("note", "")[:200]
            invite(role, campaign=campaign.pk, made_by=request.user, note=note)
        return redirect("people", campaign.pk)
    waiting = Invitation.objects.filter(campaign=campaign.pk, used=None, expires__gt=timezone.now())
    links = [
        (it, request.build_absolute_uri(reverse("invitation", args=[token_of(it)])))
        for it in waiting.order_by("-made")
    ]
    page = {
        "campaign": campaign,
        "links": links,
        "players": player_lines(campaign),
        "judges": judge_lines(campaign),
    }
    return render(request, "organisers/people.html", page)


@require_POST
@for_organiser
def standing(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Shut a person out of a campaign, or let them in again."""
    role, name = request.POST.get("role", ""), request.POST.get("name", "")
    pool = campaign.players if role == "player" else campaign.judges
    if role not in ("player", "judge") or not pool.filter(user__username=name).exists():
        raise Http404
    change_standing(campaign.pk, name, role, barred=request.POST.get("action") == "bar")
    return redirect("people", campaign.pk)


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
    rulings = Ruling.objects.in_bulk([row.pk for row in page])
    lines = [(row, rulings[row.pk]) for row in page]
    context = {"campaign": campaign, "lines": lines, "page": page}
    return render(request, "organisers/cases.html", context)


@for_organiser
def case_to_decide(request: HttpRequest, campaign: Campaign, name: str) -> HttpResponse:
    """Show a case with its votes; decide it where that is the organiser's."""
    rows = Probe.objects.filter(campaign=campaign).exclude(submitted=None)
    row = rows.select_related("player__user").filter(pk=name).first()
    row = row or SampleCase.objects.filter(ruling__campaign=campaign, ruling=name).first()
    if row is None:
        raise Http404
    if request.method == "POST":
        try:
            decide_case_of(campaign.pk, name, request.POST.get("choice", ""))
        except AskpointError as error:
            messages.error(request, str(error))
        return redirect("decide", campaign.pk, name)
    ruling = Ruling.objects.prefetch_related("votes").get(pk=name)
    page = {"campaign": campaign, "row": row, "ruling": ruling, "votes": ruling.votes.all()}
    page["answers"] = list(zip(ruling.options, row.probabilities, strict=True))
    return render(request, "organisers/case.html", page)


@require_GET
@for_organiser
def export(request: HttpRequest, campaign: Campaign, kind: str) -> StreamingHttpResponse:
    """Send all there is as JSON lines, or the cases as CSV."""
    del request
    if kind == "jsonl":
        lines, mime = to_jsonl(records_of(campaign)), "application/jsonl"
    else:
        lines, mime = to_csv(COLUMNS, rows_of(campaign)), "text/csv"
    response = StreamingHttpResponse(lines, content_type=f"{mime}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{campaign.pk}.{kind}"'
    return response
