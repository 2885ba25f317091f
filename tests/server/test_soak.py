"""Kills and load against a real server: nothing acknowledged is lost, and no error comes."""

from __future__ import annotations

import http.client
import os
import random
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from urllib.parse import urlencode

import numpy as np
import pytest
from django.conf import settings
from django.db import connections
from django.utils import timezone

from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.campaigns.records import terms_of, terms_text
from askpoint.arena.server.ledger.models import Posting
from askpoint.arena.server.ledger.services import audit
from askpoint.arena.server.probes.models import Probe, Similar
from askpoint.labelling.protocol import Protocol
from askpoint.server.accounts.models import User
from askpoint.server.classifiers.models import Classifier
from askpoint.server.jobs.models import Job
from askpoint.server.jobs.services import add_job
from audit import SOURCE
from server.load import Crowd, Panel, Rush, enter_players, session_of, show
from server.running import Server

SECONDS = float(os.environ.get("ASKPOINT_SOAK_SECONDS", "600"))

KILLS = int(os.environ.get("ASKPOINT_SOAK_KILLS", "25"))


@pytest.fixture
def campaign(both):
    """A campaign without limits, whose model is the running server's."""
    Classifier.objects.update(target="toy_model:score")
    change_terms(both.id, tries_per_hour=10**9, tries_per_address=10**9, precision_floor=0)
    both.fund(10**9)
    return both.id


def change_terms(campaign, **changes):
    terms = replace(terms_of(Campaign.objects.get(pk=campaign).terms), **changes)
    Campaign.objects.filter(pk=campaign).update(terms=terms_text(terms))


@pytest.fixture
def start(database, campaign, tmp_path):
    """Return a function that starts the server on this database."""
    (tmp_path / "askpoint-secret").write_text(settings.SECRET_KEY)
    running = []

    def begin(*words, port=None):
        connections.close_all()
        server = Server(tmp_path, database, *words, port=port).wait()
        running[:] = [server]
        return server

    yield begin
    for server in running:
        server.stop()


def until_the_model_answers(server, campaign, session, seconds=60):
    crowd = Crowd(server.port, campaign, [session], patient=True)
    crowd.start()
    ends = time.monotonic() + seconds
    while not crowd.figures.acknowledged and time.monotonic() < ends:
        time.sleep(0.05)
    crowd.stop()
    assert crowd.figures.acknowledged


def check(acknowledged):
    """Every acknowledged submission is there with its reservation, and the ledger is sound."""
    kept = set(Probe.objects.exclude(submitted=None).values_list("pk", flat=True))
    assert set(acknowledged) <= kept
    reserved = Posting.objects.filter(key__startswith="reserve/").values_list("about", flat=True)
    assert set(reserved) == kept
    assert sum(audit("main").balances.values()) == 0


def kills(start, campaign, count):
    rng, server = random.Random(0), start()
    sessions = enter_players(campaign, 8)
    until_the_model_answers(server, campaign, sessions[0])
    crowd = Crowd(server.port, campaign, sessions, patient=True)
    crowd.start()
    try:
        for _ in range(count):
            before = len(crowd.figures.acknowledged)
            ends = time.monotonic() + 60
            while len(crowd.figures.acknowledged) < before + 8 and time.monotonic() < ends:
                time.sleep(0.01)
            assert len(crowd.figures.acknowledged) > before
            time.sleep(rng.uniform(0, 0.3))
            server.kill()
            server = start(port=server.port)
    finally:
        figures = crowd.stop()
    check(figures.acknowledged)
    return figures


@pytest.mark.soak
def test_kills_lose_nothing_that_was_acknowledged(start, campaign):
    figures = kills(start, campaign, KILLS)
    print(len(figures.acknowledged), "acknowledged")  # noqa: T201


@pytest.mark.soak
def test_a_job_is_taken_up_again_soon_after_a_kill(start, campaign):
    server = start()
    for number in range(3):
        add_job("simulate", campaign)
        job = until_it_is_held(Job.objects.filter(kind="simulate", done=None))
        server.kill()
        killed = timezone.now()
        assert Job.objects.get(pk=job.pk).done is None, "the job was done before the kill"
        server = start(port=server.port)
        again = until_it_is_held(Job.objects.filter(pk=job.pk, attempts=2))
        print(number, "taken up after", again.begun - killed)  # noqa: T201
        assert again.begun - killed < timedelta(seconds=30)
        Job.objects.filter(pk=job.pk).update(done=timezone.now())


def until_it_is_held(jobs, seconds=120):
    """Wait until one of these jobs is being done; return it."""
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        job = jobs.exclude(until=None).filter(until__gt=timezone.now()).first()
        connections.close_all()
        if job is not None:
            return job
        time.sleep(0.02)
    raise AssertionError("nobody is at the job")


def play(server, crowd, seconds):
    used = server.cpu_seconds()
    crowd.start()
    time.sleep(seconds)
    figures = crowd.stop()
    figures.cpu_seconds = server.cpu_seconds() - used
    return figures


@pytest.mark.soak
def test_50_players_wait_for_nothing(start, campaign, request):
    """50 players who think for some seconds between cases, and judges, who make it learn."""
    one_decides = Protocol(training_items=2, gold_share=0.0, votes=1)  # as the queue only grows
    change_terms(campaign, protocol=one_decides)
    server, sessions = start(), enter_players(campaign, 50)
    judges = [session_of(User.objects.get(username=name)) for name in ("bob", "beth", "ben")]
    until_the_model_answers(server, campaign, sessions[0])
    crowd = Crowd(server.port, campaign, sessions, pause=5)
    panel = Panel(server.port, campaign, judges, pause=1)
    panel.start()
    figures = play(server, crowd, SECONDS)
    votes = panel.stop()
    show(request.node.name, figures)
    print(len(votes.feedback), "votes;", Similar.objects.count(), "times learned")  # noqa: T201
    assert not figures.errors + votes.errors, (figures.errors + votes.errors)[:5]
    assert votes.feedback
    assert Similar.objects.exists()
    check(figures.acknowledged)


@pytest.mark.soak
def test_as_many_as_it_takes(start, campaign, request):
    """Players who do not think at all: how many cases a second can be played."""
    server, sessions = start(), enter_players(campaign, 16)
    until_the_model_answers(server, campaign, sessions[0])
    crowd = Crowd(server.port, campaign, sessions)
    figures = play(server, crowd, min(SECONDS, 60))
    show(request.node.name, figures)
    assert not figures.errors, figures.errors[:5]
    check(figures.acknowledged)


@pytest.mark.soak
def test_as_many_submissions_as_it_takes(start, campaign, request):
    """Players who have tried their cases before: how many submissions a second there can be."""
    many = ("--workers", "4") if "postgres" in request.node.name else ()  # as the docs advise
    server, sessions = start(*many), enter_players(campaign, 16)
    until_the_model_answers(server, campaign, sessions[0])
    crowd = Rush(server.port, campaign, sessions, int(min(SECONDS, 60) * 4))
    crowd.begin()
    used = server.cpu_seconds()
    figures = crowd.stop()
    figures.cpu_seconds = server.cpu_seconds() - used
    show(request.node.name, figures)
    assert not figures.errors, figures.errors[:5]
    check(figures.acknowledged)


def page_times(server, session, path, seconds):
    """Open a page again and again, and return how long each took."""
    wire, took = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30), []
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        begun = time.monotonic()
        wire.request("GET", path, headers={"Cookie": f"sessionid={session}"})
        answer = wire.getresponse()
        answer.read()
        assert answer.status == 200
        took.append(time.monotonic() - begun)
        time.sleep(0.02)
    wire.close()
    return 1000 * np.array(took)


def guess(server, number, stop):
    """Guess passwords of one name after the other until told to stop."""
    token, tries = "t" * 32, 0
    while not stop.is_set():
        wire = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        form = {"login": f"load-{(number + tries) % 16}", "password": f"guess {tries}"}
        headers = {
            "Cookie": f"csrftoken={token}",
            "X-CSRFToken": token,
            "Content-Type": "application/x-www-form-urlencoded",
        }
        with suppress(OSError, http.client.HTTPException):
            wire.request("POST", "/sign-in/", urlencode(form), headers)
            wire.getresponse().read()
        wire.close()
        tries += 1


@pytest.mark.soak
def test_24_guessers_hold_up_nobody(start, campaign, request):
    server, sessions = start(), enter_players(campaign, 16)
    path, seconds = f"/play/{campaign}/", min(SECONDS, 20)
    page_times(server, sessions[0], path, 2)
    alone = page_times(server, sessions[0], path, seconds)
    stop = threading.Event()
    guessers = [threading.Thread(target=guess, args=(server, n, stop)) for n in range(24)]
    for one in guessers:
        one.start()
    try:
        time.sleep(1)
        beside = page_times(server, sessions[0], path, seconds)
    finally:
        stop.set()
        for one in guessers:
            one.join()
    cuts = [np.percentile(times, (50, 95)).round().tolist() for times in (alone, beside)]
    print(request.node.name, "page p50, p95 ms: alone, beside 24 guessers", cuts)  # noqa: T201
    assert np.median(beside) < 1000


@pytest.mark.soak
def test_a_backup_holds_up_nobody(start, campaign, tmp_path, database, request):
    server, sessions = start(), enter_players(campaign, 8)
    until_the_model_answers(server, campaign, sessions[0])
    seconds = min(SECONDS, 20)
    figures = []
    crowd = Crowd(server.port, campaign, sessions, pause=0.5)
    figures.append(play(server, crowd, seconds))
    crowd = Crowd(server.port, campaign, sessions, pause=0.5)
    crowd.start()
    ends, took = time.monotonic() + seconds, []
    while time.monotonic() < ends:
        file, begun = tmp_path / f"{len(took)}.backup", time.monotonic()
        subprocess.run(
            [sys.executable, "-m", "askpoint", "backup", str(file), "--folder", str(tmp_path)],
            check=True,
            env={**os.environ, "ASKPOINT_DATABASE": database, "PYTHONPATH": str(SOURCE.parent)},
            capture_output=True,
        )
        took.append(round(time.monotonic() - begun, 2))
    figures.append(crowd.stop())
    for name, one in zip(("without", "while backups are written"), figures, strict=True):
        show(f"{request.node.name} {name}", one)
        assert not one.errors, one.errors[:5]
    print("seconds for a backup, one after the other:", took)  # noqa: T201
    check(figures[0].acknowledged + figures[1].acknowledged)
