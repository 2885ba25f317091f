"""Instances of the Agent Approval Protocol: what its package's fake provider does, its receiver against ours."""

from __future__ import annotations

import asyncio
import base64
import json
import threading
import uuid
from contextlib import contextmanager
from datetime import timedelta

import httpx
import pytest
from django.db import connections
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from askpoint.server.api import aap_instances
from askpoint.server.api.models import Token
from askpoint.server.licences import door
from askpoint.server.licences.models import AgentInstance, ApprovalRequest, LicenceAction
from askpoint.server.outgoing import OutgoingError, RemoteResponse
from askpoint.server.webhooks import delivery
from askpoint.server.webhooks.models import Delivery, Endpoint
from askpoint.server.webhooks.services import claim_due, make_endpoint
from server.agents import WithAgent
from server.serving import Serving
from server.test_aap import BODY, conflict

protocol = pytest.importorskip(
    "agentapprovalprotocol", reason="agentapprovalprotocol is not installed"
)
testing = pytest.importorskip("agentapprovalprotocol.testing")
receiving = pytest.importorskip("agentapprovalprotocol.receiver")
URL = "https://agent.example.org/woken"


class Ours:
    """Our server, which listens; what it sends reaches receivers of this process."""

    def __init__(self, monkeypatch):
        self.agent = WithAgent()
        self.token = self.agent.token("owner")
        self.receivers = {}
        self._server = Serving([])
        monkeypatch.setattr(aap_instances.make_instance, "__defaults__", (self._post,))

    def __enter__(self):
        self.url = self._server.__enter__().address + "/aap"
        return self

    def __exit__(self, *problem):
        self._server.__exit__(*problem)

    def _post(self, url, secret, name, body):
        return delivery.send_signed(url, secret, name, body, self.reach)

    def reach(self, _, url, *, headers, content, **_limits):
        """Send as the server does, to whoever listens at an address here."""
        if str(url) not in self.receivers:
            raise OutgoingError("unreachable", "nobody listens there")
        status, body = asyncio.run(self.receivers[str(url)](headers, content))
        return RemoteResponse(status, httpx.Headers(), body)

    def http(self):
        return None

    def decide(self, key):
        self.agent.decide(key)

    def send(self):
        """Send what is due, as the background does; its kinds."""
        rows = claim_due()
        for row in rows:
            delivery.deliver(row, self.reach)
        return [row.kind for row in rows]


class Theirs:
    """The package's fake provider."""

    url, token = testing.BASE_URL, testing.PROVISIONER_TOKEN

    def __init__(self, _):
        self.provider = testing.FakeProvider(auto=None)
        self.receivers, self.http = self.provider.receivers, self.provider.async_http

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        pass


@pytest.fixture(params=[Ours, Theirs])
def provider(request, sqlite, monkeypatch):
    """Each law of provisioning holds of the package's own provider, and of ours."""
    with request.param(monkeypatch) as provider:
        yield provider


@pytest.fixture
def ours(sqlite, monkeypatch):
    with Ours(monkeypatch) as provider:
        yield provider


def receiver(**more):
    return receiving.Receiver(resumers={}, **more)


def provision(provider, one, **more):
    given = {"provider_url": provider.url, "provisioner_token": provider.token, "url": URL}
    return asyncio.run(one.provision(**{**given, "http": provider.http(), **more}))


def test_an_instance_is_made_once_where_its_receiver_returns_the_challenge(provider):
    one = receiver(secret=receiving.new_secret(), registration_id="first")
    provider.receivers[URL] = one.handle
    made = provision(provider, one, instance_name="mailer")
    assert (made.instance_name, one.instance_id) == ("mailer", made.instance_id)
    assert made.expires_at
    again = provision(provider, receiver(secret=one.secret, registration_id="first"), instance_name="mailer")  # fmt: skip
    assert (again.instance_id, again.instance_name) == (made.instance_id, "mailer")
    assert (again.token, again.expires_at) == (made.token, made.expires_at)
    with pytest.raises(protocol.ProvisionError, match="idempotency_conflict"):
        provision(provider, receiver(secret=one.secret, registration_id="first"))


def test_a_nameless_instance_is_named_by_its_id(provider):
    one = receiver()
    provider.receivers[URL] = one.handle
    made = provision(provider, one)
    assert made.instance_name == f"instance-{made.instance_id[:8]}"


async def _wrong(headers, body):
    return 200, b'{"challenge": "another"}'


async def _nothing(headers, body):
    return 200, b""


async def _refusing(headers, body):
    return 403, json.dumps({"challenge": json.loads(body)["challenge"]}).encode()


@pytest.mark.parametrize("listens", [None, _wrong, _nothing, _refusing])
def test_a_receiver_that_does_not_return_the_challenge_gets_no_instance(provider, listens):
    if listens is not None:
        provider.receivers[URL] = listens
    with pytest.raises(protocol.WebhookVerificationFailed):
        provision(provider, receiver())
    if isinstance(provider, Ours):
        assert not AgentInstance.objects.exists()
        assert not Endpoint.objects.exists()
        assert Token.objects.count() == 1


def test_another_token_provisions_nothing(provider):
    with pytest.raises(protocol.ProvisionError, match="401"):
        provision(provider, receiver(), provisioner_token="wrong")  # noqa: S106 - a wrong one


def made_instance(ours, name="mailer", url=URL):
    one = receiver()
    ours.receivers[url] = one.handle
    return provision(ours, one, instance_name=name, url=url)


@contextmanager
def client(ours, token):
    made = protocol.Client(ours.url, token)
    try:
        yield made
    finally:
        made.close()


def test_a_program_of_an_owner_that_may_not_write_or_is_not_limited_provisions_nothing(ours):
    for token in (ours.agent.token(), ours.agent.token("owner", "read"), ours.agent.token("viewer", who="vera")):  # fmt: skip
        with pytest.raises(protocol.ProvisionError, match="401"):
            provision(ours, receiver(), provisioner_token=token)
    Token.objects.filter(role="owner").update(resource="")
    with pytest.raises(protocol.ProvisionError, match="401"):
        provision(ours, receiver())


def test_an_instance_asks_and_hears_of_its_own_requests_alone(ours):
    mailer = made_instance(ours)
    other = made_instance(ours, "other", "https://other.example.org/")
    with client(ours, mailer.token) as mine, client(ours, other.token) as theirs:
        made = mine.create(BODY, "k")
        assert made.status == "pending"
        assert theirs.create(BODY, "k").id != made.id  # a key of its own
        with pytest.raises(Exception, match="unavailable"):
            theirs.get(made.id)
    with client(ours, ours.agent.token()) as by_hand, pytest.raises(Exception, match="unavailable"):
        by_hand.get(made.id)
    assert ours.send() == []  # nobody has decided
    woken = []
    ours.receivers[URL] = _listening(mailer, woken)
    ours.receivers["https://other.example.org/"] = _listening(other, woken)
    ours.decide(made.id)
    assert ours.send() == ["request.resolved"]
    assert [(one["instance_id"], one["request_id"]) for one in woken] == [(mailer.instance_id, made.id)]  # fmt: skip
    assert Delivery.objects.get(event=uuid.UUID(made.id).hex).state == "delivered"
    assert ours.send() == []


def _listening(instance, woken):
    async def handle(headers, body):
        woken.append(receiving.verify(instance.secret, headers, body))
        return 204, b""

    return handle


@pytest.mark.parametrize("how", ["queue", "cancel"])
def test_a_request_is_resolved_by_the_queue_and_by_its_program(ours, how):
    mailer = made_instance(ours)
    with client(ours, mailer.token) as mine:
        made = mine.create(BODY, "k")
        if how == "queue":
            assert ours.agent.answer("Do not run it") == made.id
        else:
            mine.cancel(made.id)
    assert ours.send() == ["request.resolved"]


def test_a_request_that_nobody_answers_is_resolved_at_its_deadline(ours, monkeypatch):
    mailer = made_instance(ours)
    with client(ours, mailer.token) as mine:
        made = mine.create(BODY, "k")
        assert ours.send() == []
        later = timezone.now() + timedelta(minutes=11)
        monkeypatch.setattr(timezone, "now", lambda: later)
        woken = []
        ours.receivers[URL] = _listening(mailer, woken)
        monkeypatch.setattr(receiving.time, "time", later.timestamp)
        assert ours.send() == ["request.resolved"]
        assert [one["request_id"] for one in woken] == [made.id]
        assert mine.get(made.id).status == "expired"


def test_what_is_approved_at_once_is_told_in_the_answer(ours):
    ours.agent.earn()
    mailer = made_instance(ours)
    with client(ours, mailer.token) as mine:
        body = {**BODY, "arguments": {"amount": 5}, "context": {"agent_version": "1"}}
        assert mine.create(body, "k").status == "approved"
    assert not Delivery.objects.exists()


def test_a_whole_run_waits_for_a_person_and_is_woken(ours):
    """The package's own gate: it pauses, the receiver is woken, fetches the decision and goes on."""
    resumed = []

    def resume(handle, request):
        resumed.append((handle["framework"], request.status))

    one = receiving.Receiver(resumers={"mine": resume})
    ours.receivers[URL] = one.handle
    made = provision(ours, one)
    with client(ours, made.token) as mine:
        asked = mine.create({**BODY, "context": {"resume": {"framework": "mine"}}}, "k")
    ours.decide(asked.id)

    async def handle(headers, body):
        answer = await one.handle(headers, body)
        await asyncio.gather(*one._tasks)
        await one.client.aclose()
        return answer

    one.client = protocol.AsyncClient(ours.url, made.token)
    ours.receivers[URL] = handle
    assert ours.send() == ["request.resolved"]
    assert resumed == [("mine", "approved")]


def test_an_owner_removes_a_program(ours):
    mailer = made_instance(ours)
    with client(ours, mailer.token) as mine:
        mine.create(BODY, "k")
        browser = Client()
        browser.force_login(ours.agent.wanda)
        page = reverse("agent-people", args=[ours.agent.id])
        assert URL in browser.get(page).content.decode()
        for _ in range(2):
            browser.post(page, {"instance": mailer.instance_id})
        assert URL not in browser.get(page).content.decode()
        with pytest.raises(Exception, match="refused the instance credential"):
            mine.create(BODY, "l")
    assert list(Delivery.objects.values_list("state", flat=True)) == ["dropped"]
    browser.post(page, {"instance": "no id"})
    assert AgentInstance.objects.filter(removed=None).count() == 0


def test_the_page_of_notifications_shows_what_failed_alone(ours):
    mailer = made_instance(ours)
    browser = Client()
    browser.force_login(ours.agent.wanda)
    with client(ours, mailer.token) as mine:
        mine.create(BODY, "k")
    make_endpoint(ours.agent.row.workspace_id, ours.agent.wanda, "https://hooks.example.org/", ["licence.lost"])  # fmt: skip
    said = browser.get(reverse("webhooks")).content.decode()
    assert "hooks.example.org" in said
    assert URL not in said
    Delivery.objects.update(state="failed", said="answered with 500")
    assert URL in browser.get(reverse("webhooks")).content.decode()


SECRET = "whsec_" + base64.b64encode(b"x" * 32).decode()
GOOD = {"type": "webhook", "url": URL, "registration_id": "r", "signing_secret": SECRET}


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ([], "an instance is an object"),
        ({"instance_name": None}, "none of them null"),
        ({"strange": 1}, "an instance is an object"),
        ({"instance_name": "x" * 81}, "at most 80"),
        ({"instance_name": "a\nb"}, "instance_name is a text"),
        ({"delivery": {}}, "delivery is an object with the texts"),
        ({"delivery": {**GOOD, "url": 5}}, "delivery is an object with the texts"),
        ({"delivery": {**GOOD, "type": "pigeon"}}, "of the type webhook"),
        ({"delivery": {**GOOD, "url": "http://agent.example.org"}}, "starts with https://"),
        ({"delivery": {**GOOD, "registration_id": ""}}, "registration_id has"),
        ({"delivery": {**GOOD, "signing_secret": "whsec_eHh4"}}, "24 to 64 bytes"),
        ({"delivery": {**GOOD, "signing_secret": SECRET[6:]}}, "signing_secret is whsec_"),
        ({"delivery": {**GOOD, "signing_secret": "whsec_%"}}, "signing_secret is whsec_"),
    ],
)
def test_what_is_no_instance(ours, body, words):
    headers = {"Authorization": f"Bearer {ours.token}", "Idempotency-Key": "k"}
    answer = httpx.post(f"{ours.url}/v1/instances", json=body, headers=headers)
    assert answer.status_code == 400
    assert words in answer.json()["error"]["message"]
    del headers["Idempotency-Key"]
    answer = httpx.post(f"{ours.url}/v1/instances", json={}, headers=headers)
    assert answer.json()["error"]["code"] == "missing_idempotency_key"
    assert httpx.get(f"{ours.url}/v1/instances", headers=headers).status_code == 405


def test_secrets_are_not_in_the_database(ours):
    mailer = made_instance(ours)
    row = AgentInstance.objects.get()
    assert mailer.secret.encode() not in bytes(row.secret)
    said = json.dumps([list(map(str, one)) for one in Token.objects.values_list()])
    assert mailer.token not in said


def test_an_instance_that_hears_nothing_polls(ours):
    headers = {"Authorization": f"Bearer {ours.token}", "Idempotency-Key": "k"}
    made = httpx.post(f"{ours.url}/v1/instances", json={"instance_name": "p"}, headers=headers)
    assert made.status_code == 201
    assert httpx.post(f"{ours.url}/v1/instances", json={"instance_name": "p"}, headers=headers).status_code == 200  # fmt: skip
    with client(ours, made.json()["credential"]["token"]) as mine:
        asked = mine.create(BODY, "k")
        ours.decide(asked.id)
        assert mine.get(asked.id).status == "approved"
        conflict("idempotency_conflict", mine.create, {**BODY, "tool": "mail"}, "k")
    assert not Delivery.objects.exists()
    door.verify_agent(ours.agent.row)
    assert ApprovalRequest.objects.count() == LicenceAction.objects.count() == 1


def test_many_who_provision_with_one_key_get_one_instance(database, monkeypatch):
    with Ours(monkeypatch) as ours:
        one = receiver(secret=SECRET, registration_id="r")
        ours.receivers[URL] = one.handle
        found = []

        def run():
            try:
                found.append(provision(ours, receiver(secret=SECRET, registration_id="r")).token)
            finally:
                connections.close_all()

        threads = [threading.Thread(target=run) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(found) == 4
        assert len(set(found)) == AgentInstance.objects.count() == 1
