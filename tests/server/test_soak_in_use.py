"""The gateway of a real server under load and kills: nothing acknowledged is lost or counted twice."""

from __future__ import annotations

import http.client
import json
import os
import threading
import time
from contextlib import suppress

import numpy as np
import pytest
from django.conf import settings
from django.db import connections

from askpoint.server.api.tokens import make_token
from askpoint.server.books import check_books
from askpoint.server.deployments import lives
from askpoint.server.deployments.models import Receipt
from server.in_use import InUse
from server.running import Server

SECONDS = float(os.environ.get("ASKPOINT_SOAK_SECONDS", "600")) / 20
KILLS = int(os.environ.get("ASKPOINT_SOAK_KILLS", "50"))


class Program:
    """Sends batches of new cases, each again until it is answered; keeps what was acknowledged."""

    def __init__(self, server, in_use, words, name, size=100) -> None:
        self.server, self.id, self.size = server, in_use.id, size
        self.head = {"Authorization": f"Bearer {words}", "Content-Type": "application/json"}
        self.rng, self.name, self.number = np.random.default_rng(sum(name.encode())), name, 0
        self.acknowledged, self.seconds, self.errors = {}, [], []

    def body(self):
        sure = (0.5 + 0.5 * self.rng.random(self.size) ** 0.3).tolist()
        items = [
            {
                "key": f"{self.name}-{self.number}-{i}",
                "prediction": "hate",
                "confidence": one,
                "case": "a post that is about as long as posts are",
            }
            for i, one in enumerate(sure)
        ]
        self.number += 1
        return json.dumps({"items": items, "model_version": "7"})

    def run(self, ends):
        """Send until a moment."""
        wire, body = None, self.body()
        while time.monotonic() < ends:
            begun = time.monotonic()
            try:
                if wire is None:
                    wire = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=10)
                wire.request("POST", f"/api/classifiers/{self.id}/decisions", body, self.head)
                answer = wire.getresponse()
                said = answer.read()
            except (OSError, http.client.HTTPException):
                wire.close()
                wire = None
                time.sleep(0.05)
                continue
            if answer.status != 200:
                self.errors.append((answer.status, said[:200]))
                break
            self.seconds.append(time.monotonic() - begun)
            self.acknowledged |= {one["key"]: one for one in json.loads(said)["decisions"]}
            body = self.body()
        if wire is not None:
            wire.close()


@pytest.fixture
def start(database, tmp_path):
    """Return a function that starts the server on this database."""
    (tmp_path / "askpoint-secret").write_text(settings.SECRET_KEY)
    running = []

    def begin(port=None):
        connections.close_all()
        running.append(Server(tmp_path, database, "--workers", "2", port=port).wait())
        return running[-1]

    yield begin
    for server in running:
        with suppress(ProcessLookupError):
            server.kill()


def programs(server, n, size=100):
    in_use = InUse(limit=0.3)
    words = make_token(in_use.wanda, "owner", label="x", scope="write")[1]
    return in_use, [Program(server, in_use, words, f"p{i}", size) for i in range(n)]


def sent(found, seconds):
    """Let programs send for a while."""
    ends = time.monotonic() + seconds
    threads = [threading.Thread(target=one.run, args=(ends,)) for one in found]
    for thread in threads:
        thread.start()
    return threads


@pytest.mark.soak
def test_kills_under_load_lose_no_decision_and_count_none_twice(start):
    server = start()
    in_use, found = programs(server, 3)
    for _ in range(KILLS):
        threads = sent(found, 3.0)
        time.sleep(1.0)
        server.kill()
        server = start(port=server.port)
        for thread in threads:
            thread.join()
    server.stop()
    lives.forget_lives()
    said = {key: one for program in found for key, one in program.acknowledged.items()}
    assert not [error for program in found for error in program.errors]
    rows = {row.key: row for row in Receipt.objects.all()}
    assert said.keys() <= rows.keys()
    for key, one in said.items():
        assert Receipt.ACTIONS[rows[key].action] == one["action"]
    assert sorted(row.seq for row in rows.values()) == list(range(len(rows)))
    assert check_books().problems == ()
    print(f"{KILLS} kills, {len(said)} acknowledged, {len(rows)} written")  # noqa: T201
    assert in_use.policy.decided == len(rows)


@pytest.mark.soak
def test_as_many_decisions_as_it_takes(start):
    server = start()
    _, found = programs(server, 3)
    begun, spent = time.monotonic(), server.cpu_seconds()
    for thread in sent(found, SECONDS):
        thread.join()
    passed = time.monotonic() - begun
    n = sum(len(one.acknowledged) for one in found)
    cpu = 1000 * (server.cpu_seconds() - spent) * 100 / n
    each = f"{cpu:.1f} ms of processor each"
    print(f"{n / passed:.0f} decisions/s in batches of 100, {each}")  # noqa: T201
    (single,) = programs(server, 1, size=1)[1]
    for thread in sent([single], SECONDS / 2):
        thread.join()
    p95 = 1000 * float(np.quantile(single.seconds, 0.95))
    print(f"single ones: 95 of 100 within {p95:.0f} ms")  # noqa: T201
    assert not [error for one in (*found, single) for error in one.errors]
