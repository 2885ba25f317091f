"""Webhooks: stored with what happened, signed, sent again, and never to a private address."""

from __future__ import annotations

import http.server
import ipaddress
import json
import socket
import threading
import time
from datetime import timedelta
from email import message_from_bytes
from email.policy import default
from functools import partial

import pytest
from allauth.account.models import EmailAddress
from django.db import transaction
from django.utils import timezone
from standardwebhooks import Webhook, WebhookVerificationError

from askpoint.arena.server.campaigns import services as campaigns
from askpoint.arena.server.payouts import services as payouts
from askpoint.errors import InputError
from askpoint.records import senders
from askpoint.records.notifications import Notifier
from askpoint.records.notifiers import NOTIFIERS
from askpoint.server.addresses import Reach
from askpoint.server.outgoing import RemoteResponse, send
from askpoint.server.webhooks.delivery import RETRIES, deliver, secret_of, send_test
from askpoint.server.webhooks.models import Delivery, Endpoint
from askpoint.server.webhooks.outbox import DownWatch, Postman
from askpoint.server.webhooks.services import (
    EVENTS,
    announce,
    claim_due,
    make_endpoint,
    remove_endpoint,
    send_again,
)
from postbox import mail_server

LOCAL = Reach(networks=(ipaddress.ip_network("127.0.0.0/8"),))


@pytest.fixture
def endpoint(stage):
    """Olga's, which wants all."""
    return make_endpoint("main", stage.olga, "https://hooks.example.org/in", EVENTS)


@pytest.fixture
def there():
    """A server that takes what it is sent, and answers as it is told; its address."""
    taken = []

    class Hook(http.server.BaseHTTPRequestHandler):
        status = 200

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            taken.append((dict(self.headers), body))
            self.send_response(self.status)
            self.send_header("Location", "/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hook)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/in", Hook, taken
    server.shutdown()
    server.server_close()


def kinds():
    return list(Delivery.objects.order_by("pk").values_list("kind", flat=True))


def test_what_happens_is_told_and_what_is_undone_is_not(stage, endpoint):
    case = stage.submit("you are not from here").pk
    for name in ("bob", "beth"):
        stage.vote(name, "offensive")
    row = payouts.withdraw("main", stage.alice)
    payouts.hand_out("main", {"alice"})
    payouts.receive("main", [(row.pk, "bank 1")], {"alice"})
    payouts.answer_payout(stage.alice, row.pk, came=True)
    campaigns.change_state(stage.id, "close")
    with transaction.atomic():
        announce("main", "model.down", [stage.olga.pk], {})
        transaction.set_rollback(True)
    assert kinds() == ["ruling.made", "payout.planned", "payout.sent", "campaign.closed"]
    said = json.loads(Delivery.objects.first().body)
    assert said["type"] == "ruling.made"
    assert said["data"]["case"] == case
    assert said["data"]["answer"] == "offensive"
    with pytest.raises(InputError, match="no event"):
        announce("main", "rulings", [stage.olga.pk], {})


def test_only_who_wants_it_is_told(stage, endpoint):
    Endpoint.objects.update(events=["model.down"])
    make_endpoint("main", stage.charlie, "https://other.example.org", EVENTS)
    campaigns.change_state(stage.id, "close")
    assert kinds() == []


def test_a_delivery_is_signed_as_the_standard_says(stage, endpoint, there):
    address, _, taken = there
    Endpoint.objects.update(url=address)
    announce("main", "model.down", [stage.olga.pk], {"model": "toy"})
    (row,) = claim_due()
    assert claim_due() == []  # it is held
    deliver(row, partial(send, reach=LOCAL))
    row.refresh_from_db()
    assert (row.state, row.status, row.attempts) == ("delivered", 200, 1)
    headers, body = taken[0]
    said = Webhook(secret_of(endpoint)).verify(body, headers)
    assert said["data"] == {"model": "toy"}
    assert headers["Webhook-Id" if "Webhook-Id" in headers else "webhook-id"] == row.event
    with pytest.raises(WebhookVerificationError):
        Webhook(secret_of(endpoint)).verify(body + b" ", headers)
    other = make_endpoint("main", stage.olga, "https://hooks.example.org/in", EVENTS)
    with pytest.raises(WebhookVerificationError):
        Webhook(secret_of(other)).verify(body, headers)
    assert secret_of(endpoint) not in str(list(Endpoint.objects.values()))


def test_what_fails_is_sent_again_later_and_later_and_then_no_more(stage, endpoint):
    announce("main", "model.down", [stage.olga.pk], {})
    waits = []
    while (row := Delivery.objects.get()).state == "waiting":
        Delivery.objects.update(due=timezone.now())
        (claimed,) = claim_due()
        deliver(claimed, lambda *_, **__: RemoteResponse(500, None, b""))
        row.refresh_from_db()
        if row.due:
            waits.append(round((row.due - row.at).total_seconds()))
    assert tuple(waits) == RETRIES
    assert (row.state, row.said, row.attempts) == ("failed", "answered with 500", 10)
    assert send_again("main", stage.olga, row.pk)
    assert not send_again("main", stage.alice, row.pk)
    assert len(claim_due()) == 1


def test_a_chat_room_is_told_in_words_with_a_link_and_no_contents(stage, there):
    address, _, taken = there
    made = make_endpoint("main", stage.olga, "https://chat.example.org/T1", EVENTS, "chat")
    Endpoint.objects.filter(pk=made.pk).update(url=address)
    data = {"title": "Posts", "what": "an alarm", "page": "https://ours.example.org/classifiers/p/"}
    announce("main", "policy.closed", [stage.olga.pk], data)
    deliver(claim_due()[0], partial(send, reach=LOCAL))
    headers, body = taken[0]
    assert json.loads(body) == {
        "text": "*Posts: every case goes to review*\n"
        "every case goes to review: an alarm\n"
        "https://ours.example.org/classifiers/p/"
    }
    assert not any(name.lower().startswith("webhook-") for name in headers)
    with pytest.raises(InputError, match="must start with https"):
        make_endpoint("main", stage.olga, "http://chat.example.org/T1", EVENTS, "chat")


def test_no_chat_room_on_a_private_address_is_reached(stage, there):
    address, _, taken = there
    made = make_endpoint("main", stage.olga, "https://chat.example.org/T1", EVENTS, "chat")
    Endpoint.objects.filter(pk=made.pk).update(url=address)
    row = send_test("main", stage.olga, made.pk)
    assert row.said.startswith("refused")
    assert not taken


def test_a_test_arrives_at_once_and_is_tried_once(stage, endpoint, there):
    address, hook, taken = there
    Endpoint.objects.update(url=address)
    row = send_test("main", stage.olga, endpoint.pk, partial(send, reach=LOCAL))
    assert (row.state, row.status, row.due) == ("delivered", 200, None)
    hook.status = 500
    row = send_test("main", stage.olga, endpoint.pk, partial(send, reach=LOCAL))
    assert (row.state, row.said, row.due) == ("failed", "answered with 500", None)
    assert len(taken) == 2
    assert claim_due() == []
    assert send_test("main", stage.alice, endpoint.pk) is None


def test_the_page_says_whether_the_test_arrived(stage, endpoint, enter):
    Endpoint.objects.update(url="https://127.0.0.1/in")
    form = {"action": "test", "key": str(endpoint.pk)}
    page = enter(stage.olga).post("/webhooks/", form, follow=True).content.decode()
    assert "The test did not arrive: refused" in page


def test_mail_goes_to_its_owners_confirmed_address_and_to_no_other(stage, enter, monkeypatch):
    monkeypatch.delenv("ASKPOINT_SMTP", raising=False)
    with pytest.raises(InputError, match="a notifier"):  # the server sends none
        make_endpoint("main", stage.olga, "olga@example.org", EVENTS, "mail")
    with mail_server() as server:
        monkeypatch.setenv("ASKPOINT_SMTP", f"smtp://127.0.0.1:{server.server_address[1]}")
        for address in ("olga@example.org", "somebody.else@example.org"):
            with pytest.raises(InputError, match="only to an address that you confirmed"):
                make_endpoint("main", stage.olga, address, EVENTS, "mail")
        mine = EmailAddress.objects.create(user=stage.olga, email="olga@example.org", verified=True)
        made = make_endpoint("main", stage.olga, "Olga@example.org", EVENTS, "mail")
        assert "mailbox gets a notification" in enter(stage.olga).get("/webhooks/").content.decode()
        data = {"title": "Posts", "what": "an alarm", "page": "https://ours.example.org/c/p/"}
        announce("main", "policy.closed", [stage.olga.pk], data)
        (row,) = claim_due()
        deliver(row)
        mail = message_from_bytes(server.heard[0].encode(), policy=default)
        assert mail["Subject"] == "Posts: every case goes to review"
        assert mail.get_content().splitlines()[1] == "https://ours.example.org/c/p/"
        assert mail["Message-ID"] == f"<{row.event}@askpoint>"
        mine.delete()  # taken away meanwhile
        assert "no longer confirmed" in send_test("main", stage.olga, made.pk).said
        assert len(server.heard) == 1


def test_a_mail_server_that_hangs_is_given_up_and_tried_later(stage, monkeypatch):
    EmailAddress.objects.create(user=stage.olga, email="olga@example.org", verified=True)
    with socket.create_server(("127.0.0.1", 0)) as silent:  # it takes the call and says nothing
        monkeypatch.setenv("ASKPOINT_SMTP", f"smtp://127.0.0.1:{silent.getsockname()[1]}")
        monkeypatch.setattr(senders, "_SECONDS", 0.2)
        make_endpoint("main", stage.olga, "olga@example.org", EVENTS, "mail")
        announce("main", "policy.closed", [stage.olga.pk], {"title": "Posts"})
        (row,) = claim_due()
        began = time.monotonic()
        deliver(row)
        assert time.monotonic() - began < 5
    row.refresh_from_db()
    assert (row.state, row.attempts) == ("waiting", 1)
    assert "timed out" in row.said
    assert round((row.due - row.at).total_seconds()) >= RETRIES[0]


@pytest.mark.parametrize("status", [301, 307])
def test_no_redirect_is_followed(stage, endpoint, there, status):
    address, hook, taken = there
    hook.status = status
    Endpoint.objects.update(url=address)
    announce("main", "model.down", [stage.olga.pk], {})
    deliver(claim_due()[0], partial(send, reach=LOCAL))
    assert len(taken) == 1
    assert Delivery.objects.get().said == f"answered with {status}"


def test_no_private_address_is_reached(stage, endpoint, there):
    address, _, taken = there
    Endpoint.objects.update(url=address)
    announce("main", "model.down", [stage.olga.pk], {})
    deliver(claim_due()[0])
    row = Delivery.objects.get()
    assert (row.state, row.status) == ("waiting", None)
    assert row.said.startswith("refused")
    assert not taken


def test_who_is_gone_is_told_nothing_more(stage, endpoint):
    for _ in range(2):
        announce("main", "model.down", [stage.olga.pk], {})
    deliver(claim_due()[0], lambda *_, **__: RemoteResponse(410, None, b""))
    assert not Endpoint.objects.get().active
    assert set(Delivery.objects.values_list("state", flat=True)) == {"failed", "dropped"}


def test_a_process_that_dies_leaves_its_delivery_to_the_next(stage, endpoint):
    announce("main", "model.down", [stage.olga.pk], {})
    assert len(claim_due()) == 1
    Delivery.objects.update(due=timezone.now() - timedelta(seconds=1))  # its lease has ended
    assert claim_due()[0].attempts == 2


def test_a_slow_endpoint_keeps_only_itself_waiting(both):
    for name in ("slow", "quick"):
        make_endpoint("main", both.olga, f"https://{name}.example.org/", EVENTS)
    for _ in range(3):
        announce("main", "model.down", [both.olga.pk], {})
    release, done = threading.Event(), []

    def work(row):
        if "slow" in row.endpoint.url:
            release.wait(20)
        deliver(row, lambda *_, **__: RemoteResponse(200, None, b""))
        done.append(row.endpoint.url)

    postman, ends = Postman(work), time.monotonic() + 20
    while len(done) < 3 and time.monotonic() < ends:
        postman.go()
        time.sleep(0.01)
    assert done == ["https://quick.example.org/"] * 3
    release.set()
    while len(done) < 6 and time.monotonic() < ends:
        postman.go()
        time.sleep(0.01)
    assert set(Delivery.objects.values_list("state", flat=True)) == {"delivered"}


def test_a_model_that_stays_down_is_told_once(stage, endpoint):
    now, trouble = [0.0], [""]
    watch = DownWatch(lambda: now[0])
    for moment, words in (
        *((0, "it ended"), (29, "it ended"), (29.5, ""), (40, "it ended"), (69, "it ended")),
        *((70, "it ended"), (200, "it ended"), (201, ""), (210, "again"), (240, "again")),
    ):
        now[0], trouble[0] = moment, words
        watch.look({"1": stage.classifier}, lambda _: trouble[0])
    told = [json.loads(row.body)["data"] for row in Delivery.objects.order_by("pk")]
    assert told == [
        {"model": "toy", "trouble": "it ended"},
        {"model": "toy", "trouble": "again"},
    ]


@pytest.mark.parametrize(
    "url",
    ["http://a.example.org", "ftp://a", "https://u:p@a.example.org", "https://[::1", "x" * 600],
)
def test_an_endpoint_is_an_https_address(url, stage):
    with pytest.raises(InputError):
        make_endpoint("main", stage.olga, url, EVENTS)


def test_endpoints_are_made_and_removed_on_their_page(stage, enter):
    olga = enter(stage.olga)
    form = {"action": "add", "url": "https://a.example.org/x", "events": ["ruling.made"]}
    page = olga.post("/webhooks/", form).content.decode()
    row = Endpoint.objects.get()
    assert secret_of(row) in page.replace("&#x2B;", "+")
    assert secret_of(row) not in olga.get("/webhooks/").content.decode()
    assert olga.post("/webhooks/", {**form, "events": ["all"]}).status_code == 422
    for _ in range(9):
        make_endpoint("main", stage.olga, "https://a.example.org/x", EVENTS)
    assert b"10 endpoints already" in olga.post("/webhooks/", form).content
    remove_endpoint("main", stage.alice, row.pk)
    assert Endpoint.objects.get(pk=row.pk).active
    olga.post("/webhooks/", {"action": "remove", "key": str(row.pk)})
    assert not Endpoint.objects.get(pk=row.pk).active


def test_a_notifier_that_was_added_is_told_and_what_fails_is_tried_again(stage, enter, monkeypatch):
    heard = []

    def send(address, told):
        heard.append((address, told))
        if len(heard) == 1:
            raise OSError("the line is busy")

    added = Notifier(title="a telephone", address="a number", send=send)
    monkeypatch.setitem(NOTIFIERS.own, "telephone", added)
    page = enter(stage.olga).get("/webhooks/").content.decode()
    assert "a telephone" in page
    assert "Address, https://… or a number" in page
    row = make_endpoint("main", stage.olga, "0123", ["campaign.closed"], "telephone")
    announce("main", "campaign.closed", [stage.olga.pk], {"what": "it is over"})
    for state, said in (("waiting", "the line is busy"), ("delivered", "")):
        Delivery.objects.filter(endpoint=row).update(due=timezone.now())
        for one in claim_due():
            deliver(one)
        kept = Delivery.objects.get(endpoint=row)
        assert (kept.state, said in kept.said) == (state, True)
    assert [address for address, _ in heard] == ["0123", "0123"]
    assert heard[1][1].text == "a campaign was closed: it is over"
    with pytest.raises(InputError, match="a notifier"):
        make_endpoint("main", stage.olga, "x", ["campaign.closed"], "pigeon")
