"""The Agent Approval Protocol as a server: all that its package's own fake provider does, its client against ours."""

from __future__ import annotations

import re
import threading
import uuid
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from django.core.wsgi import get_wsgi_application
from django.db import DatabaseError, connections
from django.utils import timezone

from askpoint.server.api import aap_views
from askpoint.server.licences import aap, door
from askpoint.server.licences.models import ApprovalRequest, LicenceAction
from server.agents import WithAgent
from server.serving import Serving

protocol = pytest.importorskip(
    "agentapprovalprotocol", reason="agentapprovalprotocol is not installed"
)
testing = pytest.importorskip("agentapprovalprotocol.testing")
BASE = "http://localhost/aap"


class Ours:
    """Our server, with what the package's fake provider can do."""

    def __init__(self):
        self.agent = WithAgent()
        self.token = self.agent.token()

    def client(self, token=None, **more):
        through = httpx.WSGITransport(get_wsgi_application(), raise_app_exceptions=False)
        return protocol.Client(
            BASE, token or self.token, http=httpx.Client(transport=through), **more
        )

    def decide(self, key, status="approved"):
        self.agent.decide(key, {"approved": "approve", "denied": "reject"}[status])


class Theirs:
    """The package's fake provider, where nothing is decided at once."""

    def __init__(self):
        self.provider = testing.FakeProvider(auto=None)

    def client(self, **more):
        return self.provider.client(**more)

    def decide(self, key, status="approved"):
        self.provider.decide(key, status)


@pytest.fixture(params=[Ours, Theirs])
def provider(request, sqlite):
    """Each law holds of the package's own provider, and of ours."""
    return request.param()


@pytest.fixture
def ours(sqlite):
    return Ours()


BODY = {
    "tool": "refund",
    "arguments": {"amount": 18.5, "order": 4711, "note": "ä", "list": [1, None, True]},
    "timeout": "10m",
    "agent_reasoning": "charged twice",
    "context": {"call_id": "run-7:call-1"},
}


def conflict(code, call, *args):
    with pytest.raises(protocol.ConflictError) as error:
        call(*args)
    assert error.value.code == code


def test_a_request_is_made_once_and_returned_word_for_word(provider):
    client = provider.client()
    made = client.create(BODY, "k")
    assert made.status == "pending"
    assert (made.tool, made.timeout, made.agent_reasoning) == ("refund", "10m", "charged twice")
    assert made.deadline_at > made.created_at
    assert client.create(BODY, "k") == made
    conflict("idempotency_conflict", client.create, {**BODY, "tool": "mail"}, "k")
    assert client.get(made.id) == made
    with pytest.raises(Exception, match="unavailable"):
        client.get(str(uuid.uuid4()))


def test_an_approval_is_consumed_once(provider):
    client = provider.client()
    made = client.create(BODY, "k")
    conflict("not_approved", client.consume, made.id, "c")
    provider.decide(made.id)
    approved = client.get(made.id)
    assert approved.status == approved.decision.status == "approved"
    assert approved.decision.expires_at > approved.decision.decided_at
    consumed = client.consume(made.id, "c")
    assert consumed.consumption.consumed_at >= approved.decision.decided_at
    assert client.consume(made.id, "c") == consumed
    conflict("already_consumed", client.consume, made.id, "d")


@pytest.mark.parametrize("status", ["succeeded", "failed"])
def test_an_outcome_is_told_once(provider, status):
    client = provider.client()
    made = client.create(BODY, "k")
    provider.decide(made.id)
    conflict("not_consumed", client.report_outcome, made.id, status)
    client.consume(made.id, "c")
    told = client.report_outcome(made.id, status, "done")
    assert told.consumption.outcome.status == status
    assert client.report_outcome(made.id, status, "done") == told
    other = {"succeeded": "failed", "failed": "succeeded"}[status]
    conflict("outcome_conflict", client.report_outcome, made.id, other)


def test_what_is_denied_or_taken_back_is_not_consumed(provider):
    client = provider.client()
    denied = client.create(BODY, "k")
    provider.decide(denied.id, "denied")
    assert client.get(denied.id).decision.status == "denied"
    conflict("not_approved", client.consume, denied.id, "c")
    conflict("already_terminal", client.cancel, denied.id)
    other = client.create({**BODY, "tool": "mail"}, "l")
    cancelled = client.cancel(other.id)
    assert cancelled.status == "cancelled"
    assert client.cancel(other.id) == cancelled


def test_another_token_is_refused(provider):
    client = provider.client()
    client._headers["Authorization"] = "Bearer wrong"
    with pytest.raises(
        protocol.CredentialRefused if hasattr(protocol, "CredentialRefused") else Exception,
        match="credential",
    ):
        client.create(BODY, "k")


def test_a_gate_waits_runs_and_reports(provider):
    client = provider.client()
    gate = protocol.Gate(client, mode="async")
    call = protocol.Call(key="run:1", tool="refund", arguments={"amount": 5})
    pending = gate.check(call)
    assert not pending
    provider.decide(pending.request_id)
    with gate.guard(call) as verdict:
        assert verdict
    assert client.get(verdict.request_id).consumption.outcome.status == "succeeded"
    assert not gate.check(call)  # a retry of a call that ran: it never runs twice


def licensed_body(key, agent):
    return {
        **BODY,
        "arguments": {"amount": 5, "k": key},
        "context": {"agent_version": "1", "agent": agent.id},
    }


def test_a_licence_answers_at_once_and_says_so_in_the_note_alone(ours):
    ours.agent.earn()
    client = ours.client()
    made = client.create(licensed_body(0, ours.agent), "k")
    assert made.status == "approved"
    assert made.decision.note == "askpoint: licensed for refund, up to 50, level 1"
    assert client.consume(made.id, "c").consumption


def test_what_is_never_consumed_is_no_action(ours, monkeypatch):
    ours.agent.earn()
    client = ours.client()
    before = ours.agent.unit()
    for i in range(10):
        assert client.create(licensed_body(i, ours.agent), f"k{i}").status == "approved"
    assert ours.agent.unit().alone == before.alone + 10
    later = timezone.now() + timedelta(minutes=6)
    monkeypatch.setattr(timezone, "now", lambda: later)
    made = client.create(licensed_body(99, ours.agent), "last")
    assert ours.agent.unit().alone == before.alone + 1
    assert ours.agent.cases(labelled=None, purpose="audit").count() <= 1
    first = ApprovalRequest.objects.exclude(pk=made.id).first()
    conflict("approval_expired", client.consume, str(first.pk), "c")
    door.verify_agent(ours.agent.row)


def test_an_approval_that_came_too_late_is_expired(ours, monkeypatch):
    client = ours.client()
    made = client.create(BODY, "k")
    later = timezone.now() + timedelta(minutes=11)
    monkeypatch.setattr(timezone, "now", lambda: later)
    assert client.get(made.id).status == "expired"
    conflict("not_approved", client.consume, made.id, "c")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"tool": 5}, "a request has tool"),
        ({"arguments": [1]}, "a request has arguments"),
        ({"timeout": "soon"}, "timeout is a span as 10m"),
        ({"timeout": "0m"}, "timeout is a span as 10m"),
        ({"extra": 1}, "a request is an object with"),
        ({"server": None}, "none of them null"),
        ({"context": {"agent": "another"}}, "this token is for the agent"),
        ({"tool": "a | b"}, "has a character that a name cannot have"),
    ],
)
def test_what_cannot_be_asked(ours, change, words):
    through = httpx.WSGITransport(get_wsgi_application(), raise_app_exceptions=False)
    headers = {"Authorization": f"Bearer {ours.token}", "Idempotency-Key": "k"}
    with httpx.Client(transport=through) as http:
        answer = http.post(f"{BASE}/v1/requests", json={**BODY, **change}, headers=headers)
        assert answer.status_code == 400
        assert words in answer.json()["error"]["message"]
        del headers["Idempotency-Key"]
        answer = http.post(f"{BASE}/v1/requests", json=BODY, headers=headers)
        assert answer.json()["error"]["code"] == "missing_idempotency_key"
        headers["Idempotency-Key"] = "k"
        answer = http.post(
            f"{BASE}/v1/requests", content=b'{"tool": 1, "tool": 2}', headers=headers
        )
        assert answer.status_code == 400
    assert LicenceAction.objects.count() == 0


def test_a_token_that_is_none_of_an_agents_opens_nothing(ours):
    for token in (ours.agent.token("owner"), ours.agent.token(scope="read"), "askpoint_none"):
        with pytest.raises(Exception, match="refused the instance credential"):
            ours.client(token).create(BODY, "k")


def test_a_store_that_fails_approves_nothing(ours, monkeypatch):
    ours.agent.earn()

    def fail(*_):
        raise DatabaseError("gone")

    monkeypatch.setattr(aap_views, "create_request", fail)
    with pytest.raises(Exception, match="could not be reached"):
        ours.client(retry_budget=0.0).create(licensed_body(1, ours.agent), "k")
    assert ApprovalRequest.objects.count() == 0


def test_who_waits_hears_the_decision(ours, monkeypatch):
    client = ours.client()
    made = client.create(BODY, "k")
    looked = []

    def look(row, really=aap.is_pending):
        looked.append(row)
        if len(looked) == 2:
            ours.decide(made.id)
        return really(row)

    monkeypatch.setattr(aap_views, "is_pending", look)
    monkeypatch.setattr(aap_views, "_LOOK_EVERY", 0.0)
    assert client.get(made.id, wait=5).status == "approved"
    assert len(looked) == 2


def test_two_who_consume_at_once(database):
    ours, done = Ours(), []
    made = ours.client().create(BODY, "k")
    ours.decide(made.id)

    def run(key):
        try:
            done.append(ours.client().consume(made.id, key).id)
        except protocol.ConflictError as error:
            done.append(error.code)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(f"c{i}",)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(done) == sorted([made.id] + ["already_consumed"] * 3)


def test_the_programs_of_the_documentation_run(ours):
    """What docs/how-to/agents.md shows, against a server that listens."""
    text = (Path(__file__).parents[2] / "docs" / "how-to" / "agents.md").read_text("utf-8")
    with Serving([]) as server:
        said = {
            "address": server.address,
            "token": ours.token,
            "agent": ours.agent.id,
            "wait_limit": 0.2,
        }
        for block in re.findall(r"```py\n(.*?)```", text, re.DOTALL):
            exec(block, said)  # noqa: S102 - our own
    said["gate"].client.close()
    assert said["made"].verdict == "ask"
    assert not said["verdict"]  # nobody approved in time, and it was taken back
    assert [one.status for one in LicenceAction.objects.order_by("n")] == ["asked", "withdrawn"]
