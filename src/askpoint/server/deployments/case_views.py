"""Pages of decided cases: the list with its filters, and one case with its decision record."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from askpoint.errors import AskpointError, RuleError
from askpoint.labelling.case import GOLD
from askpoint.server.deployments.access import for_case_reader, for_owner, part_of
from askpoint.server.deployments.agreed_gold import find_truth, make_gold_of
from askpoint.server.deployments.case_counts import count_cases
from askpoint.server.deployments.case_files import case_lines
from askpoint.server.deployments.case_filters import (
    FILTERS,
    CaseFilter,
    classes_of,
    groups_of,
    parse_filter,
    regions_of,
)
from askpoint.server.deployments.case_lists import list_cases, neighbours_of, parse_place
from askpoint.server.deployments.case_readings import count_readings
from askpoint.server.deployments.case_records import case_record
from askpoint.server.deployments.case_rulings import rule_on_case, rulings_of
from askpoint.server.deployments.cases import cases_of
from askpoint.server.deployments.decision_log import leases_out, prove_case, sign_log
from askpoint.server.deployments.label_files import KINDS
from askpoint.server.deployments.labelling import forget
from askpoint.server.deployments.models import Deployment
from askpoint.server.deployments.policy_state import document_of
from askpoint.server.deployments.rows import moment_of
from askpoint.server.deployments.second_opinions import ask_second_opinions, list_opinions
from askpoint.server.images.serving import send_image
from askpoint.server.journal.services import note

__all__ = ["export_cases", "show_case", "show_cases", "show_image", "show_log"]

_HEADS = 30


@require_GET
@for_case_reader
def show_cases(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """List decided cases, the newest first."""
    before = parse_place(request.GET["before"]) if "before" in request.GET else None
    if "before" in request.GET and before is None:
        raise Http404
    try:
        which = parse_filter(deployment, request.GET)
        if which is None:
            raise Http404
        found = list_cases(deployment, which, before)
    except RuleError as error:
        page = {"deployment": deployment, "owns": _owns(request, deployment), "problem": error}
        return render(request, "deployments/cases.html", page)
    used = deployment.policies.exclude(adopted=None)
    counts = count_cases(deployment, which)
    count_readings(deployment, request.user.username, found.rows)
    page = {
        "deployment": deployment,
        "owns": _owns(request, deployment),
        "filters": [
            (name, word, replace(which, show=name).to_query(), counts.get(name))
            for name, word in FILTERS.items()
        ],
        "which": which,
        "word": FILTERS[which.show],
        "versions": used.order_by("-number").values_list("number", flat=True),
        "regions": list(regions_of(deployment)),
        "classes": classes_of(deployment),
        "groups": groups_of(deployment),
        "found": found,
        "query": which.to_query(),
        "older": "" if found.older is None else which.to_query(before=found.older),
        "goes_on": before is not None,
    }
    return render(request, "deployments/cases.html", page)


@require_GET
@for_case_reader
def export_cases(request: HttpRequest, deployment: Deployment, kind: str) -> HttpResponse:
    """Send the cases of a filter as CSV or JSON lines, with their contents."""
    which = None
    if kind in KINDS:
        try:
            which = parse_filter(deployment, request.GET)
            if which is not None:
                list_cases(
                    deployment, which
                )  # what cannot be listed is said before anything is sent
        except RuleError as error:
            page = {"deployment": deployment, "owns": _owns(request, deployment), "problem": error}
            return render(request, "deployments/cases.html", page, status=422)
    if which is None:
        raise Http404
    narrowed = ", ".join([FILTERS[which.show].lower(), *which.words])
    note("exported", campaign=deployment.pk, about=f"cases: {narrowed}", kind=kind)
    lines = case_lines(deployment, which, kind)
    response = StreamingHttpResponse(lines, content_type=f"{KINDS[kind]}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{deployment.pk}-cases.{kind}"'
    return response


@for_case_reader
def show_case(request: HttpRequest, deployment: Deployment, key: str) -> HttpResponse:
    """Show one case and send its decision record; an owner may delete its content, and the record stays."""
    record = case_record(deployment, key)
    if record is None:
        raise Http404
    if request.method == "POST" and "record" in request.POST:
        try:
            return _download(prove_case(deployment.pk, key).to_json(), "decision-record.json")
        except AskpointError as error:
            messages.error(request, str(error))
            return redirect(request.get_full_path())
    if request.method == "POST" and ("opinion" in request.POST or "gold" in request.POST):
        try:
            if "gold" in request.POST:
                make_gold_of(deployment.pk, key)
                messages.success(request, "It is a gold case: reviewers get a copy, unmarked.")
            else:
                ask_second_opinions(deployment.pk, [key])
                messages.success(request, "It goes to a reviewer who has not seen it.")
        except AskpointError as error:
            messages.error(request, str(error))
        return redirect(request.get_full_path())
    if request.method == "POST" and "ruling" in request.POST:
        try:
            given = request.POST
            rule_on_case(deployment.pk, request.user, key, given["ruling"], given.get("why", ""))
            messages.success(request, "The ruling is kept with the label.")
        except AskpointError as error:
            messages.error(request, str(error))
        return redirect(request.get_full_path())
    if request.method == "POST":
        with transaction.atomic():
            if forget(deployment.pk, [key]):
                note("content deleted", campaign=deployment.pk, about=key)
                messages.success(request, "The content is deleted. The decision record stays.")
        return redirect(request.get_full_path())
    try:
        which = parse_filter(deployment, request.GET) or CaseFilter()
        newer, older = neighbours_of(deployment, which, record.place)
    except RuleError:  # an old address; the case is still there
        which = CaseFilter()
        newer, older = neighbours_of(deployment, which, record.place)
    count_readings(deployment, request.user.username, [record])
    page = {"deployment": deployment, "owns": _owns(request, deployment), "record": record}
    page["which"] = which
    page |= {"query": which.to_query(), "newer": newer, "older": older, "word": FILTERS[which.show]}
    rulings = list(rulings_of(deployment, [key]))
    page |= {"rulings": rulings, "stands": rulings[-1] if rulings else record.label}
    page["classes"] = document_of(record.receipt.policy).model["classes"]
    if record.case is not None:
        page["votes"] = record.case.votes.all()
        appeals = list(record.case.appeals.all())
        page |= {"appeals": appeals, "asked": any(one.answered is None for one in appeals)}
        page["opinions"] = list_opinions(deployment, record.case)
        page["remarks"] = record.case.remarks.all()
        page["becomes_gold"] = find_truth(deployment, key) is not None
        page["is_gold"] = cases_of(deployment).filter(purpose=GOLD, source=record.case.pk).exists()
    return render(request, "deployments/case_record.html", page)


@require_GET
@for_case_reader
def show_image(request: HttpRequest, deployment: Deployment, name: str) -> HttpResponse:
    """Send an image that a case is."""
    del request
    if not cases_of(deployment).filter(content__image__sha256=name).exists():
        raise Http404
    return send_image(deployment.pk, {"image": {"sha256": name}})


@for_owner
def show_log(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Show the log's signed heads and the leases that are out; sign it as it is now, and send the head."""
    policy = deployment.policies.filter(number=deployment.adopted).first()
    if request.method == "POST":
        try:
            return _download(sign_log(deployment.pk).to_json(), f"{deployment.pk}-head.json")
        except AskpointError as error:
            messages.error(request, str(error))
            return redirect("decision-log", deployment.pk)
    page: dict[str, Any] = {"deployment": deployment, "owns": True, "policy": policy}
    if policy is not None:
        heads = policy.heads.order_by("-size")[:_HEADS]
        page["heads"] = [(moment_of(head.at), head) for head in heads]
        page["leases"] = [(moment_of(one.expires), one) for one in leases_out(deployment)]
    return render(request, "deployments/decision_log.html", page)


def _owns(request: HttpRequest, deployment: Deployment) -> bool:
    return part_of(request.user, deployment.pk, "owner") is not None


def _download(text: str, name: str) -> HttpResponse:
    response = HttpResponse(text, content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
