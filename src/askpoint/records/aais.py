"""Events of AAIS 1.0: requests, decisions and resolutions of approvals, read and written."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from askpoint.errors import InputError
from askpoint.live.licences.action import Action

__all__ = ["AaisDecision", "AaisRequest", "aais_events", "action_digest", "read_aais_event"]

_RISKS = {None: "medium", "none": "low", "low": "low", "medium": "medium", "high": "high"}
_DECISIONS = {"approve": "approve", "reject": "deny", "edit": "deny"}


@dataclass(frozen=True)
class AaisRequest:
    """An action about which another program asked somebody."""

    key: str
    tool: str
    arguments: dict[str, Any]
    version: str
    at: int


@dataclass(frozen=True)
class AaisDecision:
    """What somebody, or a rule, decided about it."""

    key: str
    kind: str
    by: str
    by_person: bool
    at: int


def read_aais_event(event: Any) -> AaisRequest | AaisDecision | None:
    """Read an event; None for one that tells neither a request nor a decision.

    Raises
    ------
    InputError
        If it is not an event of AAIS 1.0; it says what is missing.
    """
    if not isinstance(event, Mapping) or event.get("aais") != "1.0":
        raise InputError(f'an event of AAIS has "aais": "1.0"; got {json.dumps(event)[:80]}')
    kind = event.get("type")
    if kind == "approval.requested":
        return _read_request(_part(event, "request"))
    if kind == "approval.decided":
        return _read_decision(_part(event, "decision"))
    return None


def _read_request(said: Mapping[str, Any]) -> AaisRequest:
    action, origin = _part(said, "action"), said.get("origin") or {}
    arguments = action.get("arguments")
    if not isinstance(arguments, dict):
        raise InputError("the action of a request has its arguments, an object")
    version = origin.get("profile") if isinstance(origin, Mapping) else None
    return AaisRequest(
        _text(said, "id"), _text(action, "name"), arguments, version or "unknown", _moment(said, "created_at")
    )  # fmt: skip


def _read_decision(said: Mapping[str, Any]) -> AaisDecision:
    actor = _part(said, "actor")
    kind = {"approve": "approve", "deny": "reject", "cancel": "cancel"}.get(_text(said, "decision"))
    if kind is None:
        raise InputError(f"a decision is approve, deny or cancel; got {said['decision']!r:.40}")
    by_person = actor.get("type") == "human" and said.get("scope", "once") == "once"
    return AaisDecision(
        _text(said, "request_id"), kind, _text(actor, "id"), by_person, _moment(said, "decided_at")
    )


def _part(said: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = said.get(name)
    if not isinstance(found, Mapping):
        raise InputError(f"the event has no {name}, as AAIS 1.0 has it")
    return found


def _text(said: Mapping[str, Any], name: str) -> str:
    found = said.get(name)
    if not isinstance(found, str) or not found:
        raise InputError(f"the event has no {name}, as AAIS 1.0 has it")
    return found


def _moment(said: Mapping[str, Any], name: str) -> int:
    try:
        at = datetime.fromisoformat(_text(said, name))
    except ValueError:
        raise InputError(f"{name} is a moment with its zone; got {said[name]!r:.40}") from None
    if at.tzinfo is None:
        raise InputError(f"{name} is a moment with its zone; got {said[name]!r:.40}")
    return int(at.timestamp() * 1_000_000)


def aais_events(
    action: Action, arguments: Any, harm: str | None, sequence: int
) -> Iterator[dict[str, Any]]:
    """Yield the events of an action: requested, and decided by a person or by the policy.

    Parameters
    ----------
    action : Action
        Its receipt.
    arguments : dict or None
        Of the call.
    harm : str or None
        Of its class.
    sequence : int
        Of the first; a decision has the next.
    """
    what = {
        "kind": "tool.call",
        "name": action.tool,
        "summary": action.tool,
        "arguments": arguments or {},
    }
    digest = action_digest(what)
    risk = "critical" if harm == "irreversible" else _RISKS[harm]
    origin = {
        "harness": "askpoint",
        "session_id": "door",
        "agent_id": action.agent,
        "profile": action.version,
    }
    choices = [("approve", "Let it run"), ("deny", "Do not run it")]
    request = {
        "id": action.key,
        "created_at": _moment_words(action.at),
        "status": "pending",
        "origin": origin,
        "action": what,
        "action_digest": digest,
        "risk": {"level": risk, "reasons": ["declared by the policy" if harm else "not declared"]},
        "choices": [{"decision": name, "scope": "once", "label": label} for name, label in choices],
    }
    yield _envelope(
        "approval.requested", f"{action.key}.asked", action.at, sequence, request=request
    )
    by_policy = action.status in ("allowed", "lapsed", "denied")
    if not by_policy and action.decision is None:
        return
    at = action.at if by_policy or action.decided_at is None else action.decided_at
    said = _DECISIONS[action.decision or "approve"] if not by_policy else (
        "deny" if action.status == "denied" else "approve"
    )  # fmt: skip
    actor = (
        {"id": "askpoint", "type": "policy"}
        if by_policy
        else {"id": action.decided_by, "type": "human"}
    )
    decision = {
        "id": f"{action.key}.decision",
        "request_id": action.key,
        "action_digest": digest,
        "decided_at": _moment_words(at),
        "decision": said,
        "scope": "once",
        "actor": actor,
    }
    yield _envelope(
        "approval.decided", f"{action.key}.decided", at, sequence + 1, decision=decision
    )


def _envelope(kind: str, name: str, at: int, sequence: int, **more: Any) -> dict[str, Any]:
    return {
        "aais": "1.0",
        "type": kind,
        "id": name,
        "occurred_at": _moment_words(at),
        "sequence": sequence,
        **more,
    }


def _moment_words(at: int) -> str:
    return datetime.fromtimestamp(at / 1e6, UTC).isoformat().replace("+00:00", "Z")


def action_digest(action: Mapping[str, Any]) -> str:
    """Return what binds a decision to an action: SHA-256 of its canonical JSON (RFC 8785).

    Examples
    --------
    >>> action_digest({"b": 1.0, "a": 1e21}) == action_digest({"a": 10**21 * 1.0, "b": 1})
    True
    """
    return "sha256:" + hashlib.sha256(_canonical(dict(action)).encode()).hexdigest()


def _canonical(value: Any) -> str:
    if isinstance(value, Mapping):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return (
            "{" + ",".join(f"{_canonical(name)}:{_canonical(value[name])}" for name in names) + "}"
        )
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(_canonical, value)) + "]"
    if isinstance(value, float):
        return _number(value)
    return json.dumps(value, ensure_ascii=False)


def _number(value: float) -> str:
    """Write a number as JavaScript does."""
    if not math.isfinite(value):
        raise InputError(f"JSON has no number {value!r}")
    if value == 0:
        return "0"
    sign, parts, exponent = Decimal(repr(value)).normalize().as_tuple()
    digits, minus = "".join(map(str, parts)), "-" if sign else ""
    point = len(digits) + int(exponent)  # where the decimal point stands
    if len(digits) <= point <= 21:
        said = digits + "0" * (point - len(digits))
    elif 0 < point <= 21:
        said = f"{digits[:point]}.{digits[point:]}"
    elif -6 < point <= 0:
        said = f"0.{'0' * -point}{digits}"
    else:
        tail = f".{digits[1:]}" if len(digits) > 1 else ""
        said = f"{digits[0]}{tail}e{'+' if point > 0 else '-'}{abs(point - 1)}"
    return minus + said
