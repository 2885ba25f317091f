"""Figures of an agent over its last weeks: what it did alone, what people saw, what that saved."""

from __future__ import annotations

import json
from collections import Counter
from datetime import timedelta
from typing import NamedTuple

from django.db.models import Count, Q

from askpoint.reports.document import Figure, Figures
from askpoint.server.clock import moment
from askpoint.server.labelling.models import Case
from askpoint.server.labelling.queues import queue_key
from askpoint.server.licences.models import Agent, LicenceAction, LicenceEntry

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


class AgentWeeks(NamedTuple):
    """What happened in the last four weeks.

    Attributes
    ----------
    proposed, alone, asked, denied : int
        Actions by what was decided at once.
    wrong : int
        Actions taken alone that a person found wrong.
    """

    proposed: int
    alone: int
    asked: int
    denied: int
    wrong: int


def agent_weeks(agent: Agent) -> AgentWeeks:
    """Count an agent's actions of the last four weeks."""
    since = moment(agent) - timedelta(days=_DAYS)
    rows = LicenceAction.objects.filter(agent=agent, at__gt=since)
    by = dict(rows.values_list("status").annotate(Count("pk")))
    alone, denied = by.get("allowed", 0), by.get("denied", 0)
    proposed = sum(by.values()) - by.get("lapsed", 0)
    heard = rows.filter(status="allowed").exclude(
        Q(content__contains='"decision":null') & Q(content__contains='"undone_at":null')
    )
    said = [json.loads(one) for one in heard.values_list("content", flat=True)[:_MOST_ENTRIES]]
    wrong = sum(
        one["undone_at"] is not None or one["decision"] in ("reject", "edit") for one in said
    )
    return AgentWeeks(proposed, alone, proposed - alone - denied, denied, wrong)


def week_figures(agent: Agent, weeks: AgentWeeks, price: float | None) -> Figures:
    """Return the figures of a page, hours and money where the owner stated what a check takes."""
    share = weeks.alone / weeks.proposed if weeks.proposed else 0.0
    parts = [
        Figure("Taken alone", f"{share:.0%}", f"{weeks.alone:,} of {weeks.proposed:,} actions"),
        Figure("Seen by people", f"{weeks.asked / 4:,.0f} a week", "before the act"),
        Figure("Found wrong", f"{weeks.wrong:,}", "of what it took alone, by audits and reports"),
    ]
    if agent.seconds is not None:
        parts.append(Figure("Saved", _time(weeks.alone * agent.seconds), "of approvers' time"))
    if price is not None and agent.unit:
        parts.append(
            Figure("Saved", f"{agent.unit} {weeks.alone * price:,.0f}", "at the price of a check")
        )
    return Figures("The last four weeks", tuple(parts))


def _time(seconds: float) -> str:
    hours = seconds / 3600
    return f"{hours:,.0f} hours" if hours >= 1.5 else f"{seconds / 60:,.0f} minutes"


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
