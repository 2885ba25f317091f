"""The gateway of a real server under load and kills: nothing acknowledged is lost or counted twice."""

from __future__ import annotations

import http.client
import json
import os
import random
import threading
import time
from contextlib import suppress

import numpy as np
import pytest
from django.conf import settings
from django.db import connections
from django.db.models import Count, F

from askpoint.server.accounts.models import User
from askpoint.server.api.tokens import make_token
from askpoint.server.books import check_books
from askpoint.server.deployments import policy_state, queue
from askpoint.server.deployments.classifier_settings import change_settings
from askpoint.server.deployments.models import Receipt
from askpoint.server.labelling.models import Case, Vote
from server.in_use import CLASSES, InUse
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
        self.pause = 0.0

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
            time.sleep(self.pause)
        if wire is not None:
            wire.close()


class Reviewer:
    """Labels what the one queue gives, by a program; keeps what was acknowledged."""

    def __init__(self, server, user, pause=0.0) -> None:
        words = make_token(user, "reviewer", label="x", scope="write")[1]
        self.server, self.pause = server, pause
        self.head = {"Authorization": f"Bearer {words}", "Content-Type": "application/json"}
        self.rng = random.Random(user.username)
        self.acknowledged, self.seconds, self.errors = [], [], []
        self.lost = 0

    def ask(self, wire, path, **body):
        begun = time.monotonic()
        wire.request("POST", f"/api/review/{path}", json.dumps(body) if body else None, self.head)
        answer = wire.getresponse()
        said = json.loads(answer.read())
        self.seconds.append(time.monotonic() - begun)
        return answer.status, said

    def run(self, ends):
        """Claim and label until a moment, and think between."""
        wire, held = None, None
        while time.monotonic() < ends:
            time.sleep(self.rng.uniform(0.5, 1.5) * self.pause)
            try:
                if wire is None:
                    wire = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
                if held is None:
                    status, said = self.ask(wire, "claim")
                    held = said["held"] if status == 200 else None
                else:
                    case, choice = held["id"], held["options"][self.rng.random() < 0.9]
                    status, said = self.ask(wire, "vote", case=case, choice=choice)
                    held = None
                    if status == 200:
                        self.acknowledged.append(case)
            except (OSError, http.client.HTTPException):
                self.lost += 1
                if wire is not None:
                    wire.close()
                wire = None
                time.sleep(0.05)
                continue
            if status != 200 and said["type"] not in ("no-claim", "stopped"):
                self.errors.append((status, said))
                break
        if wire is not None:
            wire.close()


def check_votes(reviewers):
    """Each acknowledged vote is there, no case has more than it needs, and all follows from all."""
    told = sum(len(set(one.acknowledged)) for one in reviewers)
    votes = Vote.objects.filter(reviewer__startswith="reviewer").count()
    assert told <= votes  # an answer may have been lost, a vote never
    counted = Case.objects.exclude(purpose="gold").annotate(n=Count("votes"))
    assert not counted.filter(n__gt=F("wanted") + 1).exists()
    assert check_books().problems == ()
    return told, votes


def reviewers_of(in_use, server, n, pause=0.0):
    found = []
    for i in range(n):
        user = User.objects.create(username=f"reviewer-{i}")
        in_use.join(user, "reviewer")
        found.append(Reviewer(server, user, pause))
    return found


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
    reviewers = reviewers_of(in_use, server, 3)
    for _ in range(KILLS):
        threads = sent([*found, *reviewers], 3.0)
        time.sleep(1.0)
        server.kill()
        server = start(port=server.port)
        for thread in threads:
            thread.join()
    server.stop()
    policy_state.clear_states()
    said = {key: one for program in found for key, one in program.acknowledged.items()}
    assert not [error for program in (*found, *reviewers) for error in program.errors]
    rows = {row.key: row for row in Receipt.objects.all()}
    assert said.keys() <= rows.keys()
    for key, one in said.items():
        assert Receipt.ACTIONS[rows[key].action] == one["action"]
    assert sorted(row.seq for row in rows.values()) == list(range(len(rows)))
    told, votes = check_votes(reviewers)
    print(f"{KILLS} kills, {len(said)} acknowledged, {len(rows)} written")  # noqa: T201
    print(f"of people's votes {told} acknowledged, {votes} written")  # noqa: T201
    assert in_use.policy.decided == len(rows)


@pytest.mark.soak
def test_fifty_reviewers_meet_no_error(start):
    """For ten minutes: each thinks five seconds a case, while a program sends more than they can label."""
    server = start()
    in_use, (program,) = programs(server, 1, size=20)
    program.pause = 0.5
    queue.add_gold(in_use.id, [(f"known {i}", CLASSES[i % 2]) for i in range(200)])
    change_settings(in_use.id, capacity=2000, second=0.1)
    found = reviewers_of(in_use, server, 50, pause=2.5)
    for thread in sent([program, *found], 20 * SECONDS):
        thread.join()
    server.stop()
    policy_state.clear_states()
    assert not [error for one in (program, *found) for error in one.errors]
    assert sum(one.lost for one in found) == 0
    told, votes = check_votes(found)
    p95 = 1000 * float(np.quantile([it for one in found for it in one.seconds], 0.95))
    print(f"50 reviewers: {told} votes acknowledged, {votes} written")  # noqa: T201
    print(f"95 of 100 requests within {p95:.0f} ms")  # noqa: T201
    assert told == votes > 0


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
