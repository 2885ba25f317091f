"""A model behind its process: asked, watched, and never believed when it says nonsense."""

from __future__ import annotations

import json
import sys
import threading
import time
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from django.conf import settings

from askpoint.errors import InputError, ModelError
from askpoint.server.classifiers.models import Classifier
from askpoint.server.classifiers.processes import Supervisor, socket_path
from askpoint.server.classifiers.scorer import answer_of
from askpoint.server.classifiers.services import ask, ask_many, read_features, register

MODEL = """
import time, os
print("loaded")
def score(cases):
    found = []
    for case in cases:
        if isinstance(case, dict):
            p = min(1.0, max(0.0, case["age"] / 100))
        else:
            if "loud" in case: print("x" * 200_000)
            if "sleep" in case: time.sleep(60)
            if "die" in case: os._exit(3)
            if "raise" in case: raise RuntimeError("no\\nsuch   token")
            p = float("nan") if "nan" in case else 0.9 if "bad" in case else 0.1
        found.append(p if "rows" not in case else [1 - p, p])
    return found[:-1] if "few" in cases[0] else found
"""


@pytest.fixture
def workshop(stage, tmp_path, monkeypatch):
    """A folder with a model of our own, and a short one for sockets."""
    import tempfile

    (tmp_path / "judge_me.py").write_text(MODEL)
    monkeypatch.chdir(tmp_path)
    with tempfile.TemporaryDirectory(prefix="ask") as sockets:
        monkeypatch.setattr(settings, "ASKPOINT", replace(settings.ASKPOINT, sockets=sockets))
        yield stage


@pytest.fixture
def asked(workshop):
    """Return a function that asks the running model."""
    row = workshop.classifier
    row.seconds = 0.5
    supervisor = Supervisor(settings.ASKPOINT.sockets)
    wanted = {str(row.pk): row.scorer()}
    stop = threading.Event()

    def watch():
        while not stop.wait(0.05):
            supervisor.watch(wanted)

    thread = threading.Thread(target=watch)
    thread.start()
    until_it_answers(row)
    yield lambda case: ask(row, case)
    stop.set()
    thread.join()
    supervisor.stop()


def until_it_answers(row, seconds=20):
    ends = time.monotonic() + seconds
    while True:
        try:
            return ask(row, "hello")
        except ModelError:
            if time.monotonic() > ends:
                raise
            time.sleep(0.05)


def test_a_function_is_asked_in_its_process(asked):
    assert asked("bad").probabilities == pytest.approx((0.1, 0.9))
    assert asked("bad rows").decision == "offensive"
    assert asked("🤡 شكرا").decision == "clean"


def test_a_model_may_print_as_much_as_it_likes(asked):
    for _ in range(3):
        assert asked("loud").decision == "clean"


@pytest.mark.parametrize(
    ("case", "says"),
    [
        ("nan", "lies between 0 and 1"),
        ("few", "a list of 1 answers"),
        ("raise", "no such token"),
    ],
)
def test_what_is_no_answer_is_said_at_once(case, says, asked):
    begun = time.monotonic()
    with pytest.raises(ModelError, match=says):
        asked(case)
    assert time.monotonic() - begun < 2


def test_a_slow_model_is_not_waited_for_and_is_started_again(asked, workshop):
    begun = time.monotonic()
    with pytest.raises(ModelError, match=r"within 0\.5 seconds"):
        asked("sleep")
    assert time.monotonic() - begun < 2
    until_it_answers(workshop.classifier)


def test_a_model_that_dies_is_started_again(asked, workshop):
    with pytest.raises(ModelError, match="stopped while"):
        asked("die")
    until_it_answers(workshop.classifier)


def test_a_model_that_is_not_running_is_said_so(workshop):
    with pytest.raises(ModelError, match="not running just now"):
        ask(workshop.classifier, "hello")


def test_a_supervisor_ends_what_is_not_wanted(workshop):
    supervisor = Supervisor(settings.ASKPOINT.sockets)
    supervisor.watch({str(workshop.classifier.pk): workshop.classifier.scorer()})
    until_it_answers(workshop.classifier)
    supervisor.watch({})
    with pytest.raises(ModelError, match="not running"):
        ask(workshop.classifier, "hello")
    import os

    assert not os.path.exists(socket_path(settings.ASKPOINT.sockets, str(workshop.classifier.pk)))


GOOD = {
    "name": "mine",
    "adapter": "callable",
    "target": "judge_me:score",
    "classes": ["clean", "offensive"],
    "trial": "bad thing",
    "expected": "offensive",
}


def test_a_model_is_kept_after_a_trial(workshop):
    row = register(workshop.olga, **GOOD)
    assert Classifier.objects.get(pk=row.pk).cases == "text"


@pytest.mark.parametrize(
    ("changes", "error", "says"),
    [
        ({"classes": ["offensive", "clean"]}, InputError, "in the order of its probabilities"),
        ({"classes": ["a", "b", "c"], "expected": "a"}, ModelError, "3 probabilities"),
        ({"classes": ["clean"]}, InputError, "at least two different classes"),
        ({"target": "os:system"}, InputError, "--model MODULE:FUNCTION"),
        ({"adapter": "http", "target": "file:///etc/passwd"}, InputError, "http://"),
        ({"trial": "nan"}, ModelError, "between 0 and 1"),
        ({"trial": "die"}, ModelError, "stopped"),
        ({"seconds": 0}, InputError, "up to 30 seconds"),
    ],
)
def test_a_model_that_is_not_understood_is_not_kept(changes, error, says, workshop):
    before = Classifier.objects.count()
    with pytest.raises(error, match=says):
        register(workshop.olga, **{**GOOD, **changes})
    assert Classifier.objects.count() == before


def test_a_model_that_cannot_be_loaded_says_why(workshop, monkeypatch):
    options = replace(settings.ASKPOINT, models=("no_such_module:score",))
    monkeypatch.setattr(settings, "ASKPOINT", options)
    with pytest.raises(ModelError, match="No module named 'no_such_module'"):
        register(workshop.olga, **{**GOOD, "target": "no_such_module:score"})


def test_a_model_of_rows_is_asked_with_rows(workshop, enter):
    features = read_features("age: number\ncolour: red, green\n")
    changes = {"features": features, "trial": {"age": 90, "colour": "red"}}
    row = register(workshop.olga, **{**GOOD, **changes})
    assert row.cases == "row"
    assert read_features("") == []
    for text in ("age", "age: number\nage: number", "age: red,,green"):
        with pytest.raises(InputError, match="a column is a line"):
            read_features(text)


@pytest.fixture
def web():
    """A model behind an address; what it answers is set by the test."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            n_cases = len(json.loads(self.rfile.read(int(self.headers["Content-Length"])))["cases"])
            status, body = server.says(n_cases)
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body if isinstance(body, bytes) else json.dumps(body).encode())

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    server.url = f"http://127.0.0.1:{server.server_port}/"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_model_behind_an_address(workshop, web):
    http = {**GOOD, "adapter": "http", "target": web.url}
    web.says = lambda n: (200, {"probabilities": [[0.2, 0.8]] * n, "version": "7"})
    assert register(workshop.olga, **http).adapter == "http"
    for answer, says in [
        ((500, {}), "status 500"),
        ((200, b"<html>"), "Expecting value"),
        ((200, {"probabilities": [[0.2, 0.9]]}), "sum to 1"),
        ((200, {"probabilities": [[0.2, 0.8]], "classes": ["offensive", "clean"]}), "this order"),
        ((200, {"probabilities": [[0.2, 0.8]], "decisions": ["maybe"]}), "decisions must be"),
    ]:
        web.says = lambda _, answer=answer: answer
        with pytest.raises(ModelError, match=says):
            register(workshop.olga, **http)
    with pytest.raises(ModelError, match="cannot be reached"):
        register(workshop.olga, **{**http, "target": "http://127.0.0.1:9/"})


def test_a_plain_number_is_the_second_class():
    import numpy as np

    found = answer_of(np.array([0.25, 1.0]), 2, ["a", "b"])
    assert found["probabilities"] == [[0.75, 0.25], [0.0, 1.0]]
    assert found["decisions"] == ["a", "b"]
    found = answer_of({"probabilities": [[0.9, 0.1]], "decisions": ["b"]}, 1, ["a", "b"])
    assert found["decisions"] == ["b"]  # a deployed threshold need not follow the likeliest


def test_the_scorer_needs_nothing_but_python():
    import subprocess

    from askpoint.server.classifiers import scorer

    code = f"import runpy, sys; runpy.run_path({scorer.__file__!r}); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True
    )
    assert not {"numpy", "django", "askpoint"} & set(done.stdout.split())


def test_several_cases_are_asked_at_once_and_answered_all_or_none(asked, workshop):
    row = workshop.classifier
    found = ask_many(row, ["fine", "so bad", "fine"])
    assert [answer.decision for answer in found] == ["clean", "offensive", "clean"]
    with pytest.raises(ModelError, match="no such token"):
        ask_many(row, ["fine", "raise"])
