"""What attackers send and do, and what becomes of it: a test for each line of the threat model."""

from __future__ import annotations

import http.client
import io
import shutil
import socket
import time
from contextlib import closing
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.test import override_settings
from django.utils import timezone

from askpoint.arena.server.players.services import check_case
from askpoint.arena.server.probes.models import Probe
from askpoint.errors import InputError, RuleError
from askpoint.server.accounts.models import Attempts
from askpoint.server.accounts.rate_limits import attempts_of, count_attempt
from askpoint.server.home.sign_in import HASHING
from askpoint.server.options import Options
from askpoint.server.reading import MOST_SENT, Larger, read_first
from askpoint.server.settings import settings_of
from cast import fewer
from server.running import Server

HOUR = timedelta(hours=1)


def test_guessing_a_password_ends_at_the_limit_and_harms_nobody_else(stage, enter):
    stage.alice.set_password("a quite good one")
    stage.alice.save()
    guess = {"login": "Alice", "password": "wrong"}
    browser = enter()
    statuses = [browser.post("/sign-in/", guess).status_code for _ in range(12)]
    assert statuses == [200] * 10 + [429] * 2
    answer = browser.post("/sign-in/", {"login": "alice", "password": "a quite good one"})
    assert answer.status_code == 429  # the name in any case, and right or wrong
    assert answer["Retry-After"] == "900"
    elsewhere = enter()
    right = {"login": "alice", "password": "a quite good one"}
    assert elsewhere.post("/sign-in/", right, REMOTE_ADDR="192.0.2.9").status_code == 302
    Attempts.objects.update(since=timezone.now() + HOUR)  # the clock was set back
    assert browser.post("/sign-in/", right).status_code == 302


def test_hashing_takes_one_slot_and_few_wait_for_it(stage, enter):
    assert HASHING.take()
    try:
        begun = time.monotonic()
        answer = enter().post("/sign-in/", {"login": "alice", "password": "x"})
        assert answer.status_code == 429
        assert time.monotonic() - begun < 4
    finally:
        HASHING.leave()
    assert enter().post("/sign-in/", {"login": "alice", "password": "x"}).status_code == 200


def test_attempts_are_counted_atomically_and_survive_the_clock(both):
    assert [count_attempt(HOUR, 3, "a", "b") for _ in range(5)] == [True] * 3 + [False] * 2
    assert attempts_of(HOUR, "a", "b") == 3
    assert count_attempt(HOUR, 3, "a", "c")  # another counter
    for shift in (-2 * HOUR, 2 * HOUR):  # it ended; or the clock was set back
        Attempts.objects.update(since=timezone.now() + shift)
        assert attempts_of(HOUR, "a", "b") == 0
        assert count_attempt(HOUR, 3, "a", "b")


def test_fifty_behind_one_address_are_not_locked_out(stage):
    from askpoint.arena.server.campaigns.records import terms_of

    terms = terms_of(stage.campaign.terms)
    assert terms.tries_per_address is None
    assert terms.address_limit(50) == 50 * terms.tries_per_hour
    assert terms.address_limit(1) == 5 * terms.tries_per_hour


ODD = ("\0", "a\0b", "9" * 5000, "http://[::1", "-1e999", "%00", "\u202e", "x" * 20_000, "[]", "{")


def test_no_odd_value_in_any_form_is_an_error_of_the_server(stage, enter):
    """Each field that any form of the server sends, with each odd value; PostgreSQL refuses NUL."""
    case = stage.submit("you are not from here").pk
    stage.examine(["one", "two"], 1)
    fields = {
        "alice": {
            f"/play/{stage.id}/": ("case", "key"),
            f"/play/{stage.id}/cases/{case}/appeal/": ("why",),
        },
        "bob": {
            f"/judge/{stage.id}/{act}/": ("case", "choice", "number")
            for act in ("vote", "skip", "rest", "train", "claim")
        },
        "olga": {
            "/run/": ("title", "wanted", "classifier"),
            "/run/models/": ("name", "adapter", "target", "classes", "features", "trial"),
            f"/run/{stage.id}/budget/": ("action", "points", "key"),
            f"/run/{stage.id}/people/": ("labels", "withdraw", "role", "places", "days"),
            f"/run/{stage.id}/joining/": ("contact", "takes", "consent", "age"),
            f"/run/{stage.id}/people/standing/": ("name", "role", "action"),
            f"/run/{stage.id}/cases/{case}/": ("choice",),
            f"/run/{stage.id}/judging/": ("gold", "guide"),
            f"/run/{stage.id}/examination/sample/": ("sample",),
        },
        "": {"/sign-in/": ("login", "password", "next")},
    }
    whole = {"action": "add", "role": "player", "points": "5", "case": case, "choice": "clean"}
    for name, pages in fields.items():
        browser = enter(getattr(stage, name) if name else None)
        for path, names in pages.items():
            for field in names:
                for odd in ODD[: fewer(len(ODD))]:
                    status = browser.post(path, {**whole, field: odd}).status_code
                    assert status < 500, (path, field, odd[:10])
                    assert status == 400 or "\0" not in odd, (path, field)
        for path in ("/play/?page=", "/?x=", "/join/"):
            for odd in ODD:
                assert browser.get(path + odd.replace("\0", "%00")).status_code < 500
    Attempts.objects.all().delete()
    stage.check_ledger()


@pytest.mark.parametrize(
    "text", ["\u200b\u200c", "\u3164", "\u2800 \u115f", "\ufeff", "...", "\u00ad", "\u0301"]
)
def test_what_nobody_can_see_is_no_case(text, stage):
    with pytest.raises(InputError):
        check_case(stage.classifier, text)


def test_pages_are_not_kept_by_caches_and_pictures_are(stage, enter):
    for path in ("/", "/points/", f"/play/{stage.id}/", "/sign-in/"):
        kept = enter(stage.alice).get(path)["Cache-Control"]
        assert {"no-store", "private"} <= set(kept.split(", "))


def test_the_https_form_passes_djangos_own_check(sqlite):
    found = settings_of(
        Options("sqlite:////tmp/x", "a key of many signs, " * 4, "", url="https://a.example.org")
    )
    named = {
        name: value for name, value in found.items() if name.startswith(("SECURE", "SES", "CSRF"))
    }
    named |= {
        name: found[name] for name in ("MIDDLEWARE", "ALLOWED_HOSTS", "SILENCED_SYSTEM_CHECKS")
    }
    with override_settings(**named, X_FRAME_OPTIONS="DENY"):
        call_command("check", deploy=True, fail_level="WARNING")


def test_a_body_is_read_whole_or_refused():
    seen = []

    def app(environ, start_response):
        seen.append(environ["wsgi.input"].read())
        start_response("200 OK", [])
        return [b"ok"]

    said = []
    reading = read_first(app, 2)

    def ask(size, body=b"abc"):
        environ = {"CONTENT_LENGTH": str(size), "wsgi.input": io.BytesIO(body)}
        reading(environ, lambda status, _: said.append(status[:3]))

    for size, body in ((3, b"abc"), (4, b"abc"), (MOST_SENT + 1, b""), ("x", b"abc")):
        ask(size, body)
    assert said == ["200", "408", "413", "200"]
    assert seen[0] == b"abc"

    chunks = {"HTTP_TRANSFER_ENCODING": "chunked", "wsgi.input": io.BytesIO(b"of two chunks")}
    reading(chunks, lambda status, _: said.append(status[:3]))
    assert (said[-1], seen[-1], chunks["CONTENT_LENGTH"]) == ("200", b"of two chunks", "13")
    for body in (io.BytesIO(b"x" * (MOST_SENT + 1)), _CutOff()):
        environ = {"HTTP_TRANSFER_ENCODING": "chunked", "wsgi.input": body}
        reading(environ, lambda status, _: said.append(status[:3]))
    assert said[-2:] == ["413", "400"]
    assert len(seen) == 3  # no page saw them


class _CutOff:
    def read(self, size):
        raise OSError(size)


def test_a_larger_body_goes_to_the_disk_of_who_may_send_it(tmp_path):
    seen = []

    def app(environ, start_response):
        body = environ["wsgi.input"]
        seen.append((type(body), len(body.read())))
        start_response("200 OK", [])
        return [b"ok"]

    larger = Larger(
        lambda environ: MOST_SENT + 1000 if environ.get("mine") else 0,
        lambda n: f"{n} is too much",
        tmp_path,
    )
    reading, said = read_first(app, 2, larger), []

    def ask(size, n_sent, **environ):
        body = io.BytesIO(b"x" * n_sent)
        environ |= {"CONTENT_LENGTH": str(size), "wsgi.input": body}
        words = b"".join(reading(environ, lambda status, _: said.append(status[:3])))
        return words.decode().strip()

    n = MOST_SENT + 1
    assert ask(n, n, mine=True) == "ok"
    assert seen == [(io.BufferedRandom, n)]  # a file, and no memory
    assert "not sent in time" in ask(n, n - 1, mine=True)
    assert ask(n + 1000, 0, mine=True) == f"{n + 1000} is too much"
    assert "at most 8 MB" in ask(n, 0)
    assert said == ["200", "408", "413", "413"]
    assert list(tmp_path.iterdir()) == []  # the files have no names


@pytest.fixture(scope="module")
def served(empty_sqlite, tmp_path_factory):
    """A real server, for those who send halves and chunks."""
    folder = tmp_path_factory.mktemp("served")
    shutil.copy(empty_sqlite, folder / "askpoint.sqlite3")
    server = Server(folder, "").wait()
    yield server
    server.kill()  # it would wait for halves that are missing


@pytest.mark.whole
@pytest.mark.parametrize(
    "head", ["Content-Length: 100\r\n\r\nx=", "Transfer-Encoding: chunked\r\n\r\n64\r\nx="]
)
def test_half_bodies_hold_nobody_up(served, head):
    with closing(_Half(served, head)) as half:
        for _ in range(48):
            half.send()
        slow = []
        for _ in range(10):
            begun = time.monotonic()
            with closing(
                http.client.HTTPConnection("127.0.0.1", half.server.port, timeout=5)
            ) as wire:
                wire.request("GET", "/health/")
                assert wire.getresponse().status == 200
            slow.append(time.monotonic() - begun)
        assert sorted(slow)[5] < 1
        folder = half.server.log.parent
        assert [path for path in folder.glob("askpoint*") if path.stat().st_mode & 0o077] == []


@pytest.mark.whole
def test_a_body_in_chunks_is_read_as_any_other(served):
    def send(*parts, end=b"0\r\n\r\n"):
        with closing(socket.create_connection(("127.0.0.1", served.port), timeout=20)) as wire:
            wire.sendall(
                b"POST /sign-in/ HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
            )
            try:
                for part in parts:
                    wire.sendall(b"%x\r\n%s\r\n" % (len(part), part))
                wire.sendall(end)
            except OSError:
                pass  # it was refused meanwhile
            return wire.recv(4000).decode().split("\r\n")[0]

    # the page itself, which wants its own form
    assert "403" in send(b"username=a", b"&password=b")
    million = b"x" * 1_000_000
    assert "413" in send(*[million] * 9)
    assert "400" in send(b"x", end=b"no size\r\n")


class _Half:
    def __init__(self, server, head):
        self.server, self.head, self.wires = server, head.encode(), []

    def send(self):
        wire = socket.create_connection(("127.0.0.1", self.server.port), timeout=5)
        wire.sendall(b"POST /sign-in/ HTTP/1.1\r\nHost: localhost\r\n" + self.head)
        self.wires.append(wire)

    def close(self):
        for wire in self.wires:
            wire.close()


def test_tries_that_race_stay_within_the_limit(sqlite, monkeypatch):
    from server.stage import Stage

    stage = Stage(monkeypatch, tries_per_hour=3)

    def down(*_):
        raise RuleError("down", "the model is down")

    for number in range(3):
        stage.try_case(f"a case, number {number}")
    with pytest.raises(RuleError, match="tried 3 cases in an hour"):
        stage.try_case("one more")
    assert Probe.objects.count() == 3
    Attempts.objects.update(count=2)
    stage.ask = down
    stage.speak_for_models(monkeypatch)
    with pytest.raises(RuleError, match="the model is down"):
        stage.try_case("the model is down")
    assert set(Attempts.objects.values_list("count", flat=True)) == {2}  # it costs nothing
