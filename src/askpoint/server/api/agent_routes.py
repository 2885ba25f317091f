"""What programs do with an agent's licences: propose, hear, tell what happened; and what its owners do."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from ninja import Body, Query, Router

import askpoint.server.licences.door as door
from askpoint.live.licences.action import Action
from askpoint.server.api.access import Bearer, check_writable
from askpoint.server.api.paging import Page, Paged, paginate
from askpoint.server.clock import moment
from askpoint.server.deployments.rows import micros
from askpoint.server.licences.aais import list_events, read_events
from askpoint.server.licences.access import agent_part
from askpoint.server.licences.models import Agent
from askpoint.server.licences.standing import agent_standing, count_waiting
from askpoint.server.licences.store import action_of
from askpoint.wire.agents import (
    ActionHarm,
    ActionKey,
    ActionOutcome,
    ActionProposal,
    ActionReceipt,
    AgentEvents,
    AgentStatus,
    AgentUnit,
    MinorVersion,
    ReadEvents,
    UnitHand,
)

__all__ = [
    "agent_events",
    "agent_status",
    "agents",
    "bring_agent_events",
    "declare_minor_version",
    "outcome_of_action",
    "propose_action",
    "read_action",
    "revoke_licence",
    "router",
    "sign_licence",
    "undo_action",
    "withdraw_action",
]

_MOST_ACTIONS = 500
router = Router(tags=["agents"])

_ACT = Bearer("agent", scope="write")
_LOOK = Bearer("agent", "owner")
_OWN = Bearer("owner")
_SIGN = Bearer("owner", scope="write")


def _mine(request: Any, agent: str) -> Agent:
    only = request.auth.resource
    found = agent_part(request.user, agent, "owner") if only in ("", agent) else None
    if found is None:
        raise Http404
    check_writable(request, found.workspace)
    return found


def _receipt(made: Action) -> ActionReceipt:
    return ActionReceipt(
        key=made.key,
        verdict=made.verdict,
        status=made.status,
        why=made.why,
        unit=made.unit,
        level=made.level,
    )


def _status(row: Agent) -> AgentStatus:
    state, units, missing = agent_standing(row)
    return AgentStatus(
        id=row.pk,
        title=row.title,
        state=state.word,
        why=state.why,
        to_read=count_waiting(row),
        units=[
            AgentUnit(
                unit=f"{one.agent} | {one.tool} | {one.name}", tool=one.tool, name=one.name, version=one.version,
                state=one.state, level=one.level, audit_rate=one.audit_rate, labels=one.labels,
                missing=left, alone=one.alone, asked=one.asked, waiting=one.waiting,
                is_carried=one.is_carried, lost_because=one.lost_because,
                hangs_on=None if one.pivot is None else one.pivot.name,
            )
            for one, left in zip(units, missing, strict=True)
        ],
    )  # fmt: skip


@router.get("", auth=_OWN, response=Paged[AgentStatus])
def agents(request: Any, page: Query[Page]) -> dict[str, Any]:
    """List the agents that you own, newest first."""
    mine = Agent.objects.filter(members__user=request.user, members__role="owner")
    rows = mine.filter(pk=request.auth.resource) if request.auth.resource else mine
    return paginate(rows.order_by("-made", "pk"), page, _status)


@router.get("{agent}", auth=_LOOK, response=AgentStatus)
def agent_status(request: Any, agent: str) -> AgentStatus:
    """Return the state of an agent's units."""
    return _status(_mine(request, agent))


@router.post("{agent}/actions", auth=_ACT, response=ActionReceipt)
def propose_action(request: Any, agent: str, body: Body[ActionProposal]) -> ActionReceipt:
    """Decide whether an action may run: allow, ask or deny. The same key gets the same answer."""
    row = _mine(request, agent)
    given = {
        "tool": body.tool,
        "arguments": body.arguments,
        "version": body.version,
        "timeout_hours": body.timeout_hours,
        "silence_rejects": body.silence_rejects,
    }
    return _receipt(door.propose(row.pk, body.key, given, body.context or {}))


@router.get("{agent}/action", auth=_LOOK, response=ActionReceipt)
def read_action(request: Any, agent: str, key: str) -> ActionReceipt:
    """Return what is decided about an action so far."""
    row = _mine(request, agent)
    return _receipt(action_of(door.find_action(row, key)).as_of(micros(moment(row))))


@router.post("{agent}/withdraw", auth=_ACT, response=ActionReceipt)
def withdraw_action(request: Any, agent: str, body: Body[ActionKey]) -> ActionReceipt:
    """Withdraw a request that nobody answered yet; it counts as unanswered."""
    return _receipt(door.withdraw(_mine(request, agent).pk, body.key))


@router.post("{agent}/undo", auth=_ACT, response=ActionReceipt)
def undo_action(request: Any, agent: str, body: Body[ActionHarm]) -> ActionReceipt:
    """Report that an action was undone, or what harm it did. Repeating a report changes nothing."""
    row = _mine(request, agent)
    return _receipt(door.undo(row.pk, body.key, by=request.user.username, harm=body.harm))


@router.post("{agent}/outcome", auth=_ACT, response=ActionReceipt)
def outcome_of_action(request: Any, agent: str, body: Body[ActionOutcome]) -> ActionReceipt:
    """Report whether a tool succeeded or failed; the report is kept, and is not a label."""
    row = _mine(request, agent)
    door.report_outcome(row.pk, body.key, body.status, body.note)
    return _receipt(action_of(door.find_action(row, body.key)))


@router.get("{agent}/events", auth=_OWN, response=AgentEvents)
def agent_events(request: Any, agent: str, start: int = 0, limit: int = 500) -> AgentEvents:
    """List requests and decisions as events of AAIS 1.0, for `limit` actions from action `start` up."""
    start, limit = max(0, start), min(max(1, limit), _MOST_ACTIONS)
    return AgentEvents(events=list_events(_mine(request, agent), start, limit))


@router.post("{agent}/events", auth=_SIGN, response=ReadEvents)
def bring_agent_events(request: Any, agent: str, body: Body[AgentEvents]) -> ReadEvents:
    """Read another program's requests and decisions, as AAIS 1.0 events; repeating them changes nothing."""
    made = read_events(_mine(request, agent).pk, body.events)
    return ReadEvents(read=made.read, left_out=dict(made.left_out))


@router.post("{agent}/revoke", auth=_SIGN, response=AgentStatus)
def revoke_licence(request: Any, agent: str, body: Body[UnitHand]) -> AgentStatus:
    """End the licence of a unit immediately."""
    row = _mine(request, agent)
    door.revoke_unit(row.pk, body.unit, by=request.user.username, why=body.why)
    return _status(row)


@router.post("{agent}/sign", auth=_SIGN, response=AgentStatus)
def sign_licence(request: Any, agent: str, body: Body[UnitHand]) -> AgentStatus:
    """Sign that a unit may earn a licence where its terms ask for that; it still needs evidence."""
    row = _mine(request, agent)
    door.sign_unit(row.pk, body.unit, by=request.user.username)
    return _status(row)


@router.post("{agent}/minor-version", auth=_SIGN, response=AgentStatus)
def declare_minor_version(request: Any, agent: str, body: Body[MinorVersion]) -> AgentStatus:
    """Declare that a coming version changes little, so that licences continue at level 1."""
    row = _mine(request, agent)
    door.declare_minor_version(row.pk, body.version, body.of, by=request.user.username)
    return _status(row)
