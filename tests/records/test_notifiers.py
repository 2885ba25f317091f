"""Notifiers, against a server that answers, one that refuses, and addresses that cannot be."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from askpoint.errors import InputError, NotificationError
from askpoint.records.notifications import Notification, Notifier
from askpoint.records.notifiers import NOTIFIERS, find_notifier

TOLD = Notification(
    kind="policy.closed", subject="posts closed", text="posts closed: an alarm", data={"n": 3}
)


class _Listener(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.heard.append((self.path, self.headers["Content-Type"], json.loads(body)))
        self.send_response(self.server.status)
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture
def listener():
    server = HTTPServer(("127.0.0.1", 0), _Listener)
    server.heard, server.status = [], 200
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    server.address = f"http://127.0.0.1:{server.server_port}/hook"
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_webhook_gets_kind_words_and_data(listener):
    find_notifier(f"webhook={listener.address}")(TOLD)
    ((path, kind, body),) = listener.heard
    assert (path, kind) == ("/hook", "application/json")
    assert body == {
        "type": "policy.closed",
        "subject": "posts closed",
        "text": "posts closed: an alarm",
        "data": {"n": 3},
    }


def test_an_address_that_refuses_is_said(listener):
    listener.status = 500
    with pytest.raises(NotificationError, match=r"webhook cannot notify http://127.*500"):
        find_notifier(f"webhook={listener.address}")(TOLD)


def test_nobody_there_is_said():
    with pytest.raises(NotificationError, match=r"webhook cannot notify http://127\.0\.0\.1:9/"):
        find_notifier("webhook=http://127.0.0.1:9/")(TOLD)


@pytest.mark.parametrize(
    ("stated", "says"),
    [
        ("webhook", "NAME=ADDRESS, with NAME among webhook, chat, mail, file, git; got 'webhook'"),
        ("webhook=", "NAME=ADDRESS"),
        ("pigeon=here", "a notifier"),
        ("webhook=file:/x", "starts with https:// or http://; got 'file:/x'"),
        ("chat=https://", "starts with https:// or http://; got 'https://'"),
        ("webhook=http://[1", r"starts with https:// or http://; got 'http://\[1'"),
        ("mail=x", "a mail address is NAME@HOST; got 'x'"),
        ("mail=@host", "a mail address is NAME@HOST"),
        ("mail=some one@host", "a mail address is NAME@HOST"),
        ("file=/nowhere/at/all.jsonl", "a file in a folder that exists is wanted"),
        ("git=/nowhere", "the folder of a git repository is wanted"),
    ],
)
def test_what_is_no_notifier_is_refused(stated, says):
    with pytest.raises(InputError, match=says):
        find_notifier(stated)


def test_one_that_is_added_is_found_by_its_name(monkeypatch):
    heard = []
    added = Notifier(title="a list", address="NAME", send=lambda *told: heard.append(told))
    monkeypatch.setitem(NOTIFIERS.own, "list", added)
    find_notifier("list=ours")(TOLD)
    assert heard == [("ours", TOLD)]
    with pytest.raises(InputError, match="git, list"):
        find_notifier("list")
