"""Pages of an agent: how it stands, a unit, an approver, golden actions, who has a part."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from askpoint.errors import AskpointError
from askpoint.live.licences.action_classes import ActionClass
from askpoint.live.licences.certificate import grant_bound
from askpoint.live.licences.policy import LicencePolicy
from askpoint.live.licences.standings import UnitStatus
from askpoint.reports.approvals.approvers import one_approver_words, pivot_words, reading_words
from askpoint.reports.approvals.unit_names import unit_words
from askpoint.reports.document import Section
from askpoint.server.accounts.access import for_organisers
from askpoint.server.accounts.many_links import link_of, send_links
from askpoint.server.accounts.services import waiting, withdraw_link
from askpoint.server.clock import moment
from askpoint.server.deployments.rows import micros
from askpoint.server.form_pages import explain_refusal_on, show_form
from askpoint.server.journal.models import LogLine
from askpoint.server.labelling.models import Case, Reviewer
from askpoint.server.labelling.part_forms import LinkForm, RoleForm
from askpoint.server.licences.access import agent_part, for_agent_owner, for_agent_owner_and_viewer
from askpoint.server.licences.agents import give_agent_part, take_agent_part_away
from askpoint.server.licences.door import (
    agent_queue,
    agent_versions,
    declare_minor_version,
    revoke_unit,
    sign_house,
    sign_unit,
)
from askpoint.server.licences.evidence_lines import EvidencePicture, evidence_picture
from askpoint.server.licences.figures import (
    agent_weeks,
    approver_work,
    double_readings,
    week_figures,
)
from askpoint.server.licences.forms import (
    PARTS,
    AgentForm,
    AgentSettingsForm,
    GoldenForm,
    MinorVersionForm,
)
from askpoint.server.licences.golden import deal_golden, deal_rejected, gold_votes
from askpoint.server.licences.models import Agent, LicenceAction, LicenceUnit
from askpoint.server.licences.resolutions import remove_instance
from askpoint.server.licences.standing import agent_standing, count_waiting
from askpoint.server.licences.store import action_of, policy_of
from askpoint.server.report_sections import plain_sections

__all__ = [
    "agent",
    "agent_approver",
    "agent_golden",
    "agent_links",
    "agent_people",
    "agent_unit",
    "new_agent",
]

_SHOWN = 20
_DEALT = 20
_UNIT_EVENTS = (
    "licence earned",
    "licence carried over",
    "licence lost",
    "licence revoked",
    "licence signed",
)


@for_organisers
def new_agent(request: HttpRequest) -> HttpResponse:
    """Make an agent from its terms; it asks about everything."""
    form = AgentForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        return redirect("agent", form.make(request.seat.workspace_id, request.user).pk)
    return show_form(request, "licences/new.html", {"form": form})


@for_agent_owner_and_viewer
def agent(request: HttpRequest, agent: Agent) -> HttpResponse:
    """Show how an agent stands: its state, its units, and what they save; owners declare a minor version."""
    owns = _owns(request, agent)
    if request.method == "POST" and not owns:
        raise Http404
    form = MinorVersionForm(agent_versions(agent), request.POST or None)
    if request.method == "POST" and form.is_valid():
        version, of = form.cleaned_data["version"], form.cleaned_data["of"]
        with explain_refusal_on(form, "version"):
            declare_minor_version(agent.pk, version, of, by=request.user.username)
            messages.success(request, f"Declared: version {version} is a minor version of {of}.")
            return redirect("agent", agent.pk)
    state, units, missing = agent_standing(agent)
    policy = policy_of(agent)
    numbers = dict(LicenceUnit.objects.filter(agent=agent).values_list("name", "pk"))
    rows = [
        {
            "unit": one,
            "number": numbers[f"{one.agent} | {one.tool} | {one.name}"],
            "words": unit_words(f"{one.agent} | {one.tool} | {one.name}"),
            "missing": left,
            "never": _never_words(one, _find_class(policy, one)),
            "pivot": "" if one.pivot is None else pivot_words(one.pivot),
        }
        for one, left in zip(units, missing, strict=True)
    ]
    figures = week_figures(agent, agent_weeks(agent), policy.check)
    approvers = agent.members.filter(role="approver").values_list("user__username", flat=True)[:2]
    page = {
        "agent": agent,
        "owns": owns,
        "form": form,
        "state": state,
        "waiting": count_waiting(agent),
        "has_approvers": bool(approvers),
        "one_approver": one_approver_words(approvers[0], licenses=not policy.without_each_approver)
        if len(approvers) == 1
        else "",
        "groups": [
            (title, [row for row in rows if row["unit"].state == name])
            for title, name in (
                ("May act alone", "licensed"),
                ("Still ask", "asks"),
                ("Never alone", "never"),
            )
        ],
        "sections": plain_sections([Section("", (figures,))]),
        "delta": policy.delta,
        "never": [one for one in policy.classes if one.deny],
        "lines": [
            {"at": line.at, "what": line.what, "said": line.said, "words": unit_words(line.about)}
            for line in LogLine.objects.filter(campaign=agent.pk, what__in=_UNIT_EVENTS).order_by(
                "-at", "-pk"
            )[:8]
        ],
    }
    return show_form(request, "licences/agent.html", page)


def _find_class(policy: LicencePolicy, unit: UnitStatus) -> ActionClass | None:
    """Return the class of a unit; None where none matches."""
    found = (one for one in policy.classes if one.name == unit.name and one.covers(unit.tool))
    return next(found, None)


def _never_words(unit: UnitStatus, kind: ActionClass | None) -> str:
    """Say why a unit never acts alone; nothing of one that may."""
    if unit.state != "never":
        return ""
    if kind is None:
        return "no class of the terms matches it"
    return (
        "the terms refuse it" if kind.deny else "it cannot be undone, and nobody signed that it may"
    )


def _first_delta(policy: LicencePolicy, kind: ActionClass | None, unit: UnitStatus) -> float:
    """Return the delta at which a first licence takes what a unit's does: a later version's takes more evidence."""
    if unit.losses:
        return policy.delta_of(kind)
    return policy.delta_of(kind) * grant_bound(policy.delta_of(kind)) / unit.bound


def _owns(request: HttpRequest, agent: Agent) -> bool:
    return agent_part(request.user, agent.pk, "owner") is not None


@for_agent_owner_and_viewer
def agent_unit(request: HttpRequest, agent: Agent, number: int) -> HttpResponse:
    """Show a unit: evidence, history, what it did alone; owners revoke and sign."""
    row = LicenceUnit.objects.filter(agent=agent, pk=min(number, 2**62)).first()
    if row is None:
        raise Http404
    owns = _owns(request, agent)
    if request.method == "POST":
        if not owns:
            raise Http404
        return _act_on_unit(request, agent, row)
    standing = agent_standing(agent)
    places = [f"{one.agent} | {one.tool} | {one.name}" for one in standing.units]
    at = places.index(row.name)
    unit, left = standing.units[at], standing.missing[at]
    actions = [
        {**_describe(one), "draw": owns}
        for one in LicenceAction.objects.filter(agent=agent, unit=row.name).order_by("-n")[:_SHOWN]
    ]
    policy = policy_of(agent)
    kind = _find_class(policy, unit)
    page = {
        "agent": agent, "owns": owns, "unit": unit, "missing": left, "words": unit_words(row.name), "actions": actions,
        "pivot": "" if unit.pivot is None else pivot_words(unit.pivot),
        "needs_signature": unit.state == "asks" and bool(policy.sign or unit.losses),
        "never": _never_words(unit, kind), "kind": kind, "limit": policy.limit_of(kind), "policy": policy, "times": round(1 / unit.audit_rate),
        "picture": _draw_evidence(agent, row.name, unit, policy, kind),
        "lines": LogLine.objects.filter(campaign=agent.pk, about=row.name).order_by("-at", "-pk")[:20],
        "in_words": json.dumps(kind.to_dict().get("if"), ensure_ascii=False) if kind and kind.conditions else "",
    }  # fmt: skip
    return render(request, "licences/unit.html", page)


def _act_on_unit(request: HttpRequest, agent: Agent, row: LicenceUnit) -> HttpResponse:
    by = request.user.username
    try:
        if request.POST.get("action") == "revoke":
            revoke_unit(agent.pk, row.name, by=by, why=request.POST.get("why", "").strip())
            messages.success(
                request, "Its licence is revoked; it asks about everything from now on."
            )
        else:
            sign_unit(agent.pk, row.name, by=by)
            messages.success(
                request, "Signed: it may earn a licence, which takes evidence all the same."
            )
    except AskpointError as error:
        messages.error(request, str(error))
    return redirect("agent-unit", agent.pk, row.pk)


def _draw_evidence(
    agent: Agent, name: str, unit: UnitStatus, policy: LicencePolicy, kind: ActionClass | None
) -> EvidencePicture | None:
    """Return the picture of what people said of a unit's actions in its version, in the order of the proposals."""
    rows = LicenceAction.objects.filter(agent=agent, unit=name).order_by("-n")[:2000]
    made = [action_of(one) for one in reversed(rows)]
    said = [
        one
        for one in made
        if one.version == unit.version and (one.decision is not None or one.undone_at is not None)
    ]
    labels = [0.0 if one.decision == "approve" and one.undone_at is None else 1.0 for one in said]
    is_apart = policy.without_each_approver and policy.aim_of(kind) != "money"
    people = [(one.approver, one.decided_by) for one in said] if is_apart else []
    delta = _first_delta(policy, kind, unit)
    return evidence_picture(labels, policy.limit_of(kind), delta, people)


def _describe(row: LicenceAction) -> dict[str, Any]:
    made = action_of(row)
    said = row.arguments or "null"
    return {
        "action": made,
        "at": datetime.fromtimestamp(made.at / 1e6, UTC),
        "arguments": said if len(said) <= 120 else f"{said[:119]}…",
        "drawn": f"{made.drawn:.3f}",
    }


@for_agent_owner
def agent_people(request: HttpRequest, agent: Agent) -> HttpResponse:
    """Give parts by name, take them away; settings of checks."""
    given = request.POST
    form = RoleForm(PARTS, given if "name" in given else None)
    links = LinkForm(PARTS, *([given, request.FILES] if "part" in given else []))
    seconds = None if agent.seconds is None else f"{agent.seconds:g}"
    first = {"second": f"{100 * agent.second:.6g}", "seconds": seconds, "unit": agent.unit}
    settings = AgentSettingsForm(given if "second" in given else None, initial=first)
    if request.method == "POST":
        try:
            if "remove" in given:
                take_agent_part_away(agent.pk, given["remove"])
                return redirect("agent-people", agent.pk)
            if "instance" in given:
                remove_instance(agent.pk, given["instance"])
                return redirect("agent-people", agent.pk)
            if "withdraw" in given:
                withdraw_link(agent.pk, given["withdraw"])
                return redirect("agent-people", agent.pk)
            if links.is_bound and links.is_valid():
                links.make(agent, request.user)
                return redirect("agent-people", agent.pk)
            if settings.is_bound and settings.is_valid():
                settings.keep(agent)
                return redirect("agent-people", agent.pk)
            if form.is_bound and form.is_valid():
                give_agent_part(agent.pk, form.user, form.cleaned_data["role"])
                return redirect("agent-people", agent.pk)
        except AskpointError as error:
            messages.error(request, str(error))
    page = {
        "agent": agent, "owns": True, "form": form, "links": links, "settings": settings,
        "waiting": [(it, link_of(request, it)) for it in waiting(agent.pk)[:_SHOWN]],
        "links_file": reverse("agent-links", args=[agent.pk]),
        "rows": agent.members.select_related("user").order_by("role", "user__username"),
        "programs": agent.instances.filter(removed=None).select_related("token", "endpoint").order_by("made", "pk"),
    }  # fmt: skip
    return show_form(request, "licences/people.html", page)


@require_GET
@for_agent_owner
def agent_links(request: HttpRequest, agent: Agent) -> StreamingHttpResponse:
    """Send the links that wait as CSV."""
    return send_links(request, agent.pk)


def _readings(agent: Agent) -> dict[str, dict[str, Any]]:
    """Return what each approver's work shows, by name."""
    work = approver_work(agent, policy_of(agent).labels.fast_seconds)
    standing = {
        row.user.username: row
        for row in Reviewer.objects.filter(queue=agent_queue(agent.pk)).select_related("user")
    }
    names = set(work) | set(
        agent.members.filter(role="approver").values_list("user__username", flat=True)
    )
    found = {}
    for name in sorted(names):
        one, row = work.get(name), standing.get(name)
        seen, right = (row.gold_seen, row.gold_right) if row else (0, 0)
        is_bad, words = reading_words(
            name,
            approved=one.approved if one else 0,
            fast=one.fast if one else 0,
            seconds=one.seconds if one else None,
            gold_seen=seen,
            gold_right=right,
        )
        found[name] = {
            "name": name,
            "work": one,
            "gold_seen": seen,
            "gold_right": right,
            "is_bad": is_bad,
            "words": words,
        }
    return found


@require_GET
@for_agent_owner
def agent_approver(request: HttpRequest, agent: Agent, name: str) -> HttpResponse:
    """Show an approver's work, and whether it looks as if they read."""
    found = _readings(agent).get(name)
    if found is None:
        raise Http404
    page = {"agent": agent, "owns": True, **found, "doubles": double_readings(agent, name)}
    return render(request, "licences/approver.html", page)


def _golden_cases(agent: Agent) -> QuerySet[Case]:
    return Case.objects.filter(queue=agent_queue(agent.pk), purpose="gold")


@for_agent_owner
def agent_golden(request: HttpRequest, agent: Agent) -> HttpResponse:
    """Deal golden actions, and show what became of them."""
    form = GoldenForm(request.POST if "actions" in request.POST else None)
    if request.method == "POST":
        if "sign" in request.POST:
            sign_house(agent.pk, by=request.user.username)
            return redirect("agent-golden", agent.pk)
        try:
            if not form.is_bound:
                n = deal_rejected(agent.pk, _DEALT)
            elif form.is_valid():
                n = deal_golden(agent.pk, form.cleaned_data["actions"])
            else:
                n = -1
        except AskpointError as error:
            messages.error(request, str(error))
            n = -1
        if n >= 0:
            messages.success(
                request, f"{n} golden actions lie in the queue." if n else "There was none to deal."
            )
            return redirect("agent-golden", agent.pk)
    votes = gold_votes(agent)
    at = micros(moment(agent))
    page = {
        "agent": agent, "owns": True, "form": form, "cases": _golden_cases(agent).count(), "votes": len(votes),
        "missed": sum(is_missed for _, is_missed in votes), "readings": list(_readings(agent).values()), "at": at,
        "is_careless": bool(agent.house.get("is_careless")),
        "rejected": LicenceAction.objects.filter(agent=agent, status="rejected").count(),
    }  # fmt: skip
    return show_form(request, "licences/golden.html", page)
