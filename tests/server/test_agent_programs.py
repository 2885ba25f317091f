"""What programs say to the door: our own API, and events of AAIS 1.0."""

from __future__ import annotations

import json

import httpx
import pytest
from django.core.wsgi import get_wsgi_application
from hypothesis import given, strategies as st

from askpoint import Client, InputError, RuleError
from askpoint.records.aais import action_digest, read_aais_event
from askpoint.server.licences import door
from server.agents import WithAgent

aais = pytest.importorskip("aais", reason="agent-approval-interchange is not installed")


@pytest.fixture
def agent(sqlite):
    return WithAgent()


@pytest.fixture
def programs(agent):
    """The agent's program, and its owner's."""
    through = httpx.WSGITransport(get_wsgi_application(), raise_app_exceptions=False)
    return [
        Client("http://localhost", agent.token(role), transport=through)
        for role in ("agent", "owner")
    ]


def test_a_day_of_an_agents_program(agent, programs):
    bot, owner = programs
    made = bot.propose_action(agent.id, "a", "refund", {"amount": 20}, context={"why": "twice"})
    assert (made.verdict, made.unit) == ("ask", f"{agent.id} | refund | up to 50")
    assert bot.propose_action(agent.id, "a", "refund", {"amount": 20}) == made
    with pytest.raises(RuleError, match="was proposed with another action"):
        bot.propose_action(agent.id, "a", "refund", {"amount": 21})
    agent.answer()
    assert bot.action(agent.id, "a").verdict == "allow"
    assert bot.tell_outcome(agent.id, "a", "succeeded").status == "approved"
    assert bot.undo_action(agent.id, "a").verdict == "allow"
    bot.propose_action(agent.id, "b", "mail", {"to": "x"})
    assert bot.withdraw_action(agent.id, "b").status == "withdrawn"
    (status,) = owner.agents()
    assert (status.state, status.to_read) == ("Asks about everything", 0)
    assert [one.tool for one in status.units] == ["mail", "refund"]
    agent.earn()
    unit = f"{agent.id} | refund | up to 50"
    assert {one.unit: one.missing for one in owner.agent(agent.id).units}[unit] is None
    assert owner.agent(agent.id).state == "Acts alone"
    lost = owner.revoke_licence(agent.id, unit, "a holiday")
    assert lost.state == "Lost a licence"
    assert lost.why == "It asks before refund, up to 50 again: revoked by wanda: a holiday."
    owner.sign_licence(agent.id, unit)
    with pytest.raises(RuleError, match="this is for owners"):
        bot.sign_licence(agent.id, unit)
    agent.earn()
    status = owner.declare_minor_version(agent.id, "1.1", "1")
    assert [one.is_carried for one in status.units] == [False] * len(status.units)
    assert bot.propose_action(agent.id, "m", "refund", {"amount": 3}, version="1.1").level == 1
    found = {one.unit: one for one in owner.agent(agent.id).units}[unit]
    assert (found.is_carried, found.version, found.labels) == (True, "1.1", 0)
    with pytest.raises(RuleError, match="has proposed actions already"):
        owner.declare_minor_version(agent.id, "1.1", "1")
    with pytest.raises(RuleError, match="this is for owners"):
        bot.declare_minor_version(agent.id, "1.2", "1.1")
    with pytest.raises(RuleError, match="this is for agents"):
        owner.propose_action(agent.id, "c", "mail")
    with pytest.raises((InputError, RuleError), match="a text of 1 to 200"):
        bot.propose_action(agent.id, "c", "mail", version="")


def test_events_are_valid_and_read_by_another_door(agent, programs):
    _, owner = programs
    agent.propose("asked", arguments={"amount": 20.0, "rate": 1e-7, "text": "ü€\u2028\x07"})
    agent.propose("yes")
    agent.propose("no")
    agent.propose("denied", tool="format", arguments={})
    agent.decide("yes")
    agent.decide("no", "reject")
    events = owner.agent_events(agent.id)
    for event in events:
        assert aais.validate(event) == event
    assert [event["type"].split(".")[1] for event in events] == ["requested"] * 1 + [
        "requested", "decided"] * 3  # fmt: skip
    actors = [event["decision"]["actor"] for event in events if "decision" in event]
    assert [one["type"] for one in actors] == ["human", "human", "policy"]
    other = WithAgent.__new__(WithAgent)
    from askpoint.server.licences.agents import make_agent
    from server.agents import TERMS

    other.id = make_agent(agent.row.workspace_id, agent.wanda, "Another", TERMS).pk
    read = Client.read_agent_events(owner_of(agent, other), other.id, events)
    assert read.read == len(events) - 1
    assert read.left_out == {"not-asked": 1} or read.left_out == {"decided": 1}
    again = Client.read_agent_events(owner_of(agent, other), other.id, events)
    assert again.left_out == read.left_out
    (unit,) = [one for one in other.standing.units if one.name == "up to 50"]
    assert (unit.labels + unit.waiting, unit.asked) == (3, 3)
    door.verify_agent(other.row)


def owner_of(agent, other):
    """The owner's program for another agent."""
    from askpoint.server.api.tokens import make_token

    token = make_token(agent.wanda, "owner", label="x", scope="write", resource=other.id)[1]
    through = httpx.WSGITransport(get_wsgi_application(), raise_app_exceptions=False)
    return Client("http://localhost", token, transport=through)


@pytest.mark.parametrize(
    ("event", "message"),
    [
        ({}, 'an event of AAIS has "aais": "1.0"'),
        ({"aais": "1.0", "type": "approval.requested"}, "the event has no request"),
        ({"aais": "1.0", "type": "approval.decided", "decision": {"actor": {}, "decision": "approve"}}, "no request_id"),
        ({"aais": "1.0", "type": "approval.decided", "decision": {"actor": {}, "decision": "maybe"}}, "a decision is"),
    ],
)  # fmt: skip
def test_what_is_no_event_is_refused(agent, programs, event, message):
    with pytest.raises((InputError, RuleError), match=message):
        programs[1].read_agent_events(agent.id, [event])
    assert agent.row.entries == 0


def test_a_snapshot_says_nothing_new():
    assert read_aais_event({"aais": "1.0", "type": "approval.snapshot"}) is None


@given(
    st.recursive(
        st.none() | st.booleans() | st.text() | st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(allow_nan=False, allow_infinity=False),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=8,
    )
)  # fmt: skip
def test_a_digest_is_that_of_rfc_8785(value):
    """Another library's canonical JSON."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return
    action = {"arguments": value}
    assert action_digest(action) == aais.action_digest(action)
