"""The owner's pages: what is asked, of whom, how people differ, and what holds."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

import askpoint.server.questionnaires.services as services
from askpoint.errors import AskpointError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.reports.words import amount
from askpoint.server.deployments.access import for_owner
from askpoint.server.deployments.models import Deployment
from askpoint.server.deployments.policy_state import document_of
from askpoint.server.form_pages import explain_refusal_on
from askpoint.server.questionnaires.forms import PeopleForm, QuestionsForm, SettleForm
from askpoint.server.questionnaires.models import Interview, Questionnaire
from askpoint.server.questionnaires.question_pages import (
    costs_beside_each_other,
    marked_name,
    unreliable_signals,
)

__all__ = ["costs_file", "questionnaire", "questionnaires"]

_MOST = 2**31 - 1


@for_owner
def questionnaires(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """List the questionnaires, and make another one."""
    newest = deployment.policies.order_by("-number").first()
    classes = [] if newest is None else document_of(newest).model["classes"]
    form = QuestionsForm(request.POST or None, request.FILES or None, classes=classes)
    if request.method == "POST" and form.is_valid():
        with explain_refusal_on(form):
            made = form.keep(deployment.pk, request.user)
            return redirect("questionnaire", deployment.pk, made.number)
    page = {
        "deployment": deployment,
        "owns": True,
        "form": form,
        "rows": deployment.questionnaires.defer("rows").order_by("-number"),
    }
    wrong = request.method == "POST"
    return render(request, "questionnaires/list.html", page, status=422 if wrong else 200)


def _row(deployment: Deployment, number: int) -> Questionnaire:
    rows = deployment.questionnaires.defer("rows")
    found = rows.filter(number=min(number, _MOST)).first()
    if found is None:
        raise Http404
    found.deployment = deployment
    return found


@for_owner
def questionnaire(request: HttpRequest, deployment: Deployment, number: int) -> HttpResponse:
    """Show who was asked and what they say; settle, and put to use."""
    row = _row(deployment, number)
    given = request.POST
    names = PeopleForm(given if "names" in given else None)
    form = SettleForm(row, given if "why" in given and "use" not in given else None)
    if request.method == "POST":
        try:
            to = _change(request, row, names, form)
            if to:
                return redirect(*to)
        except AskpointError as error:
            messages.error(request, str(error))
    page = {
        "deployment": deployment,
        "owns": True,
        "row": row,
        "names": names,
        "form": form,
        **_people(request, row),
    }
    wrong = request.method == "POST"
    return render(request, "questionnaires/questionnaire.html", page, status=422 if wrong else 200)


def _change(
    request: HttpRequest, row: Questionnaire, names: PeopleForm, form: SettleForm
) -> tuple[Any, ...]:
    """Do what was sent; where to go then, nowhere if it could not be read."""
    given, here = request.POST, ("questionnaire", row.deployment_id, row.number)
    if "revoke" in given:
        key = given["revoke"]
        if key.isdecimal() and len(key) < 10:
            services.revoke(row, int(key))
        return here
    if "delete" in given:
        services.delete_questionnaire(row)
        return "questionnaires", row.deployment_id
    if "use" in given:
        made = services.use_costs(
            row, request.user, given.get("why", ""), labels_are_random="random" in given
        )
        return "policy", row.deployment_id, made.number
    if "names" in given:
        if not names.is_valid():
            return ()
        names.keep(row)
        return here
    if not form.is_valid():
        return ()
    services.settle(row, request.user, int(form.cleaned_data["person"]), form.cleaned_data["why"])
    messages.success(request, "These costs are now in use.")
    return here


def _people(request: HttpRequest, row: Questionnaire) -> dict[str, Any]:
    people = list(row.interviews.all())
    chosen = next((one for one in people if one.number == row.chosen), None)
    page: dict[str, Any] = {
        "people": [(one, _link(request, one), unreliable_signals(one)) for one in people],
        "beside": costs_beside_each_other(people),
        "outcomes": [
            (
                marked_name(one),
                *(round(1000 * one.found["outcome"][key]) for key in ("wrong", "asked")),
            )
            for one in people
            if one.found and one.found["outcome"]
        ],
        "chosen": chosen,
    }
    if chosen is not None:
        costs = CostMatrix.from_json(chosen.costs)
        page["price"] = amount(1 / services.price_of(chosen.costs))
        page["alike"] = costs.one_price is not None
    return page


def _link(request: HttpRequest, one: Interview) -> str:
    return request.build_absolute_uri(reverse("questions", args=[services.token_of(one)]))


@require_GET
@for_owner
def costs_file(
    request: HttpRequest, deployment: Deployment, number: int, person: int
) -> HttpResponse:
    """Send somebody's costs.json, as `askpoint elicit` writes it."""
    del request
    row = _row(deployment, number)
    found = row.interviews.filter(number=min(person, _MOST)).exclude(costs="").first()
    if found is None:
        raise Http404
    response = HttpResponse(found.costs, content_type="application/json")
    response["Content-Disposition"] = 'attachment; filename="costs.json"'
    return response
