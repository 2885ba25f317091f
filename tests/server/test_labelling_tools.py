"""A labelling tool of the owner's: waiting cases go out, signed labels come back."""

from __future__ import annotations

import json
import re
import socket
import time
from datetime import UTC, datetime, timedelta
from functools import partial

from django.test import Client as Browser
from django.urls import reverse
from standardwebhooks import Webhook

import askpoint.server.webhooks.delivery as delivery
import askpoint.server.webhooks.services as webhooks
from askpoint.server.accounts.seats import seats_of
from askpoint.server.deployments import label_signatures, labelling
from askpoint.server.deployments.labelling import IncomingLabel
from askpoint.server.deployments.models import Label
from askpoint.server.deployments.pushing import push_waiting
from askpoint.server.journal.models import LogLine
from askpoint.server.labelling.models import Case
from askpoint.server.outgoing import RemoteResponse, send
from askpoint.server.webhooks.models import Delivery, Endpoint
from server.in_use import InUse
from server.test_webhooks import LOCAL


def endpoint_of(owner, events=("case.waiting",)):
    return webhooks.make_endpoint("main", owner, "https://label.example.org/in", events)


def sent():
    """Deliver all that is due to a tool that takes it; what it was told."""
    told = []

    def take(*_, headers, content, **__):
        told.append((dict(headers), content))
        return RemoteResponse(200, {}, b"")

    while rows := webhooks.claim_due():
        for row in rows:
            delivery.deliver(row, take)
    return told


def test_waiting_cases_go_to_the_tool_without_what_the_machine_says(in_use):
    endpoint = endpoint_of(in_use.wanda)
    endpoint_of(in_use.vera)  # who owns nothing
    endpoint_of(in_use.wanda, ["policy.closed"])
    made = in_use.decide(60)
    wanted = [one.key for one in made if one.action in ("ask", "audit")]
    while push_waiting():
        pass
    labelling.take_labels(in_use.id, [IncomingLabel(wanted[0], "hate", "rosa")])
    labelling.forget(in_use.id, [wanted[1]])
    assert not any("the post" in body for body in Delivery.objects.values_list("body", flat=True))
    told = sent()
    assert {row.endpoint_id for row in Delivery.objects.all()} == {endpoint.pk}
    said = [Webhook(delivery.secret_of(endpoint)).verify(body, head) for head, body in told]
    cases = [case for one in said for case in one["data"]["cases"]]
    assert [case["key"] for case in cases] == wanted[2:]
    assert {tuple(case) for case in cases} == {("key", "case", "opened")}
    assert said[0]["data"]["labels"] == ["fine", "hate"]
    assert push_waiting() == 0
    late = endpoint_of(in_use.wanda)
    assert push_waiting() == min(20, len(wanted) - 2)  # all that waits still
    assert {row.endpoint_id for row in Delivery.objects.filter(state="waiting")} == {late.pk}


def test_a_tool_that_never_answers_fills_no_outbox_and_holds_nobody_up(in_use, monkeypatch):
    monkeypatch.setattr(delivery, "_SECONDS", 0.2)
    monkeypatch.setattr("askpoint.server.deployments.pushing._TOGETHER", 2)
    endpoint = endpoint_of(in_use.wanda)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        here = f"http://127.0.0.1:{silent.getsockname()[1]}/in"
        Endpoint.objects.filter(pk=endpoint.pk).update(url=here)
        in_use.decide(80)
        for _ in range(30):
            push_waiting()
        assert Delivery.objects.count() == 10
        (row,) = webhooks.claim_due()
        begun = time.monotonic()
        delivery.deliver(row, partial(send, reach=LOCAL))
        assert time.monotonic() - begun < 2
    row.refresh_from_db()
    assert (row.state, row.status, row.said[:7]) == ("waiting", None, "timeout")
    assert Case.objects.filter(labelled=None).count() > 20
    Delivery.objects.update(state="failed")
    assert push_waiting() == 2  # what waited here


def signed(secret, labels, *, at=None, name="msg_1"):
    body = json.dumps({"type": "labels.made", "data": {"items": labels}})
    at = at or datetime.now(UTC)
    return body, {
        "webhook-id": name,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": Webhook(secret).sign(name, at, body),
    }


def post(in_use, body, headers):
    path = f"/api/classifiers/{in_use.id}/labels/signed"
    return Browser().post(path, body, content_type="application/json", headers=headers)


def test_signed_labels_come_in_and_nothing_else_does(in_use):
    key = next(one.key for one in in_use.decide(20) if one.action == "ask")
    labels = [{"key": key, "label": "hate", "judge": "tool/anna"}]
    message = signed(webhooks_secret(), labels)
    assert post(in_use, *message).status_code == 401  # no secret was made
    secret = label_signatures.open_hook(in_use.id)
    message = signed(secret, labels)
    said = post(in_use, *message)
    assert (said.status_code, said.json()["kept"], said.json()["counted"]) == (200, 1, 1)
    again = post(in_use, *message)  # replayed, or sent again for want of an answer
    assert (again.status_code, again.json()["kept"]) == (200, 0)
    in_use.row.refresh_from_db()
    named = f"tool:{in_use.row.hook[:6]}:tool/anna"
    assert list(Label.objects.values_list("key", "judge")) == [(key, named)]
    body, head = message
    wrong = [
        (body.replace("hate", "fine"), head),
        (body, {**head, "webhook-id": "msg_2"}),
        (body, {**head, "webhook-signature": "v1"}),
        (body, {**head, "webhook-signature": "v1,=not base 64="}),
        (body, {}),
        signed(webhooks_secret(), labels),
        signed(secret, labels, at=datetime.now(UTC) - timedelta(minutes=6)),  # clocks apart, or old
        signed(secret, labels, at=datetime.now(UTC) + timedelta(minutes=6)),
    ]
    for one in wrong:
        answer = post(in_use, *one)
        assert (answer.status_code, answer.json()["type"]) == (401, "signature"), one
    assert post(in_use, b"\xff\xfe", head).status_code == 401
    other = InUse()
    assert post(other, *message).status_code == 401
    unknown = post(in_use, *signed(secret, [{"key": "never", "label": "hate"}]))
    assert (unknown.status_code, unknown.json()["type"]) == (409, "unknown-key")
    bad = post(in_use, *signed(secret, [{"key": "a\0b", "label": "hate"}]))
    assert bad.status_code == 400
    assert post(in_use, *signed(secret, "none")).status_code == 422
    new = label_signatures.open_hook(in_use.id)
    assert post(in_use, *message).status_code == 401  # the old secret holds no more
    label_signatures.close_hook(in_use.id)
    assert post(in_use, *signed(new, labels)).status_code == 401
    assert Label.objects.count() == 1


def test_a_tool_neither_knows_answers_nor_speaks_as_a_member(in_use):
    asked = [one.key for one in in_use.decide(40) if one.action == "ask"]
    secret = label_signatures.open_hook(in_use.id)
    gold = {"key": "known", "label": "hate", "source": "gold", "truth": "fine", "judge": "rosa"}
    refused = post(in_use, *signed(secret, [{"key": asked[0], "label": "hate"}, gold]))
    assert refused.status_code == 422
    assert "An owner brings known answers" in refused.json()["detail"]
    assert Label.objects.count() == 0
    body, head = signed(secret, [{"key": asked[0], "label": "hate", "judge": "rosa"}])
    assert post(in_use, body, head).json()["kept"] == 1
    new = label_signatures.open_hook(in_use.id)
    label = {"key": asked[1], "label": "hate", "judge": "rosa"}
    assert post(in_use, *signed(new, [label])).json()["kept"] == 1
    judges = set(Label.objects.values_list("judge", flat=True))
    assert len(judges) == 2  # two secrets are two tools
    assert "rosa" not in judges
    assert all(judge.startswith("tool:") and judge.endswith(":rosa") for judge in judges)


def webhooks_secret():
    return "whsec_" + "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


def test_an_owner_who_organises_nothing_is_told_and_reads_the_log(in_use, enter):
    assert not seats_of(in_use.wanda)
    browser = enter(in_use.wanda)
    assert "Notifications" in browser.get("/").content.decode()
    page = re.sub(r' id="id_events_\d+"', "", browser.get(reverse("webhooks")).content.decode())
    assert 'value="policy.closed" checked' in page
    assert 'value="case.waiting" checked' not in page
    assert 'value="case.waiting"' in page
    form = {"action": "add", "url": "https://alarm.example.org/", "events": ["people.alarm"]}
    assert "shown only once" in browser.post(reverse("webhooks"), form).content.decode()
    work = reverse("work", args=[in_use.id])
    page = browser.post(work, {"hook": "open"}).content.decode()
    assert "whsec_" in page
    assert "whsec_" not in browser.get(work).content.decode()
    browser.post(work, {"hook": "close"})
    assert "No secret yet" in browser.get(work).content.decode()
    log = browser.get(reverse("log")).content.decode()
    assert "secret for labels made" in log
    assert "policy adopted" in log
    LogLine.objects.create(
        at=datetime.now(UTC), who="olga", what="elsewhere", campaign="other", said={}
    )
    assert "elsewhere" not in browser.get(reverse("log")).content.decode()
    assert enter(in_use.rosa).get(reverse("log")).status_code == 404
