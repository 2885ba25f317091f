"""A server that is sent what nobody would send, over the wire, and answers honest people throughout.

`make soak` sends all of it at once, again and again, to a server on either database; a short sibling sends each once.
"""

from __future__ import annotations

import http.client
import itertools
import os
import random
import socket
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from urllib.parse import urlencode

import numpy as np
import pytest

from askpoint.arena.server.campaigns import services as campaigns
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.records import terms_of
from askpoint.arena.server.rulings.pools import join
from askpoint.server.accounts.models import User
from askpoint.server.api.json_api import api
from askpoint.server.api.tokens import make_token
from askpoint.server.classifiers.models import Classifier
from askpoint.server.deployments.models import LogReport
from server.hostile_input import (
    hostile_images,
    hostile_logs,
    odd_values,
    raw_requests,
    valid_images,
)
from server.load import enter_players, session_of
from server.test_soak import campaign, page_times, start  # noqa: F401  # a fixture

SECONDS = float(os.environ.get("ASKPOINT_SOAK_SECONDS", "120"))
_TOKEN = "t" * 32
_SLOW = 48  # halves at the same time


def send_raw(port, request, seconds=20):
    """Send bytes; the code of the answer, 0 where the server hangs up without one."""
    with closing(socket.create_connection(("127.0.0.1", port), timeout=seconds)) as wire:
        with suppress(OSError):  # it has hung up meanwhile
            for part in request.parts:
                wire.sendall(part)
        heard = b""
        with suppress(OSError):
            while b"\r\n" not in heard and (more := wire.recv(4_096)):
                heard += more
        words = heard.split(b"\r\n")[0].split(b" ")
        return int(words[1]) if len(words) > 1 and words[1].isdigit() else 0


def post(port, session, path, form=None, files=None):
    """Send a form as a browser does; the code of the answer."""
    headers = {"Cookie": f"sessionid={session}; csrftoken={_TOKEN}", "X-CSRFToken": _TOKEN}
    if files is None:
        body = urlencode(form, errors="surrogatepass").encode()
        headers["Content-Type"] = "application/x-www-form-urlencoded"
    else:
        (field, name, content), line = files, b"--border\r\nContent-Disposition: form-data; name="
        fields = [
            line + f'"{key}"\r\n\r\n{value}\r\n'.encode() for key, value in (form or {}).items()
        ]
        head = line + f'"{field}"; filename="{name}"\r\n\r\n'.encode()
        body = b"".join([*fields, head, content, b"\r\n--border--\r\n"])
        headers["Content-Type"] = "multipart/form-data; boundary=border"
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=90)) as wire:
        wire.request("POST", path, body, headers)
        answer = wire.getresponse()
        answer.read()
        return answer.status


def image_campaign(text_campaign):
    """Let there be a campaign of images beside one of texts, and its player; its name."""
    row = Campaign.objects.get(pk=text_campaign)
    model = Classifier.objects.get(pk=row.classifier_id)
    model.pk, model.name, model.cases = None, "pictures", "image"
    model.save(force_insert=True)
    organiser, terms = User.objects.get(username="olga"), terms_of(row.terms)
    row = campaigns.make_campaign(
        organiser, title="Pictures", classifier=model, wanted="Any.", terms=terms
    )
    campaigns.fund(row.pk, 100_000, "first")
    campaigns.change_state(row.pk, "open")
    join(row.pk, User.objects.get(username="alice"), "player")
    return row.pk


class Attack:
    """All that is hostile, by those who are let in; how each was answered."""

    def __init__(self, port, there, seed):
        self.port, self.there = port, there
        self.rng = random.Random(seed)
        self.answers: Counter[tuple[str, int]] = Counter()
        self.wrong: list[str] = []
        self._lock = threading.Lock()

    def note(self, kind, name, code, codes=None):
        with self._lock:
            self.answers[kind, code] += 1
        if (codes is not None and code not in codes) or (
            code >= 500 and code not in (501, 503, 505)
        ):
            self.wrong.append(f"{kind}, {name}: {code}")

    def raw(self):
        for request in raw_requests():
            codes = request.codes | {503}  # where slow ones hold their turns
            yield lambda it=request, may=codes: self.note(
                "bytes", it.name, send_raw(self.port, it), may
            )

    def logs(self):
        for name, content in hostile_logs():
            form = {"aim": "money", "checks": "20"}
            yield lambda it=(name, content), form=form: self.note(
                "logs", it[0], post(self.port, self.there["olga"], "/reports/", form, ("file", *it))
            )

    def image(self, name, content):
        """Send an image to the game; the code of the answer: 302 where it is taken."""
        where = f"/play/{self.there['pictures']}/"
        return post(self.port, self.there["alice"], where, {}, ("case", name, content))

    def images(self):
        for images, code in ((valid_images(), 302), (hostile_images(), 422)):
            for it in images:
                yield lambda it=it, code=code: self.note(
                    "images", it[0], self.image(*it), {code, 503}
                )

    def until_images_are_read(self, seconds=60):
        """Wait for the process that reads images."""
        name, content = next(valid_images())
        ends = time.monotonic() + seconds
        while (code := self.image(name, content)) == 503:
            assert time.monotonic() < ends
            time.sleep(0.1)
        assert code == 302

    def forms(self):
        fields = {
            f"/play/{self.there['campaign']}/": ("alice", ("case", "key")),
            f"/judge/{self.there['campaign']}/vote/": ("bob", ("case", "choice")),
            f"/judge/{self.there['campaign']}/compare/": ("bob", ("case", "same")),
            "/sign-in/": ("alice", ("login", "password")),
            "/tokens/": ("olga", ("label", "days")),
            "/run/": ("olga", ("title", "wanted")),
            f"/run/{self.there['campaign']}/budget/": ("olga", ("points", "action")),
        }
        for path, (who, names) in fields.items():
            for value in odd_values():
                form = dict.fromkeys(names, value)
                yield lambda path=path, who=who, form=form: self.note(
                    "forms", path, post(self.port, self.there[who], path, form)
                )

    def requests(self):
        """Requests of the API with what no schema allows, by its own document."""
        for path, operations in api.get_openapi_schema(path_prefix="/api/")["paths"].items():
            for method in operations:
                yield lambda path=path, method=method: self.ask(path, method)

    def ask(self, path, method):
        values = [value for value in odd_values() if len(value) < 6_000]
        for name in ("campaign", "case", "classifier", "agent", "number"):
            there = self.there.get(name, self.rng.choice(["1", "none", "%00", "9" * 40]))
            path = path.replace(f"{{{name}}}", there)
        body = self.rng.choice(
            [
                b"", b"null", b"[]", b"{", b'{"a":' * 3_000, b'"\\ud800"', b'{"case": 1e999}', b"\xff",
                repr(self.rng.choice(values)).encode("utf-8", "surrogatepass"),
            ]
        )  # fmt: skip
        headers = {
            "Authorization": f"Bearer {self.there['token']}",
            "Content-Type": "application/json",
        }
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)) as wire:
            wire.request(method.upper(), path, body, headers | {"Idempotency-Key": "k" * 20})
            answer = wire.getresponse()
            answer.read()
        self.note("API", f"{method} {path}", answer.status)

    def kinds(self):
        return {
            "bytes": self.raw,
            "logs": self.logs,
            "images": self.images,
            "forms": self.forms,
            "API": self.requests,
        }

    def do(self, kind, step):
        """Send one; a server may hang up while it is sent too much."""
        try:
            step()
        except (OSError, http.client.HTTPException):
            with self._lock:
                self.answers[kind, 0] += 1

    def once(self):
        """Send each once; what a server waits for does not hold up the rest."""
        self.until_images_are_read()
        with ThreadPoolExecutor(8) as pool:
            steps = [(kind, step) for kind, them in self.kinds().items() for step in them()]
            for sent in [pool.submit(self.do, *step) for step in steps]:
                sent.result()

    def go_on(self, kind, stop):
        """Send all of a kind again and again, in another order each time."""
        while not stop.is_set():
            steps = list(self.kinds()[kind]())
            self.rng.shuffle(steps)
            for step in itertools.takewhile(lambda _: not stop.is_set(), steps):
                self.do(kind, step)
                time.sleep(0.05)

    def hold(self, stop):
        """Keep half-sent bodies open, with a length and in chunks, a byte now and then."""
        heads = (b"Content-Length: 1000\r\n\r\na=", b"Transfer-Encoding: chunked\r\n\r\n64\r\na=")
        while not stop.is_set():
            wires = []
            for number in range(_SLOW):
                with suppress(OSError):
                    wire = socket.create_connection(("127.0.0.1", self.port), timeout=5)
                    wire.sendall(
                        b"POST /sign-in/ HTTP/1.1\r\nHost: localhost\r\n" + heads[number % 2]
                    )
                    wires.append(wire)
            for _ in range(10):
                stop.wait(1)
                for wire in wires:
                    with suppress(OSError):
                        wire.sendall(b"a")
            for wire in wires:
                wire.close()


@pytest.fixture
def there(campaign):  # noqa: F811
    """Who attacks, from within: sessions of the cast, names, a token."""
    cast = {name: session_of(User.objects.get(username=name)) for name in ("alice", "bob", "olga")}
    token = make_token(User.objects.get(username="olga"), "organiser", label="x", scope="write")[1]
    return {"campaign": campaign, "pictures": image_campaign(campaign), "token": token, **cast}


@pytest.mark.soak
@pytest.mark.parametrize(
    "database", ["sqlite", pytest.param("emptied_postgres", id="postgres")], indirect=True
)
def test_all_of_it_once_is_answered_in_words(start, there):  # noqa: F811
    server = start()
    attack = Attack(server.port, there, 1)
    attack.once()
    assert attack.wrong == []
    assert {kind for kind, code in attack.answers if code} == set(attack.kinds())
    assert attack.answers["images", 302] == len(list(valid_images()))
    assert attack.answers["images", 422] == len(list(hostile_images()))
    assert send_raw(server.port, raw_requests()[0]) in (0, 400, 431)
    assert "Internal Server Error" not in server.log.read_text()


@pytest.mark.soak
def test_honest_people_are_answered_throughout(start, there, request):  # noqa: F811
    server, sessions = start(), enter_players(there["campaign"], 4)
    path, seconds = f"/play/{there['campaign']}/", min(SECONDS, 300)
    page_times(server, sessions[0], path, 2)
    alone = page_times(server, sessions[0], path, min(seconds, 20))
    stop, attacks = threading.Event(), []
    for number, kind in enumerate((*Attack(0, there, 0).kinds(), "slow bodies")):
        attack = Attack(server.port, there, number)
        work = (attack.hold, (stop,)) if kind == "slow bodies" else (attack.go_on, (kind, stop))
        attacks.append((attack, threading.Thread(target=work[0], args=work[1])))
    for _, thread in attacks:
        thread.start()
    try:
        time.sleep(1)
        beside = page_times(server, sessions[1], path, seconds)
    finally:
        stop.set()
        for _, thread in attacks:
            thread.join()
    cuts = [np.percentile(times, (50, 95)).round().tolist() for times in (alone, beside)]
    print(request.node.name, "page p50, p95 ms: alone, attacked", cuts)  # noqa: T201
    assert any(attack.answers["images", 302] for attack, _ in attacks)
    for attack, _ in attacks:
        assert attack.wrong == []
        print(sorted(attack.answers.items()))  # noqa: T201
    assert "Internal Server Error" not in server.log.read_text()
    until_worked_off()


def until_worked_off(seconds=300):
    """Wait until each log that was sent has its report, or its problem."""
    ends = time.monotonic() + seconds
    while (
        time.monotonic() < ends
        and LogReport.objects.filter(stage__in=("waiting", "computing")).exists()
    ):
        time.sleep(0.5)
    assert not LogReport.objects.exclude(problem="").filter(problem__contains="Traceback").exists()
