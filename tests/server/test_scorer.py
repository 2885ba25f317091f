"""A model behind its process: asked, watched, and never believed when it says nonsense."""

from __future__ import annotations

import sys
import threading
import time
from dataclasses import replace
from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from askpoint.errors import InputError, ModelError
from askpoint.server.classifiers.faults import FAULTS
from askpoint.server.classifiers.models import Classifier, SetAside
from askpoint.server.classifiers.processes import (
    Stopped,
    Supervisor,
    socket_path,
    surroundings,
    trouble_of,
)
from askpoint.server.classifiers.scorer import _Server, answer_of
from askpoint.server.classifiers.services import ask, ask_many, read_features, register
from askpoint.server.classifiers.set_aside_cases import set_aside
from server.workshop import GOOD


@pytest.fixture
def asked(workshop):
    """Return a function that asks the running model."""
    row = workshop.classifier
    row.seconds = 0.5
    supervisor = Supervisor(settings.ASKPOINT.sockets, stopped=set_aside)
    wanted = {str(row.pk): row.scorer()}
    stop = threading.Event()

    @workshop.in_thread
    def watch():
        while not stop.wait(0.05):
            supervisor.watch(wanted)

    thread = threading.Thread(target=watch)
    thread.start()
    until_it_answers(row)
    yield lambda case, sent_by="": ask(row, case, sent_by)
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
    ("case", "kind", "detail"),
    [
        ("nan", "bad-answer", "a probability must be between 0 and 1; got [nan, nan]"),
        ("few", "bad-answer", "it must give a list of 1 answers, one for each case"),
        ("raise", "failed", "RuntimeError"),
    ],
)
def test_people_read_what_kind_of_fault_it_was(case, kind, detail, asked):
    begun = time.monotonic()
    with pytest.raises(ModelError) as caught:
        asked(case)
    assert time.monotonic() - begun < 2
    assert (caught.value.kind, caught.value.detail) == (kind, detail)
    assert str(caught.value) == FAULTS[kind]


def test_the_log_has_all_that_a_model_raised_and_health_counts_it(tmp_path, capsys):
    def fails(cases):
        raise RuntimeError("the password is 123")

    config = {"socket": str(tmp_path / "s"), "target": "a:b", "classes": ["a", "b"], "seconds": 1}
    with _Server(config, fails, lambda **_: None, alone=True) as server:
        for _ in range(2):
            reply = server.reply(b'{"cases": ["one"]}')
            assert reply == {"fault": "failed", "detail": "RuntimeError"}
        health = server.reply(b'{"health": true}')
    assert (health["counts"], health["last"]) == ({"failed": 2}, "failed")
    assert "RuntimeError: the password is 123" in capsys.readouterr().err
    assert not list(tmp_path.glob("*.now"))


def test_a_model_that_hangs_is_ended_and_its_case_put_aside(asked, workshop):
    row, begun = workshop.classifier, time.monotonic()
    with pytest.raises(ModelError, match="in time"):
        asked("sleep", "alice")
    assert time.monotonic() - begun < 2
    until_noted(row, 1)
    until_it_answers(row)
    with pytest.raises(ModelError) as caught:
        ask(row, "sleep", "ann")
    assert caught.value.kind == "set-aside"
    assert ask(row, "something else").decision == "clean"
    stop = SetAside.objects.get()
    assert (stop.case, stop.sent_by, stop.hung) == ("sleep", "alice", True)


def test_a_model_that_dies_is_started_again_at_once_each_time(asked, workshop):
    row = workshop.classifier
    for number in range(4):  # an answer between ends the waiting: 0.4 s, not 0.4, 0.8, 1.6, 3.2
        with pytest.raises(ModelError, match="stopped while"):
            asked(f"die {number}", "alice")
        begun = time.monotonic()
        until_it_answers(row)
        assert time.monotonic() - begun < 3
        until_noted(row, number + 1)
    assert not SetAside.objects.filter(hung=True).exists()


def until_noted(row, count, seconds=20):
    ends = time.monotonic() + seconds
    while SetAside.objects.filter(classifier=row).count() < count:
        assert time.monotonic() < ends
        time.sleep(0.05)


def test_who_stops_the_model_three_times_waits_until_tomorrow(stage, enter):
    for number in range(3):
        asked = {"cases": [f"boom {number}"], "from": "alice"}
        stopped = Stopped(str(stage.classifier.pk), asked, hung=False)
        set_aside(stopped)
        set_aside(stopped)  # the same again counts once
        case = {"case": f"good morning {number}"}
        answer = enter(stage.alice).post(f"/play/{stage.id}/", case)
        assert answer.status_code == (429 if number == 2 else 302)
    assert b"stopped the model within a day" in answer.content
    assert enter(stage.ann).post(f"/play/{stage.id}/", {"case": "good day"}).status_code == 302
    SetAside.objects.update(at=timezone.now() - timedelta(hours=25))
    answer = enter(stage.alice).post(f"/play/{stage.id}/", {"case": "good evening"})
    assert answer.status_code == 302


def test_of_several_cases_nobody_knows_which_stopped_it(stage):
    set_aside(Stopped(str(stage.classifier.pk), {"cases": ["a", "b"]}, hung=True))
    set_aside(Stopped("trial-12", {"cases": ["a"]}, hung=True))
    assert not SetAside.objects.exists()


def test_a_model_gets_few_variables_and_those_that_are_named():
    given = {
        "ASKPOINT_SERVER": "secret",
        "ASKPOINT_DATABASE": "secret",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "PATH": "/bin",
        "LC_ALL": "C",
        "MY_MODEL": "named",
    }
    assert set(surroundings(given)) == {"PATH", "LC_ALL"}
    assert set(surroundings(given, ("MY_MODEL",))) == {"PATH", "LC_ALL", "MY_MODEL"}


def test_a_function_finds_no_secret_around_itself(workshop, tmp_path, monkeypatch):
    (tmp_path / "judge_me.py").write_text(
        "import os\ndef score(cases): return [float(any('SECRET' in v for v in os.environ.values()))"
        " for _ in cases]\n"
    )
    for name in ("ASKPOINT_SERVER", "ASKPOINT_DATABASE", "DATABASE_URL"):
        monkeypatch.setenv(name, "SECRET")
    row = register("main", workshop.olga, **{**GOOD, "trial": "x", "expected": "clean"})
    assert row.pk
    monkeypatch.setattr(
        settings, "ASKPOINT", replace(settings.ASKPOINT, model_variables=("DATABASE_URL",))
    )
    with pytest.raises(InputError, match="offensive 1"):
        register("main", workshop.olga, **{**GOOD, "trial": "x", "expected": "clean"})


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


def test_a_model_is_kept_after_a_trial(workshop):
    row = register("main", workshop.olga, **GOOD)
    assert Classifier.objects.get(pk=row.pk).cases == "text"


@pytest.mark.parametrize(
    ("changes", "error", "says"),
    [
        ({"classes": ["offensive", "clean"]}, InputError, "in the order of its probabilities"),
        ({"classes": ["a", "b", "c"], "expected": "a"}, ModelError, "3 probabilities"),
        ({"classes": ["clean"]}, InputError, "at least two different classes"),
        ({"target": "os:system"}, InputError, "--model MODULE:FUNCTION"),
        ({"adapter": "http", "target": "file:///etc/passwd"}, InputError, "http://"),
        ({"adapter": "http", "target": "http://me:word@a.example/"}, InputError, "password in it"),
        ({"adapter": "http", "target": "http://192.168.0.1/"}, ModelError, "anybody can reach"),
        ({"adapter": "http", "target": "http://[::1]:80/"}, ModelError, "anybody can reach"),
        ({"trial": "nan"}, ModelError, "between 0 and 1"),
        ({"trial": "die"}, ModelError, "stopped"),
        ({"seconds": 0}, InputError, "up to 30 seconds"),
    ],
)
def test_a_model_that_is_not_understood_is_not_kept(changes, error, says, workshop):
    before = Classifier.objects.count()
    with pytest.raises(error, match=says):
        register("main", workshop.olga, **{**GOOD, **changes})
    assert Classifier.objects.count() == before


def test_a_model_that_cannot_be_loaded_says_why(workshop, monkeypatch):
    options = replace(settings.ASKPOINT, models=("no_such_module:score",))
    monkeypatch.setattr(settings, "ASKPOINT", options)
    with pytest.raises(ModelError, match="log says why: ModuleNotFoundError"):
        register("main", workshop.olga, **{**GOOD, "target": "no_such_module:score"})


def test_a_model_of_rows_is_asked_with_rows(workshop, enter):
    features = read_features("age: number\ncolour: red, green\n")
    changes = {"features": features, "trial": {"age": 90, "colour": "red"}}
    row = register("main", workshop.olga, **{**GOOD, **changes})
    assert row.cases == "row"
    assert read_features("") == []
    for text in ("age", "age: number\nage: number", "age: red,,green"):
        with pytest.raises(InputError, match="a column is a line"):
            read_features(text)


def test_a_function_that_is_named_no_more_is_not_run(workshop, monkeypatch):
    """Not even where the database says so: it may have been written by somebody else."""
    row = workshop.classifier
    monkeypatch.setattr(settings, "ASKPOINT", replace(settings.ASKPOINT, models=()))
    supervisor = Supervisor(settings.ASKPOINT.sockets)
    supervisor.watch({str(row.pk): row.scorer()})
    assert trouble_of(settings.ASKPOINT.sockets, str(row.pk)) == "it was not named with --model"
    with pytest.raises(ModelError, match="not running"):
        ask(row, "hello")
    supervisor.stop()


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
    with pytest.raises(ModelError, match="failed on this"):
        ask_many(row, ["fine", "raise"])
