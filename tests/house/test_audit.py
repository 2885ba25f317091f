"""The audit hook of the pure rooms bites, and lets through what it should."""

from __future__ import annotations

import sys
import tomllib

import pytest

from audit import PURE_ROOMS, SOURCE, pure_rooms_watched

ACTS = {
    "a file": ("def act(path):\n    open(path).close()", "open"),
    "a file, by another name": (
        "import io\nread = io.open\ndef act(path):\n    read(path).close()",
        "open",
    ),
    "a file, deep in a library": (
        "import numpy as np\ndef act(path):\n    np.ones(3).tofile(path)",
        "open",
    ),
    "a folder": ("import os\ndef act(path):\n    os.listdir(path.parent)", "os.listdir"),
    "a socket": ("import socket\ndef act(path):\n    socket.socket().close()", "socket.__new__"),
    "a process": (
        f"import subprocess\ndef act(path):\n    subprocess.run([{sys.executable!r}, '-V'])",
        "subprocess.Popen",
    ),
}


def function_of(room, code):
    """Return `act` of `code`, compiled as if it stood in a file of that room."""
    space = {}
    exec(compile(code, str(SOURCE / room / "leak.py"), "exec"), space)  # noqa: S102
    return space["act"]


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "file"
    file.write_text("text")
    return file


@pytest.mark.parametrize(("code", "event"), ACTS.values(), ids=ACTS)
def test_an_act_of_a_pure_room_fails_the_test(code, event, path):
    act = function_of("value", code)
    with (
        pytest.raises(pytest.fail.Exception, match=rf"value/leak\.py:\d+ did {event}"),
        pure_rooms_watched(),
    ):
        act(path)


@pytest.mark.parametrize("room", PURE_ROOMS)
def test_every_pure_room_is_watched(room, path):
    with pytest.raises(pytest.fail.Exception, match=room), pure_rooms_watched():
        function_of(room, ACTS["a file"][0])(path)


def test_an_act_that_the_code_swallows_fails_the_test_too(path):
    act = function_of(
        "arena/game", "def act(path):\n    try:\n        open(path / 'no')\n    except OSError: 1"
    )
    with pytest.raises(pytest.fail.Exception, match="arena/game"), pure_rooms_watched():
        act(path)


def test_records_may_act(path):
    with pure_rooms_watched():
        function_of("records", ACTS["a file"][0])(path)


def test_records_may_act_for_a_pure_room(path):
    read = function_of("records", ACTS["a file"][0])
    with pure_rooms_watched():
        function_of("value", "def act(read, path):\n    read(path)")(read, path)


def test_a_callback_of_the_test_may_act(path):
    with pure_rooms_watched():
        function_of("value", "def act(callback):\n    callback()")(lambda: path.read_text())


def test_a_lazy_import_is_no_act(tmp_path, monkeypatch):
    (tmp_path / "lazily_loaded.py").write_text("open(__file__).close()\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pure_rooms_watched():
        function_of("value", "def act():\n    import lazily_loaded")()


def test_a_library_that_looks_for_its_plugins_is_no_act():
    with pure_rooms_watched():
        function_of("value", "import importlib.metadata as m\ndef act():\n    m.version('numpy')")()


def test_every_test_is_watched(request):
    assert "pure" in request.fixturenames


def test_coverage_is_measured_in_the_pure_rooms():
    settings = tomllib.loads((SOURCE.parents[1] / "pyproject.toml").read_text("utf-8"))
    measured = settings["tool"]["coverage"]["run"]["source_pkgs"]
    assert set(measured) == {
        f"askpoint.{room.replace('/', '.')}" for room in (*PURE_ROOMS, "errors")
    }
