"""An organiser's pages, step by step: a model, a campaign, its terms, its judging, its budget."""

from __future__ import annotations

import json
import secrets
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

import askpoint.arena.server.campaigns.services as services
from askpoint.arena.game.challenge import tag_terms
from askpoint.arena.game.reward import BY_REPEATS
from askpoint.arena.game.terms import LEAST_LOOK, CampaignTerms, Sought, campaign_protocol
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.records import terms_of
from askpoint.arena.server.judges.services import add_gold
from askpoint.arena.server.organisers.campaign_jobs import ENOUGH
from askpoint.arena.server.organisers.forms import CampaignForm, JudgingForm, TermsForm
from askpoint.arena.server.organisers.item_images import list_item_images
from askpoint.arena.server.organisers.model_form import ModelForm
from askpoint.arena.server.players.words import rules_of
from askpoint.arena.server.probes.models import Probe
from askpoint.arena.server.rulings.access import for_organiser
from askpoint.arena.server.tags.words import tag_rules
from askpoint.errors import AskpointError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.server.accounts.access import for_organisers
from askpoint.server.accounts.second_factor import with_fresh_factor
from askpoint.server.classifiers.cases import image_of
from askpoint.server.classifiers.models import Classifier
from askpoint.server.form_pages import explain_refusal_on, show_form
from askpoint.server.jobs.models import Job
from askpoint.server.jobs.services import add_job

__all__ = ["budget", "judging", "new_campaign", "new_model", "terms", "what"]


@for_organisers
def new_model(request: HttpRequest) -> HttpResponse:
    """Register a model, after it answered a trial case as expected."""
    form = ModelForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        with explain_refusal_on(form):
            row = form.keep(request.seat.workspace_id, request.user)
            messages.success(request, f"“{row.name}” answered as expected.")
            return redirect("new-campaign")
    return show_form(request, "organisers/model.html", {"form": form})


@for_organisers
def new_campaign(request: HttpRequest) -> HttpResponse:
    """First step: what to look for, and against which model."""
    models = Classifier.within(request.seat.workspace)
    if not models.exists():
        return redirect("new-model")
    form = CampaignForm(models, request.POST or None)
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        classes = given["classifier"].classes
        plain = CampaignTerms(CostMatrix.zero_one(classes), sought=Sought(classes[-1], classes[0]))
        plain = replace(plain, protocol=campaign_protocol(least_look=LEAST_LOOK))
        if given["classifier"].adapter == "chat":
            plain = replace(plain, scheme=BY_REPEATS, boundary_pay=True)
        kind = given["kind"] or "cases"
        if kind == "tags":
            if given["classifier"].cases != "text":
                form.add_error("classifier", "items are texts, and this model takes others")
                return show_form(request, "organisers/new.html", {"form": form, "step": 1})
            plain = tag_terms(protocol=plain.protocol, labels=classes)
        row = services.make_campaign(
            request.user,
            title=given["title"],
            classifier=given["classifier"],
            wanted=given["wanted"],
            terms=plain,
            kind=kind,
        )
        return redirect("items" if kind == "tags" else "terms", row.pk)
    return show_form(request, "organisers/new.html", {"form": form, "step": 1})


@for_organiser
def what(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """First step again: correct what a draft looks for."""
    initial = {
        "title": campaign.title,
        "wanted": campaign.wanted,
        "classifier": campaign.classifier,
        "kind": campaign.kind,
    }
    models = Classifier.within(campaign.workspace_id)
    form = CampaignForm(models, request.POST or None, initial=initial)
    form.fields["classifier"].disabled = form.fields["kind"].disabled = True
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        with explain_refusal_on(form):
            services.change_draft(campaign.pk, title=given["title"], wanted=given["wanted"])
            return redirect("items" if campaign.kind == "tags" else "terms", campaign.pk)
    return show_form(
        request, "organisers/new.html", {"campaign": campaign, "form": form, "step": 1}
    )


@for_organiser
def terms(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Second step: costs, prices, designs; or the items of a tag challenge."""
    if campaign.kind == "tags":
        return redirect("items", campaign.pk)
    repeats = campaign.classifier.adapter == "chat"
    kept = terms_of(campaign.terms)
    form = TermsForm(kept, campaign.warning, request.POST or None, repeats=repeats)
    if request.method == "POST" and form.is_valid():
        with explain_refusal_on(form):
            services.change_draft(
                campaign.pk, form.terms(), warning=form.cleaned_data["warning"], simulated=None
            )
            return redirect("judging", campaign.pk)
    page = {"campaign": campaign, "form": form, "step": 2}
    return show_form(request, "organisers/terms.html", page)


@for_organiser
def judging(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Third step: training and gold items."""
    kept = campaign.training.all()
    lines = [f"{item.truth} | {_line(item.case)} | {item.why}" for item in kept]
    initial = {
        "guide": campaign.guide,
        "reference": "\n".join(campaign.reference),
        "training": "\n".join(lines),
    }
    form = JudgingForm(
        campaign,
        request.POST or None,
        request.FILES or None,
        initial=initial,
        labels=campaign.kind == "tags",
    )
    for name in (*initial, "training_file"):
        form.fields[name].disabled = campaign.state != "draft"
    if request.method == "POST" and form.is_valid():
        with explain_refusal_on(form):
            form.keep_images(request.user)
            if campaign.state == "draft":
                lines = form.cleaned_data["reference"].splitlines()
                reference = [line.strip() for line in lines if line.strip()]
                guide = form.cleaned_data["guide"]
                services.change_draft(campaign.pk, guide=guide, reference=reference)
                services.set_training(campaign.pk, form.cleaned_data["training"])
            for case, truth, _ in form.cleaned_data["gold"]:
                add_gold(campaign.pk, case, truth)
            return redirect("joining" if campaign.state == "draft" else "budget", campaign.pk)
    n_gold = campaign.rulings.filter(purpose="gold").count()
    page = {"campaign": campaign, "form": form, "step": 3, "n_gold": n_gold}
    page["images"] = list_item_images(campaign)
    return show_form(request, "organisers/judging.html", page)


def _line(case: Any) -> str:
    image = image_of(case)
    if image is not None:
        return str(image["sha256"])
    if isinstance(case, str):
        return " ".join(case.split())
    return json.dumps(case).replace("|", "\\u007c")  # which sets the parts of a line apart


@for_organiser
@with_fresh_factor
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
        "step": 5,
        "left": services.budget_left(campaign),
        "most": found.most_promised,
        "rules": (tag_rules if campaign.kind == "tags" else rules_of)(found),
        "running": running,
        "problem": problem,
        "points": request.POST.get("points"),
        "enough": ENOUGH,
        "judged": Probe.objects.filter(campaign=campaign, state="judged").count(),
        "key": secrets.token_hex(8),
        "n_training": found.protocol.training_items,
        "n_gold": campaign.rulings.filter(purpose="gold").count(),
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
            services.fund(
                campaign.pk, sign * points, request.POST.get("key", "")[:40], request.user
            )
    except AskpointError as error:
        rule = getattr(error, "rule", "")
        if rule == "overdrawn":
            return f"the budget holds only {services.budget_left(campaign):,} points"
        if rule != "posted-before":  # the second of two clicks
            return str(error)
    return ""
