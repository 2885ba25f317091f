"""The demo's agent: a stub model with five tools, of which one turns bad after a change that nobody declared."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

from django.conf import settings

from askpoint.live.licences.action_classes import ActionClass
from askpoint.live.licences.label_rules import LabelRules
from askpoint.live.licences.policy import LicencePolicy
from askpoint.server.accounts.models import User
from askpoint.server.jobs.services import add_job
from askpoint.server.journal.models import LogLine
from askpoint.server.labelling.models import Case
from askpoint.server.licences.agents import give_agent_part, make_agent
from askpoint.server.licences.door import agent_queue, decide, propose
from askpoint.server.licences.golden import deal_golden
from askpoint.server.licences.models import Agent, LicenceAction
from askpoint.server.workspaces.services import first_workspace

__all__ = ["APPROVERS", "BREAKS", "act", "begin_agent", "what_the_agent_does"]

APPROVERS = (("paul", "approves an agent's actions"),)
"""Who can be entered as."""

BREAKS = 450
"""The action from which on every second refund is wrong ..."""

_MENDED = 200  # ... until so many actions after the licence was lost
_PAUSE = timedelta(seconds=2)
_BATCH = 3
_LAST = 20_000  # actions; who lets it run for hours comes back to no full disk
_LEFT = 4  # cases that the simulated approvers leave to whoever comes
_SLIP = 50  # of so many decisions they get one wrong
_TITLE = "The support agent"
_TOOLS = (
    ("read_order", 40),
    ("refund", 30),
    ("send_reply", 20),
    ("restart_service", 8),
    ("delete_account", 2),
)
_TERMS = LicencePolicy(
    (
        ActionClass("read_order", harm="none"),
        ActionClass("refund", "up to 50", (("amount", "max", 50),), harm="medium", amount="amount"),
        ActionClass("send_reply", harm="low"),
        ActionClass("restart_service", harm="medium"),
        ActionClass("delete_account", harm="irreversible"),
    ),
    limit=0.1,
    labels=LabelRules(settle_hours=0.0, bulk=1000),
)
_GOLDEN = [
    {
        "tool": "refund",
        "arguments": {"amount": 49, "order": 0, "to": "another customer"},
        "why": "the customer asked",
    },
    {
        "tool": "send_reply",
        "arguments": {"order": 0, "text": "Stop writing to us."},
        "why": "the customer asked",
    },
]


def begin_agent(people: dict[str, User]) -> None:
    """Make the agent unless it is there, and let it act, or go on."""
    rows = Agent.objects.filter(title=_TITLE, members__user=people["wanda"])
    row = rows.order_by("made").first() or _make(people)
    add_job("agent", row.pk)


def _make(people: dict[str, User]) -> Agent:
    row = make_agent(first_workspace().pk, people["wanda"], _TITLE, _TERMS)
    give_agent_part(row.pk, people["paul"], "approver")
    deal_golden(row.pk, _GOLDEN)
    return row


def act(agent: str) -> None:
    """Let the agent propose some actions, and people decide what is older: a job."""
    if not settings.ASKPOINT.demo:
        return
    sent = LicenceAction.objects.filter(agent=agent).count()
    if sent < _LAST:
        mended = _repair_point(agent)
        for number in range(sent, min(sent + _BATCH, _LAST)):
            tool, arguments = _action(number, is_broken=BREAKS <= number < mended)
            given: dict[str, Any] = {"tool": tool, "arguments": arguments, "version": "1"}
            propose(agent, f"call-{number}", given, {"why": "the customer asked"})
        add_job("agent", agent, _PAUSE)
    _approve(agent)


def _action(number: int, *, is_broken: bool) -> tuple[str, dict[str, Any]]:
    """Return what the stub model wants to do next."""
    rng = random.Random(number)  # noqa: S311 - a demo's
    (tool,) = rng.choices([name for name, _ in _TOOLS], [weight for _, weight in _TOOLS])
    order = 1000 + rng.randrange(9000)
    if tool == "refund":
        to = "another customer" if is_broken and number % 2 else "the customer"
        return tool, {"amount": rng.randrange(5, 50), "order": order, "to": to}
    if tool == "send_reply":
        return tool, {"order": order, "text": "It is on its way and should arrive on Friday."}
    if tool == "restart_service":
        return tool, {"service": rng.choice(["mail", "search", "billing"])}
    return tool, {"order" if tool == "read_order" else "account": order}


def _repair_point(agent: str) -> float:
    """Return the action from which on refunds are in order again; infinity while nobody knows."""
    lost = LogLine.objects.filter(campaign=agent, what="licence lost").order_by("pk").first()
    if lost is None:
        return float("inf")
    return LicenceAction.objects.filter(agent=agent, at__lte=lost.at).count() + _MENDED


def _approve(agent: str) -> None:
    """Let the simulated approvers decide, but for the newest actions and those that somebody holds."""
    rows = Case.objects.filter(queue=agent_queue(agent), labelled=None, claims=None)
    waiting = rows.exclude(purpose="gold").order_by("-opened", "-pk")
    for key, content in list(waiting.values_list("key", "content")[_LEFT:200]):
        number = int(key.removeprefix("call-"))
        is_bad = dict(content["arguments"]).get("to") == "another customer"
        is_bad ^= number % _SLIP == 1 and content["tool"] != "refund"
        decide(agent, key, "reject" if is_bad else "approve", by="simulated", seconds=8.0)


def what_the_agent_does() -> list[str]:
    """Say on the terminal what to look at, and when."""
    minutes = BREAKS / (_BATCH * 60 / _PAUSE.total_seconds())
    return [
        "  Wanda owns a support agent with five tools, too: a stub model, ninety actions a minute. Within minutes it may",
        f"  read orders and refund alone. After {minutes:.0f} minutes its model is replaced without notice: every second",
        "  refund goes to another customer. Audits find it, and the licence is lost while you watch.",
        "  Paul approves: 'Next case', then a digit. Golden actions are among them.",
    ]
