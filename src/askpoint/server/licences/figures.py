"""Figures of an agent over its last weeks: what it did alone, what people saw, what that saved."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable
from datetime import timedelta
from typing import NamedTuple

from django.db.models import Count

from askpoint.live.licences.action import Action
from askpoint.live.licences.policy import LicencePolicy
from askpoint.live.licences.savings import AloneActions, AloneSaving, measure_saving
from askpoint.reports.document import Figure, Figures
from askpoint.reports.words import money_text, plural
from askpoint.server.clock import moment
from askpoint.server.labelling.models import Case
from askpoint.server.labelling.queues import queue_key
from askpoint.server.licences.models import Agent, LicenceAction, LicenceEntry
from askpoint.server.licences.store import policy_of

__all__ = [
    "AgentWeeks",
    "ApproverWork",
    "agent_weeks",
    "approver_work",
    "double_readings",
    "week_figures",
]

_DAYS = 28
_MOST_ENTRIES = 5_000  # of which approvers' work is read
_MOST_ACTIONS = 20_000  # taken alone, the newest, of which the saving is measured


class AgentWeeks(NamedTuple):
    """What happened in the last four weeks.

    Attributes
    ----------
    proposed, alone, asked, denied : int
        Actions by what was decided at once.
    wrong : int
        Actions taken alone that a person found wrong.
    saving : AloneSaving or None
        What acting alone saved, in checks; None while no audit was read.
    waiting : int
        Audits that nobody read yet.
    """

    proposed: int
    alone: int
    asked: int
    denied: int
    wrong: int
    saving: AloneSaving | None
    waiting: int


def agent_weeks(agent: Agent) -> AgentWeeks:
    """Count an agent's actions of the last four weeks, and what those taken alone saved."""
    since = moment(agent) - timedelta(days=_DAYS)
    rows = LicenceAction.objects.filter(agent=agent, at__gt=since)
    by = dict(rows.values_list("status").annotate(Count("pk")))
    alone, denied = by.get("allowed", 0), by.get("denied", 0)
    proposed = sum(by.values()) - by.get("lapsed", 0)
    taken = rows.filter(status="allowed").order_by("-n").values_list("content", flat=True)
    made = [Action(**json.loads(one)) for one in taken[:_MOST_ACTIONS]]
    parts = _split_alone(made, policy_of(agent))
    wrong = sum(one.wrong + one.reported for one in parts)
    waiting = sum(one.drawn - one.right - one.wrong for one in parts)
    asked = proposed - alone - denied
    return AgentWeeks(proposed, alone, asked, denied, wrong, measure_saving(parts), waiting)


def _split_alone(actions: Iterable[Action], policy: LicencePolicy) -> list[AloneActions]:
    """Divide actions taken alone by what a bad one costs, and by the rate of their audits, halved from band to band."""
    found: dict[tuple[float, int], Counter[str]] = {}
    rates: dict[tuple[float, int], set[float]] = {}
    for one in actions:
        kinds = (kind for kind in policy.classes if kind.name == one.name and kind.covers(one.tool))
        where = policy.price_of(next(kinds, None)), math.ceil(-math.log2(one.propensity))
        is_wrong = one.undone_at is not None or one.decision in ("reject", "edit")
        if one.is_audit:
            said = "wrong" if is_wrong else "right" if one.decision else "waits"
        else:
            said = "reported" if is_wrong else "unread"
        found.setdefault(where, Counter())[said] += 1
        rates.setdefault(where, set()).add(one.propensity)
    return [
        AloneActions(
            price=where[0],
            alone=n.total(),
            drawn=n["right"] + n["wrong"] + n["waits"],
            right=n["right"],
            wrong=n["wrong"],
            reported=n["reported"],
            rates=(min(rates[where]), max(rates[where])) if len(rates[where]) > 1 else None,
        )
        for where, n in found.items()
    ]


def week_figures(agent: Agent, weeks: AgentWeeks, check: float | None) -> Figures:
    """Return the figures of a page; hours and money where the owner stated what a check takes, and costs."""
    share = weeks.alone / weeks.proposed if weeks.proposed else 0.0
    audits = 0 if weeks.saving is None else weeks.saving.audits
    parts = [
        Figure("Taken alone", f"{share:.0%}", f"{weeks.alone:,} of {weeks.proposed:,} actions"),
        Figure("Asked before the act", f"{weeks.asked / 4:,.0f} a week", _audit_words(audits)),
        Figure("Found wrong", f"{weeks.wrong:,}", _bad_words(weeks)),
    ]
    if agent.seconds is not None and weeks.saving is not None:
        spared = (weeks.alone - audits) * agent.seconds
        parts.append(Figure("Time saved", _time(spared), "of approvers, less what audits took"))
    money = _money_figure(agent, weeks, check)
    return Figures("The last four weeks", (*parts, *([money] if money else [])))


def _audit_words(audits: int) -> str:
    return f"and {plural(audits, 'audit', 'audits')} after it" if audits else ""


def _bad_words(weeks: AgentWeeks) -> str:
    """Say how many of the actions taken alone may be bad."""
    if weeks.saving is None:
        if not weeks.alone:
            return "of what it took alone"
        if not weeks.waiting:
            return "Not known yet how many more: no audit was drawn"
        waiting = plural(weeks.waiting, "audit waits", "audits wait")
        return f"Not known yet how many more: {waiting} for a reader"
    low, high = (round(one) for one in weeks.saving.bad_between)
    return f"in all {low:,} to {high:,} of {weeks.alone:,} may be bad (95%)"


def _money_figure(agent: Agent, weeks: AgentWeeks, check: float | None) -> Figure | None:
    """Return what acting alone saved in money, less audits and bad actions."""
    if check is None or not agent.unit or weeks.saving is None:
        return None
    saved, (low, high) = weeks.saving.checks * check, weeks.saving.between
    name = "Saved" if saved >= 0 else "Lost"
    between = f"{_write_signed(low * check)} to {_write_signed(high * check)}, after audits and bad actions"
    return Figure(name, money_text(abs(round(saved)), agent.unit), between)


def _write_signed(value: float) -> str:
    return f"{value:,.0f}".replace("-", "\N{MINUS SIGN}")


def _time(seconds: float) -> str:
    hours = seconds / 3600
    return (
        f"{hours:,.0f} hours" if hours >= 1.5 else plural(round(seconds / 60), "minute", "minutes")
    )


class ApproverWork(NamedTuple):
    """What an approver did lately.

    Attributes
    ----------
    name : str
    decided, approved, fast, wrong : int
        Decisions; approvals; approvals within a second; approvals of what was found wrong later.
    seconds : float or None
        The median time that they looked.
    """

    name: str
    decided: int
    approved: int
    fast: int
    wrong: int
    seconds: float | None


def approver_work(agent: Agent, fast: float) -> dict[str, ApproverWork]:
    """Return what each approver did in the newest entries of the book, by name."""
    rows = LicenceEntry.objects.filter(agent=agent, content__contains='"do":"decide"')
    took: dict[str, list[float]] = {}
    decided, approved, quick = Counter[str](), Counter[str](), Counter[str]()
    for said in rows.order_by("-n").values_list("content", flat=True)[:_MOST_ENTRIES]:
        one = json.loads(said)
        by, seconds = one["by"], one["seconds"]
        decided[by] += 1
        if seconds is not None:
            took.setdefault(by, []).append(seconds)
        if one["kind"] == "approve":
            approved[by] += 1
            quick[by] += seconds is not None and seconds < fast
    wrong = _approved_wrong(agent)
    return {
        name: ApproverWork(
            name, n, approved[name], quick[name], wrong[name],
            sorted(took[name])[len(took[name]) // 2] if took.get(name) else None,
        )
        for name, n in decided.items()
    }  # fmt: skip


def _approved_wrong(agent: Agent) -> Counter[str]:
    rows = LicenceAction.objects.filter(agent=agent, status="approved")
    undone = rows.exclude(content__contains='"undone_at":null').order_by("-n")
    said = undone.values_list("content", flat=True)[:_MOST_ENTRIES]
    return Counter(json.loads(one)["decided_by"] for one in said)


def double_readings(agent: Agent, name: str) -> tuple[int, int]:
    """Return how many audits that somebody approved a second person read, and how many of these were rejected.

    At least that share of what the first approves is bad: no more than a second reader sees can be said by it.
    """
    cases = Case.objects.filter(queue=queue_key("agent", agent.pk), purpose="audit", wanted=2)
    read = rejected = 0
    for case in cases.prefetch_related("votes").order_by("-opened")[:1000]:
        votes = list(case.votes.all())
        if len(votes) == 2 and votes[0].reviewer == name and votes[0].choice == "Let it run":
            read += 1
            rejected += votes[1].choice != "Let it run"
    return read, rejected
