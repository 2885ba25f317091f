"""Agents and their licences."""

from __future__ import annotations

from askpoint.server.api.aap_instances import make_instance
from askpoint.server.licences import door
from askpoint.server.licences.golden import deal_golden
from askpoint.server.licences.models import Agent, LicenceUnit
from server.agents import WithAgent
from server.scenes.scene import Scene, at

__all__ = ["agents_scenes", "use_agents"]


def use_agents(there):
    """An agent that lost a licence, one that acts alone, and one that did nothing yet."""
    there.agent = WithAgent()
    there.agent.earn()
    Agent.objects.update(seconds=40, unit="EUR")
    for _ in range(6):
        made = there.agent.propose(context={"why": "charged twice for the order"})
    for _ in range(3):
        there.agent.propose(tool="mail", arguments={"to": "x" * 300, "old": "Dear", "new": "Hi"})
    there.agent.propose(tool="wipe", arguments={"disk": 1})
    there.agent.propose(tool="unknown_tool_with_a_long_name_of_its_own", arguments={})
    door.undo(there.agent.id, made.key, by="wanda", harm="high")
    deal_golden(there.agent.id, [{"tool": "refund", "arguments": {"amount": 900}}])
    there.alone = WithAgent(title="The mailing bot of another office")
    there.alone.earn("mail")
    door.declare_minor_version(there.alone.id, "1.1", "1", by="wanda")
    there.alone.propose(tool="mail", arguments={"to": "x"}, version="1.1")
    make_instance(there.agent.id, there.agent.wanda, "k", {"instance_name": "The mailing program"})
    there.idle = WithAgent(title="A bot that nobody started").id


def agents_scenes(there):
    """What owners, approvers and viewers see."""
    send = "main .form button"
    here = there.agent.id
    yield Scene("new-agent", "O", "olga", at("new-agent"), "allow, ask or deny")
    wrong = {"title": "A bot", "policy": "{}"}
    yield Scene("new-agent", "O", "olga", at("new-agent"), "holds no licence", wrong, send)
    yield Scene("agent", "W", "wanda", at("agent", here), "Lost a licence")
    yield Scene("agent", "V", "vera", at("agent", there.alone.id), "Acts alone")
    yield Scene("agent", "W", "wanda", at("agent", there.idle), "No action yet")
    for row in LicenceUnit.objects.filter(agent__in=[here, there.alone.id]).order_by("pk"):
        yield Scene("agent-unit", "W", "wanda", at("agent-unit", row.agent_id, row.pk), "Its terms")
    row = LicenceUnit.objects.filter(agent=here).first()
    yield Scene("agent-unit", "V", "vera", at("agent-unit", here, row.pk), "Its terms")
    yield Scene("agent-people", "W", "wanda", at("agent-people", here), "The mailing program")
    yield Scene(
        "agent-approver", "W", "wanda", at("agent-approver", here, "rosa"), "is not known yet"
    )
    yield Scene("agent-golden", "W", "wanda", at("agent-golden", here), "Nobody has measured")
    wrong = {"actions": "no JSON"}
    yield Scene(
        "agent-golden",
        "W",
        "wanda",
        at("agent-golden", here),
        "1 is not a JSON object",
        wrong,
        "#own button",
    )
