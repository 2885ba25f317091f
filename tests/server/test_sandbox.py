"""A model in a box reads no secret and reaches no database or network; what a kernel lacks is said."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from askpoint.server.classifiers import sandbox
from askpoint.server.classifiers.processes import ModelBox, Scorer, Supervisor, box_of
from askpoint.server.classifiers.sandbox import readable_paths
from askpoint.server.classifiers.services import model_box
from askpoint.server.options import Options

PROBE = """
import json, os, socket, sys

def reach(what):
    try:
        what()
    except OSError as error:
        return type(error).__name__
    return "reached"

def connect(family, where, kind=socket.SOCK_STREAM):
    with socket.socket(family, kind) as wire:
        wire.settimeout(2)
        wire.connect(where)
        wire.send(b"x")

secret, own, listening, database = sys.argv[1:]
print(json.dumps({
    "secret": reach(lambda: open(secret).read()),
    "own": reach(lambda: open(own).read()),
    "passwords": reach(lambda: open("/etc/passwd").read()),
    "environment": reach(lambda: open(f"/proc/{os.getppid()}/environ").read()),
    "network": reach(lambda: connect(socket.AF_INET, ("127.0.0.1", int(listening)))),
    "datagram": reach(lambda: connect(socket.AF_INET, ("127.0.0.1", 9), socket.SOCK_DGRAM)),
    "database": reach(lambda: connect(socket.AF_UNIX, database)),
    "signal": reach(lambda: os.kill(os.getppid(), 0)),
    "write": reach(lambda: open(own, "a").close()),
}))
"""


def in_box(words, mode="try", reads=(), writes=(), hidden=()):
    box = {"mode": mode, "reads": [*map(str, reads)], "writes": [*map(str, writes)]}
    box["hidden"] = [*map(str, hidden)]
    done = subprocess.run(
        [sys.executable, "-P", sandbox.__file__, json.dumps(box), *map(str, words)],
        capture_output=True,
        text=True,
        check=True,
    )
    said, *rest = done.stdout.splitlines()
    return json.loads(said), rest


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """What this kernel makes a box of; skipped where that is less than all."""
    if sys.platform != "linux":
        pytest.skip("the box is of Linux")
    (said, _) = in_box(["-c", ""])
    if not any(it.startswith("Landlock") for it in said["sandbox"]):
        pytest.skip(f"this kernel offers no Landlock, only {said['sandbox']}")
    if "network and mount namespaces" not in said["sandbox"]:
        pytest.skip(f"this machine lets nobody make namespaces, only {said['sandbox']}")
    return said["sandbox"]


def test_a_model_in_a_box_reaches_nothing(made, tmp_path):
    import socket

    (tmp_path / "model").mkdir()
    probe, own, secret = (tmp_path / it for it in ("model/probe.py", "model/own", "secret"))
    probe.write_text(PROBE)
    own.write_text("weights")
    secret.write_text("secret")
    database = next((it for it in Path("/var/run/postgresql").glob(".s.PGSQL.*[0-9]")), "/nowhere")
    with socket.create_server(("127.0.0.1", 0)) as server:
        words = ["-P", probe, secret, own, server.getsockname()[1], database]
        _, (reached,) = in_box(words, reads=[probe.parent])
        bare = subprocess.run([sys.executable, *map(str, words)], capture_output=True, check=True)
    reached = json.loads(reached)
    assert reached.pop("own") == "reached"
    assert "reached" not in reached.values(), reached
    without = json.loads(bare.stdout)
    assert {without[it] for it in ("secret", "network", "environment")} == {"reached"}


def test_a_box_that_is_required_and_not_whole_is_refused(monkeypatch, capsys):
    monkeypatch.setattr(sandbox, "close_box", lambda *_: ["no new privileges"])
    box = json.dumps({"mode": "require", "reads": [], "writes": [], "hidden": []})
    monkeypatch.setattr(sys, "argv", ["sandbox.py", box, "-c", "print('ran')"])
    sandbox.main()
    said = json.loads(capsys.readouterr().out)
    assert said == {"error": "this machine offers no whole sandbox, only: no new privileges"}


def test_what_is_hidden_is_left_out_wherever_it_lies(tmp_path):
    for name in ("model", "askpoint-data"):
        (tmp_path / name).mkdir()
    (tmp_path / "model.py").write_text("")
    hidden = [tmp_path / "askpoint-data"]
    assert readable_paths(tmp_path, hidden) == [
        str(tmp_path / "model"),
        str(tmp_path / "model.py"),
    ]
    assert readable_paths(tmp_path / "model", hidden) == [str(tmp_path / "model")]
    assert readable_paths(hidden[0] / "inside", hidden) == []


def test_the_servers_folder_database_and_keys_are_hidden():
    options = Options(
        "sqlite:////srv/data/askpoint.db",
        "secret",
        "/tmp",  # noqa: S108 - nothing is made there
        folder="/srv/data",
        model_keys=("https://a.example=/srv/key", "https://b.example=env:KEY"),
        openid=("/srv/acme.json",),
    )
    hidden = ("/srv/data", "/srv/acme.json", "/srv/key", "/srv/data/askpoint.db")
    assert model_box(options) == ModelBox("try", (), hidden)


def test_a_model_answers_from_its_box_and_the_box_is_told(made, tmp_path, monkeypatch):
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "askpoint-secret").write_text("secret")
    (tmp_path / "boxed_model.py").write_text(
        "import os\n"
        "def score(cases):\n"
        "    try:\n"
        f"        open({str(folder / 'askpoint-secret')!r}).read()\n"
        "    except PermissionError:\n"
        "        return [0.25] * len(cases)\n"
        "    return [1.0] * len(cases)\n"
    )
    monkeypatch.chdir(tmp_path)
    sockets = tmp_path / "s"
    sockets.mkdir()
    config = {
        "adapter": "callable",
        "target": "boxed_model:score",
        "cases": "text",
        "classes": ["clean", "offensive"],
        "seconds": 5,
    }
    box = ModelBox("require", (), (str(folder),))
    supervisor = Supervisor(str(sockets), box=box)
    try:
        supervisor.watch({"1": config})
        scorer: Scorer = supervisor._scorers["1"]
        assert scorer.wait_until_ready() == ""
        supervisor.watch({"1": config})
        assert box_of(str(sockets), "1") == ", ".join(made)
        from askpoint.server.classifiers.scorer_sockets import talk

        answer = talk(scorer.path, {"cases": ["x"], "from": "me"}, 5)
        assert answer["probabilities"] == [[0.75, 0.25]]
    finally:
        supervisor.stop()


def test_a_model_in_the_servers_folder_is_told_where_to_go(made, tmp_path, monkeypatch):
    folder, sockets = tmp_path / "data", tmp_path / "s"
    folder.mkdir()
    sockets.mkdir()
    (folder / "kept_model.py").write_text("def score(cases):\n    return [0.25] * len(cases)\n")
    monkeypatch.chdir(folder)
    config = {"adapter": "callable", "target": "kept_model:score", "cases": "text", "seconds": 5}
    config["classes"] = ["clean", "offensive"]
    for reads, says in (((), "out of the server's --folder"), ((str(folder),), "")):
        scorer = Scorer(config, str(sockets / "1"), box=ModelBox("try", reads, (str(folder),)))
        try:
            wrong = scorer.wait_until_ready()
            assert says in wrong
            assert bool(says) == bool(wrong)
        finally:
            scorer.stop()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows what a process began with")
def test_the_secret_leaves_what_the_kernel_shows_of_a_process():
    options = Options("sqlite:///x", "a-very-secret-word", "/tmp")  # noqa: S108
    program = (
        "from askpoint.server.options import options_of_parent\n"
        "import os\n"
        "assert options_of_parent().secret == 'a-very-secret-word'\n"
        "print(open('/proc/self/environ').read().count('very-secret'), 'ASKPOINT_SERVER' in os.environ)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=options.environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "0 False\n"
    assert "ASKPOINT_SERVER" not in os.environ
