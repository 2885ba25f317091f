"""The outbox: in the transaction of what happened, then to everybody, in order, at least once."""

from __future__ import annotations

import base64
import json
import subprocess
import threading
from email import message_from_bytes
from email.policy import default

import pytest
from standardwebhooks import Webhook

from askpoint.errors import InputError
from askpoint.live.events import EVENTS, MESSAGES
from askpoint.records.notifications import Notification
from askpoint.records.notifiers import find_notifier, server_notifiers
from askpoint.records.senders import webhook_secret
from askpoint.records.stores import transactions
from askpoint.records.stores.deployment import Deployment
from askpoint.records.stores.outbox import Message
from postbox import mail_server
from records.posts import HOUR, SECRET, SIZE, at_of, batch_of, document, one_day
from records.test_notifiers import listener  # noqa: F401  # a fixture

MINUTE = 60_000_000


@pytest.fixture
def folder(tmp_path):
    Deployment(tmp_path / "posts", document(), secret=SECRET).close()
    return tmp_path / "posts"


def outbox(deployment):
    with deployment._reading() as reader:
        return list(reader.execute("SELECT n, id, kind, at, body FROM outbox ORDER BY n"))


def test_each_event_for_people_is_in_the_outbox_once(folder):
    for day in range(12):
        one_day(folder, day)
    with Deployment(folder) as deployment:
        events = [one for one in deployment.logged_events() if EVENTS[one.event.kind].webhook]
        rows = outbox(deployment)
        assert [row[2] for row in rows] == [EVENTS[one.event.kind].webhook for one in events]
        assert [row[3] for row in rows] == [one.at for one in events]
        assert len({row[1] for row in rows}) == len(rows) >= 1
        body = json.loads(rows[0][4])
        assert body["data"]["numbers"] == dict(events[0].event.numbers)
        assert {row[2] for row in rows} <= set(MESSAGES)
        assert deployment.verify().difference is None


def test_what_did_not_happen_is_not_told(folder, monkeypatch):
    day = 0
    while True:  # until something is told
        with Deployment(folder) as deployment:
            before = len(outbox(deployment)), deployment.policy.state.decided
        with monkeypatch.context() as patch, Deployment(folder) as deployment:
            patch.setattr(deployment._database, "change", _fail)
            patch.setattr(transactions, "summary_text", _fail)
            with pytest.raises(OSError, match="full"):
                deployment.decide_rows(batch_of(day), at_of(day))
        with Deployment(folder) as deployment:
            assert (len(outbox(deployment)), deployment.policy.state.decided) == before
        one_day(folder, day)
        day += 1
        with Deployment(folder) as deployment:
            if len(outbox(deployment)) > before[0]:
                return


def _fail(*_, **__):
    raise OSError("the disk is full")


def told(deployment, *names, start=0):
    for i, name in enumerate(names):
        message = Message(
            name, "policy.opened", at_of(0) + start + i, {"numbers": {"threshold": i}}
        )
        assert deployment.announce(message)
        assert not deployment.announce(message)


def test_a_webhook_hears_all_in_order_signed_and_again_after_a_failure(folder, listener):  # noqa: F811
    address = f"webhook={listener.address}"
    heard = []
    listener.RequestHandlerClass = _recording(heard, listener)
    with Deployment(folder) as deployment:
        told(deployment, "before")
        assert deployment.notify(address, at=at_of(1))[0].sent == 0  # who is new hears what comes
        told(deployment, "a", "b", "c", start=9)
        listener.status = 500
        (made,) = deployment.notify(address, at=at_of(1))
        assert (made.sent, made.due) == (0, at_of(1) + MINUTE)
        assert "500" in made.problem
        assert deployment.list_delayed()[0].problem == made.problem
        listener.status = 200
        assert deployment.notify(address, at=at_of(1) + MINUTE - 1)[0] == (address, 0, "", 0)
        assert [one["id"] for one, _ in heard] == ["a"]
        (made,) = deployment.notify(address, at=at_of(1) + MINUTE)
        assert (made.sent, made.problem, deployment.list_delayed()) == (3, "", [])
        assert [one["id"] for one, _ in heard] == ["a", "a", "b", "c"]
        (made,) = deployment.notify(address, at=at_of(1) + 2 * MINUTE)
        assert made.sent == 0
        secret = deployment.webhook_secret(listener.address)
        for body, headers in heard:
            told_again = Webhook(secret).verify(headers["raw"], headers)  # another library's answer
            assert told_again["id"] == body["id"] == headers["webhook-id"]
        with pytest.raises(Exception, match="signature"):
            Webhook("whsec_" + base64.b64encode(b"x" * 32).decode()).verify(
                heard[0][1]["raw"], heard[0][1]
            )
    assert heard[-1][0]["data"]["policy"] == document().id


def _recording(heard, server):
    class Handler(server.RequestHandlerClass):
        def do_POST(self):
            raw = self.rfile.read(int(self.headers["Content-Length"]))
            names = ("webhook-id", "webhook-timestamp", "webhook-signature")
            heard.append((json.loads(raw), {"raw": raw, **{n: self.headers[n] for n in names}}))
            self.send_response(server.status)
            self.end_headers()

    return Handler


def test_tries_become_rarer_up_to_once_a_day_and_never_end(folder):
    address = "webhook=http://127.0.0.1:9/"
    with Deployment(folder) as deployment:
        deployment.notify(address, at=0)
        told(deployment, "a")
        now, waits = at_of(1), []
        for _ in range(12):
            (made,) = deployment.notify(address, at=now)
            waits.append((made.due - now) // 1_000_000)
            now = made.due
        assert waits[0] == 60
        assert waits == sorted(waits)
        assert waits[-1] == waits[-2] == 86_400


def test_two_who_send_at_once_do_not_send_the_same(folder, tmp_path):
    file = tmp_path / "heard.jsonl"
    with Deployment(folder) as one, Deployment(folder) as two:
        one.notify(f"file={file}")
        told(one, *(f"m{i}" for i in range(20)))
        threads = [
            threading.Thread(target=service.notify, args=(f"file={file}",))
            for service in (one, two)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        one.notify(f"file={file}")
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [line["id"] for line in lines] == [f"m{i}" for i in range(20)]


def test_recipients_are_told_apart_and_unknown_ones_refused(folder, tmp_path):
    first, second = f"file={tmp_path / 'a'}", f"file={tmp_path / 'b'}"
    with Deployment(folder) as deployment:
        deployment.notify(first, second, at=1)
        told(deployment, "a")
        assert [one.sent for one in deployment.notify(first, at=2)] == [1]
        told(deployment, "b", start=5)
        assert [one.sent for one in deployment.notify(first, second, at=3)] == [1, 2]
        for bad in ("pigeon=x", "webhook", "webhook="):
            with pytest.raises(InputError):
                deployment.notify(first, bad)
        with pytest.raises(InputError, match=r"there is no message 'x'"):
            deployment.announce(Message("x", "x", 0))


TOLD = Notification(
    kind="policy.closed",
    subject="posts\nclosed",
    text="It asks. Grüße",
    data={"n": 3},
    id="m-1",
    at=7,
)


def test_mail_goes_by_the_server_that_is_named(monkeypatch):
    with mail_server() as server:
        monkeypatch.setenv("ASKPOINT_SMTP", f"smtp://127.0.0.1:{server.server_address[1]}")
        find_notifier("mail=ops@example.org")(TOLD)
    mail = message_from_bytes(server.heard[0].encode(), policy=default)
    assert (mail["To"], mail["Subject"], mail["Message-ID"]) == (
        "ops@example.org", "posts closed", "<m-1@askpoint>"
    )  # fmt: skip
    assert mail.get_content().strip() == "It asks. Grüße"
    for address, smtp, message in [
        ("nobody", "smtp://x", "a mail address is NAME@HOST"),
        ("a@b", "http://x", "ASKPOINT_SMTP is smtp://USER"),
        (
            "a@b\nBcc: c@d",
            f"smtp://127.0.0.1:{server.server_address[1]}",
            "a mail address is NAME@HOST",
        ),
    ]:
        monkeypatch.setenv("ASKPOINT_SMTP", smtp)
        with pytest.raises(Exception, match=message):
            find_notifier(f"mail={address}")(TOLD)


def test_a_chat_room_gets_text(listener):  # noqa: F811
    find_notifier(f"chat={listener.address}")(TOLD)
    ((_, _, body),) = listener.heard
    assert body == {"text": "*posts\nclosed*\nIt asks. Grüße"}


def test_a_git_repository_gets_a_note(tmp_path):
    def git(*words):
        done = subprocess.run(
            ["git", "-C", str(tmp_path), *words], capture_output=True, text=True, check=True
        )
        return done.stdout

    with pytest.raises(Exception, match=r"git says: .*not a git repository"):
        find_notifier(f"git={tmp_path}")(TOLD)
    git("init", "-q")
    for name in ("user.name", "user.email"):
        git("config", name, "x@y")
    git("commit", "-q", "--allow-empty", "-m", "first")
    for _ in range(2):
        find_notifier(f"git={tmp_path}")(TOLD)
    lines = [line for line in git("notes", "--ref=askpoint", "show", "HEAD").splitlines() if line]
    assert [json.loads(line)["id"] for line in lines] == ["m-1", "m-1"]


def test_organisers_of_a_server_name_no_file_and_no_inner_address():
    # both are posted by the guarded sender of the server: tests/server/test_webhooks.py
    assert list(server_notifiers()) == ["webhook", "chat"]


def test_secrets_of_webhooks_differ_by_address_and_key():
    made = {webhook_secret(key, address) for key in (b"a", b"b") for address in ("x", "y")}
    assert len(made) == 4


def test_a_head_is_published_once_for_each_length_of_the_log(folder, tmp_path):
    file = tmp_path / "heads.jsonl"
    recipient, only = f"file={file}", {"kinds": {"log.head"}, "newest": "log.head"}
    with Deployment(folder) as deployment:
        for day in range(3):
            deployment.decide_rows(batch_of(day), at_of(day))
            for _ in range(2):
                deployment.head(at_of(day) + HOUR)
                deployment.notify(recipient, purpose="publish", **only, at=at_of(day) + HOUR)
    sizes = [json.loads(line)["data"]["size"] for line in file.read_text().splitlines()]
    assert sizes[0] == SIZE + 1
    assert sizes == sorted(set(sizes))
    assert len(sizes) == 3
