"""How an agent stands: its units as of now, its state, and what waits for approvers."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from django.utils import timezone

from askpoint.live.licences.standings import UnitStatus, count_missing, unit_statuses
from askpoint.live.licences.unit import Unit
from askpoint.reports.approvals.agent_state import agent_state_line
from askpoint.reports.state_line import StateLine
from askpoint.server.clock import moment
from askpoint.server.deployments.rows import micros
from askpoint.server.journal.models import LogLine
from askpoint.server.labelling.models import Case
from askpoint.server.licences.door import agent_queue
from askpoint.server.licences.models import Agent, LicenceUnit
from askpoint.server.licences.store import policy_of, unit_of

__all__ = ["AgentStanding", "agent_standing", "count_waiting", "load_units"]

_NEAR = timedelta(hours=12)


class AgentStanding(NamedTuple):
    """How an agent stands.

    Attributes
    ----------
    state : StateLine
        In a line.
    units : list of UnitStatus
        As of now, by name.
    missing : list of int or None
        Read approvals that each unit still needs for a licence of its own.
    """

    state: StateLine
    units: list[UnitStatus]
    missing: list[int | None]


def load_units(agent: Agent, now: datetime) -> dict[str, Unit]:
    """Return an agent's units by name, as of a moment."""
    policy, at = policy_of(agent), micros(now)
    rows = LicenceUnit.objects.filter(agent=agent).order_by("name")
    return {row.name: unit_of(row).settle(policy, at) for row in rows}


def agent_standing(agent: Agent) -> AgentStanding:
    """Return how an agent stands now."""
    now, policy = moment(agent), policy_of(agent)
    units = load_units(agent, now)
    statuses = unit_statuses(policy, units)
    missing: list[int | None] = [
        n if one.state == "asks" or one.is_carried else None
        for one, n in zip(statuses, count_missing(policy, list(units.values())), strict=True)
    ]
    state = agent_state_line(
        statuses, missing, lost=_find_last_loss(agent, units), overdue=_count_overdue(units, now),
        is_careless=bool(agent.house.get("is_careless")),
    )  # fmt: skip
    return AgentStanding(state, statuses, missing)


def _find_last_loss(agent: Agent, units: Mapping[str, Unit]) -> tuple[str, datetime] | None:
    """Return the last licence that was lost within a week and is not back."""
    since = timezone.now() - timedelta(days=7)
    lines = LogLine.objects.filter(campaign=agent.pk, what="licence lost", at__gt=since)
    for place, at in lines.order_by("-at", "-pk").values_list("about", "at")[:20]:
        if place in units and not units[place].is_granted:
            return place, at
    return None


def _count_overdue(units: Mapping[str, Unit], now: datetime) -> int:
    near = micros(now + _NEAR)
    return sum(
        one.is_audit and one.bad is None and one.deadline <= near
        for unit in units.values()
        for one in unit.waiting
    )


def count_waiting(agent: Agent) -> int:
    """Return how many actions wait for approvers, audits among them."""
    rows = Case.objects.filter(queue=agent_queue(agent.pk), labelled=None, state="open")
    return int(rows.exclude(purpose="gold").count())
