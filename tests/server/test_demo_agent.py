"""The demo's agent: licences are earned, one is lost after the change."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.conf import settings

import askpoint.server.demo_agent as demo
from askpoint.server.accounts.models import User
from askpoint.server.journal.models import LogLine
from askpoint.server.licences.door import verify_agent
from askpoint.server.licences.models import Agent
from askpoint.server.licences.standing import agent_standing


@pytest.fixture
def agent(sqlite, monkeypatch):
    """The agent, in fewer and larger steps than people watch."""
    monkeypatch.setattr(settings, "ASKPOINT", replace(settings.ASKPOINT, demo=True))
    monkeypatch.setattr(demo, "_BATCH", 30)
    monkeypatch.setattr(demo, "BREAKS", 240)
    monkeypatch.setattr(demo, "_MENDED", 60)
    people = {name: User.objects.create(username=name) for name in ("wanda", "paul")}
    demo.begin_agent(people)
    demo.begin_agent(people)  # again it goes on
    return Agent.objects.get()


def lines(agent):
    kept = LogLine.objects.filter(campaign=agent.pk, what__startswith="licence")
    return list(kept.order_by("pk").values_list("what", "about"))


def test_licences_are_earned_and_one_is_lost_after_the_change(agent):
    refund = f"{agent.pk} | refund | up to 50"
    for _ in range(8):
        demo.act(agent.pk)
    assert ("licence earned", refund) in lines(agent)
    assert not [one for one in lines(agent) if one[0] == "licence lost"]
    for _ in range(14):
        demo.act(agent.pk)
        if ("licence lost", refund) in lines(agent):
            break
    assert ("licence lost", refund) in lines(agent)
    assert agent_standing(Agent.objects.get()).state.word == "Lost a licence"
    units = {one.tool: one for one in agent_standing(agent).units}
    assert units["read_order"].state == "licensed"
    assert units["delete_account"].state == "never"
    demo.act(agent.pk)
    assert {one.tool: one for one in agent_standing(agent).units}["refund"].state == "asks"
    verify_agent(Agent.objects.get())
