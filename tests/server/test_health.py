"""What the health endpoint and the organiser's page say of models and jobs."""

from __future__ import annotations

import tempfile
import threading
from dataclasses import replace
from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from askpoint.arena.server.examinations import services as examining
from askpoint.errors import ModelError
from askpoint.server.classifiers.models import SetAside
from askpoint.server.classifiers.processes import Stopped, socket_path
from askpoint.server.classifiers.scorer import _Server
from askpoint.server.classifiers.services import ask
from askpoint.server.classifiers.set_aside_cases import set_aside
from askpoint.server.health import jobs_health, model_health
from askpoint.server.jobs.models import Job
from askpoint.server.jobs.services import LEASE


@pytest.fixture
def running(stage, monkeypatch):
    """The stage's model behind a real socket; it fails at "bad"."""

    def score(cases):
        if "bad" in cases[0]:
            raise ValueError("no")
        return [0.1] * len(cases)

    with tempfile.TemporaryDirectory(prefix="ask") as sockets:
        monkeypatch.setattr(settings, "ASKPOINT", replace(settings.ASKPOINT, sockets=sockets))
        config = {
            **stage.classifier.scorer(),
            "socket": socket_path(sockets, str(stage.classifier.pk)),
        }
        with _Server(config, score, lambda **_: None, alone=True) as server:
            threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
            yield stage
            server.shutdown()


def said(browser):
    answer = browser.get("/health/")
    assert answer.status_code == 200
    return answer.content.decode().splitlines()


def test_a_model_is_well_when_its_last_word_was_an_answer(running, enter):
    row = running.classifier
    assert (model_health(row).is_well, model_health(row).last) == (True, "")
    ask(row, "good")
    assert said(enter())[0] == "ok"
    for _ in range(2):
        with pytest.raises(ModelError):
            ask(row, "bad")
    health = model_health(row)
    assert (health.is_well, health.answered, health.faults) == (False, 1, {"failed": 2})
    assert said(enter())[:3] == [
        "ok, but not all is well",
        "database: answers",
        "models: 0 of 1 answer",
    ]
    page = enter(running.olga).get(f"/run/{running.id}/").content.decode()
    assert "gave no answer the last time (failed)" in page
    assert "failed 2" in page
    ask(row, "good")
    assert model_health(row).is_well


def test_a_model_that_does_not_run_is_said_with_its_trouble(stage, enter, monkeypatch, tmp_path):
    monkeypatch.setattr(settings, "ASKPOINT", replace(settings.ASKPOINT, sockets=str(tmp_path)))
    (tmp_path / f"{stage.classifier.pk}.trouble").write_text("ModuleNotFoundError")
    page = enter(stage.olga).get(f"/run/{stage.id}/").content.decode()
    assert "does not run just now (ModuleNotFoundError)" in page
    lines = said(enter())
    assert lines[2] == "models: 0 of 1 answer"
    assert "Module" not in str(lines)  # that is the organiser's


def test_jobs_that_wait_and_that_were_given_up(running, enter):
    now = timezone.now()
    Job.objects.all().delete()
    assert said(enter())[3] == "jobs: 0 wait, the oldest for 0 s"
    Job.objects.create(kind="learn", about="x", due=now - timedelta(minutes=5))
    Job.objects.create(kind="learn", about="y", due=now, done=now, error="OSError")
    Job.objects.create(kind="learn", about="z", due=now + timedelta(minutes=5))
    held = {"begun": now - timedelta(minutes=1), "until": now + LEASE}  # somebody is at it
    Job.objects.create(kind="report", about="x", due=now - timedelta(hours=1), **held)
    Job.objects.create(kind="report", about="y", due=now - timedelta(hours=1))
    assert jobs_health().late < timedelta(minutes=6)  # that one waits for its turn
    Job.objects.filter(about="y", kind="report").delete()
    lines = said(enter())
    assert lines[0] == "ok, but not all is well"
    assert lines[3].startswith("jobs: 1 wait, the oldest for 30")
    assert lines[4] == "jobs given up within a day: 1"
    assert lines[5].startswith("computing: 1 wait, the oldest for 30")
    assert lines[6].startswith("logs: one is done for 6")
    assert lines[6].endswith(" s, 0 wait, the oldest for 0 s")
    assert (
        b"Background work is behind: 1 job waits"
        in enter(running.olga).get(f"/run/{running.id}/").content
    )


def test_the_organiser_reads_at_which_cases_the_model_stopped(stage, enter):
    set_aside(Stopped(str(stage.classifier.pk), {"cases": ["<b>boom"], "from": "alice"}, hung=True))
    page = enter(stage.olga).get(f"/run/{stage.id}/").content.decode()
    assert "&lt;b&gt;boom" in page
    assert "it hung" in page


def test_a_sample_goes_on_without_what_stops_the_model(stage, enter, monkeypatch):
    def ask_many(classifier, cases):
        if "boom" in cases:
            if len(cases) == 1:
                set_aside(Stopped(str(classifier.pk), {"cases": list(cases)}, hung=False))
            raise ModelError("the model stopped", "stopped")
        return [stage.ask(None, case) for case in cases]

    monkeypatch.setattr(examining, "ask_many", ask_many)
    row = examining.bring_sample(stage.id, ["one", "two", "boom", "three", "boom", "four"])
    for _ in range(2):  # at the first time it trips
        examining.answer_sample(str(row.pk))
    row.refresh_from_db()
    assert (row.state, row.left_out, row.cases.count()) == ("answered", 2, 4)
    assert SetAside.objects.count() == 1
    page = enter(stage.olga).get(f"/run/{stage.id}/examination/").content.decode()
    assert "2 cases were left out" in page
