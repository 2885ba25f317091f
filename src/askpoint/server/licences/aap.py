"""Requests of the Agent Approval Protocol: made, read, cancelled, consumed, and what became of them."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import transaction

from askpoint.errors import InputError, RuleError
from askpoint.live.licences.action import Action
from askpoint.reports.approvals.unit_names import unit_words
from askpoint.server.clock import moment
from askpoint.server.deployments.rows import micros
from askpoint.server.licences.door import (
    change,
    find_action,
    lock_agent,
    propose_in,
    report_outcome,
    withdraw,
)
from askpoint.server.licences.models import Agent, AgentInstance, ApprovalRequest
from askpoint.server.licences.resolutions import await_resolution, stamp
from askpoint.server.licences.store import DatabaseLicences, action_of

__all__ = [
    "cancel_request",
    "consume_request",
    "create_request",
    "find_request",
    "is_pending",
    "tell_outcome",
    "wire_request",
]

_VALID = timedelta(minutes=5)
"""How long an approval may be consumed."""
_SPAN = re.compile(r"(\d{1,9})(s|m|h|d)")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
_FIELDS = {"tool", "arguments", "timeout", "server", "agent_reasoning", "context"}
_STATUS = {
    "allowed": "approved",
    "approved": "approved",
    "lapsed": "approved",
    "asked": "pending",
    "expired": "expired",
    "withdrawn": "cancelled",
}


def create_request(
    agent: str, key: str, body: Mapping[str, Any], instance: AgentInstance | None = None
) -> tuple[ApprovalRequest, bool]:
    """Make a request, or return that of the same key; and whether it is new. An instance knows its own alone.

    Raises
    ------
    RuleError
        ``idempotency_conflict``, if the key came with something else.
    InputError
        If it is no request.
    """
    given, context = _read_body(agent, body)
    said = json.dumps(body, sort_keys=True, ensure_ascii=False)

    def step(store: DatabaseLicences) -> tuple[ApprovalRequest, bool]:
        mine = ApprovalRequest.objects.filter(agent=store.agent, instance=instance)
        row = mine.filter(key=key).first()
        if row is not None:
            if row.body != said:
                raise RuleError("idempotency_conflict", "this key came with another request before")
            return row, False
        hours = given["timeout_hours"]
        row = ApprovalRequest(
            agent=store.agent, instance=instance, key=key, body=said, created=store.now
        )
        made = propose_in(store, str(row.pk), given, context)
        row.deadline = store.now + timedelta(hours=hours)
        if made.status == "allowed":
            row.lapses = store.now + _VALID
        row.save(force_insert=True)
        if made.status == "asked":
            await_resolution(row)
        return row, True

    return change(agent, step)


def _read_body(agent: str, body: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    if not isinstance(body, Mapping) or set(body) - _FIELDS or None in body.values():
        raise InputError(
            f"a request is an object with {', '.join(sorted(_FIELDS))}, none of them null"
        )
    for name, kind in (("tool", str), ("arguments", dict), ("timeout", str)):
        if not isinstance(body.get(name), kind):
            raise InputError(
                f"a request has {name}, which is {'an object' if kind is dict else 'a text'}"
            )
    context = body.get("context", {})
    if not isinstance(context, dict):
        raise InputError("context is an object")
    if context.get("agent", agent) != agent:
        raise InputError(
            f"this token is for the agent {agent!r}, and the request says that it is {context['agent']!r:.60}"
        )
    server = body.get("server")
    given = {
        "tool": f"{server}.{body['tool']}" if server else body["tool"],
        "arguments": body["arguments"],
        "version": str(context.get("agent_version", "unknown")),
        "timeout_hours": _hours(body["timeout"]),
    }
    return given, {"why": body.get("agent_reasoning"), **context}


def _hours(timeout: str) -> float:
    found = _SPAN.fullmatch(timeout)
    seconds = int(found[1]) * _SECONDS[found[2]] if found else 0
    if not 0 < seconds <= 365 * 86_400:
        raise InputError(f"timeout is a span as 10m, 2h or 1d, at most a year; got {timeout!r:.40}")
    return seconds / 3600


def find_request(agent: Agent, key: str, instance: AgentInstance | None = None) -> ApprovalRequest:
    """Return a request of an agent, or of its instance.

    Raises
    ------
    RuleError
        ``not_found``.
    """
    try:
        name = uuid.UUID(key)
    except ValueError:
        name = None
    mine = ApprovalRequest.objects.filter(agent=agent, instance=instance)
    row = None if name is None else mine.filter(pk=name).first()
    if row is None:
        raise RuleError("not_found", "there is no such request of this agent")
    return row


def _action(row: ApprovalRequest) -> Action:
    return action_of(find_action(row.agent, str(row.pk))).as_of(micros(moment(row.agent)))


def is_pending(row: ApprovalRequest) -> bool:
    """Say whether nobody has decided yet."""
    return _status_of(_action(row)) == "pending"


def _status_of(made: Action) -> str:
    return _STATUS.get(made.status, "denied")


def wire_request(row: ApprovalRequest) -> dict[str, Any]:
    """Return a request as the protocol has it."""
    made = _action(row)
    status = _status_of(made)
    said: dict[str, Any] = {
        **json.loads(row.body),
        "id": str(row.pk),
        "status": status,
        "created_at": stamp(row.created),
        "deadline_at": stamp(row.deadline),
    }
    if status != "pending":
        said["decision"] = _wire_decision(row, made, status)
    if row.consumed is not None:
        said["consumption"] = {"consumed_at": stamp(row.consumed)}
        if row.outcome:
            said["consumption"]["outcome"] = row.outcome
    return said


def _wire_decision(row: ApprovalRequest, made: Action, status: str) -> dict[str, Any]:
    at = _decision_time(row, made)
    said = {"status": status, "decided_at": stamp(at), "note": _note(made, status)}
    if status == "approved":
        said["expires_at"] = stamp(at + _VALID)
    return said


def _decision_time(row: ApprovalRequest, made: Action) -> datetime:
    if made.decided_at is not None:
        return max(row.created, datetime.fromtimestamp(made.decided_at / 1e6, UTC))
    return row.deadline if made.status == "expired" else row.created


def _note(made: Action, status: str) -> str:
    if made.status in ("allowed", "lapsed"):
        return f"askpoint: licensed for {unit_words(made.unit)}, level {made.level}"
    if made.status == "edited":
        return "an approver wants it changed first"
    return made.why if status == "denied" and made.decision is None else f"askpoint: {made.status}"


def cancel_request(row: ApprovalRequest) -> ApprovalRequest:
    """Take a request back.

    Raises
    ------
    RuleError
        ``already_terminal``.
    """
    status = _status_of(_action(row))
    if status == "cancelled":
        return row
    if status != "pending":
        raise RuleError("already_terminal", f"the request is {status} already")
    try:
        withdraw(row.agent_id, str(row.pk))
    except RuleError:
        raise RuleError("already_terminal", "the request was decided meanwhile") from None
    return row


def consume_request(row: ApprovalRequest, key: str) -> ApprovalRequest:
    """Use an approval, once; the same key again is answered as before.

    Raises
    ------
    RuleError
        ``already_consumed``, ``not_approved`` or ``approval_expired``.
    """

    def step(store: DatabaseLicences) -> ApprovalRequest:
        found = ApprovalRequest.objects.select_related("agent").get(pk=row.pk)
        if found.consumed_by == key:
            return found
        if found.consumed_by is not None:
            raise RuleError("already_consumed", "this approval was used already")
        made = _action(found)
        if _status_of(made) != "approved" or made.undone_at is not None:
            raise RuleError("not_approved", f"the request is {made.status}: it must not run")
        if made.status == "lapsed" or store.now >= _decision_time(found, made) + _VALID:
            raise RuleError("approval_expired", "the approval was not used in time; ask again")
        found.consumed_by, found.consumed, found.lapses = key, max(store.now, found.created), None
        found.save(update_fields=["consumed_by", "consumed", "lapses"])
        return found

    return change(row.agent_id, step)


def tell_outcome(row: ApprovalRequest, body: Any) -> ApprovalRequest:
    """Keep what became of an action; it is no label.

    Raises
    ------
    RuleError
        ``not_consumed`` or ``outcome_conflict``.
    """
    if not isinstance(body, Mapping) or set(body) - {"status", "note"}:
        raise InputError("an outcome is an object with status, and perhaps a note")
    note = body.get("note", "")
    if not isinstance(note, str):
        raise InputError("note is a text")
    with transaction.atomic():
        agent = lock_agent(row.agent_id)
        found = ApprovalRequest.objects.get(pk=row.pk)
        found.agent = agent
        if found.consumed is None:
            raise RuleError("not_consumed", "the approval was not used, so nothing came of it")
        try:
            report_outcome(agent.pk, str(row.pk), str(body.get("status")), note)
        except RuleError:
            raise RuleError("outcome_conflict", "another outcome was reported already") from None
        if found.outcome is None:
            at = max(moment(agent), found.consumed)
            found.outcome = {**body, "reported_at": stamp(at)}
            found.save(update_fields=["outcome"])
        return found
