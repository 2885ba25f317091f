"""Agents: what they propose, what they hear, and how their licences stand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from askpoint.wire.fields import CaseKey, Request, about

__all__ = [
    "ActionHarm",
    "ActionKey",
    "ActionOutcome",
    "ActionProposal",
    "ActionReceipt",
    "AgentEvents",
    "AgentStatus",
    "AgentUnit",
    "MinorVersion",
    "ReadEvents",
    "UnitHand",
]


@dataclass(frozen=True, kw_only=True)
class ActionProposal(Request):
    """An action that an agent wants to take."""

    key: CaseKey = field(metadata=about("Of the call: sent again, it is answered as before."))
    tool: CaseKey
    arguments: dict[str, Any] | None = None
    version: str = field(
        default="unknown",
        metadata=about(
            "Of agent, model, prompt and tools together: a new one starts again without licences."
        ),
    )
    timeout_hours: float | None = field(
        default=None,
        metadata=about("How long an asked action waits; by default as the policy says."),
    )
    silence_rejects: bool = field(
        default=True,
        metadata=about(
            "Whether silence until then is a rejection: false only where approvers answer everything."
        ),
    )
    context: dict[str, Any] | None = field(
        default=None,
        metadata=about(
            "What approvers see besides: why, diff, consequences; and requested_by, who never approves it."
        ),
    )


@dataclass(frozen=True, kw_only=True)
class ActionReceipt:
    """What was decided about an action, as it is now."""

    key: str
    verdict: str = field(metadata=about("allow, ask (wait for a person) or deny."))
    status: str = field(
        metadata=about(
            "allowed, asked, denied; approved, rejected, edited, withdrawn, expired, lapsed after that."
        )
    )
    why: str
    unit: str
    level: int = field(metadata=about("Of the licence by which it was allowed; 0 without one."))


@dataclass(frozen=True, kw_only=True)
class ActionKey(Request):
    """Which action."""

    key: CaseKey


@dataclass(frozen=True, kw_only=True)
class ActionHarm(Request):
    """What an action did after all."""

    key: CaseKey
    harm: Literal["none", "low", "medium", "high", "irreversible"] | None = field(
        default=None,
        metadata=about("Null where it was undone and did no harm. High and more ends the licence."),
    )


@dataclass(frozen=True, kw_only=True)
class ActionOutcome(Request):
    """What became of an action."""

    key: CaseKey
    status: Literal["succeeded", "failed"] = field(
        metadata=about("It is kept, and is not a label.")
    )
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class UnitHand(Request):
    """A unit that a person acts on."""

    unit: str = field(metadata=about("agent | tool | class"))
    why: str = ""


@dataclass(frozen=True, kw_only=True)
class MinorVersion(Request):
    """A version to come that changes little."""

    version: CaseKey = field(metadata=about("As the agent will send it."))
    of: CaseKey = field(metadata=about("The version in which its units are now."))


@dataclass(frozen=True, kw_only=True)
class AgentUnit:
    """How a unit stands."""

    unit: str
    tool: str
    name: str
    version: str
    state: str = field(metadata=about("licensed, asks or never."))
    level: int
    audit_rate: float = field(metadata=about("Share of its actions that people see."))
    labels: int
    missing: int | None = field(
        metadata=about(
            "Read approvals in a row that would earn it a licence; null where it has one of its own or never may."
        )
    )
    alone: int
    asked: int
    waiting: int
    is_carried: bool = field(
        metadata=about(
            "Whether its licence is that of the version before, which this one has not earned yet."
        )
    )
    lost_because: str
    hangs_on: str | None = field(
        default=None,
        metadata=about(
            "The approver without whose decisions its evidence does not suffice, where the terms ask for that."
        ),
    )


@dataclass(frozen=True, kw_only=True)
class AgentStatus:
    """An agent and its units."""

    id: str
    title: str
    state: str = field(metadata=about("One word, as its page says it."))
    why: str
    to_read: int = field(metadata=about("Actions that wait for approvers, audits among them."))
    units: list[AgentUnit]


@dataclass(frozen=True, kw_only=True)
class AgentEvents(Request):
    """Events of another program that asks people, in AAIS 1.0."""

    events: list[dict[str, Any]] = field(metadata=about("In their order; a thousand at most."))


@dataclass(frozen=True, kw_only=True)
class ReadEvents:
    """What became of events."""

    read: int
    left_out: dict[str, int] = field(metadata=about("Why, and how many."))
