"""How far a command is: on a terminal, after a second, and never before."""

from __future__ import annotations

import io
import subprocess
import sys
import threading

import pytest

from askpoint.cli import progress
from askpoint.cli.progress import LateProgress


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def terminal(monkeypatch):
    """Return a function: standard error is a terminal from now on."""

    def begin():
        monkeypatch.setattr(sys, "stderr", Terminal())
        return sys.stderr

    return begin


@pytest.fixture
def at_once(monkeypatch):
    """A second that is over as soon as the work begins."""

    class Timer:
        daemon = False

        def __init__(self, _, function):
            self.function = function

        def start(self):
            self.function()

        def cancel(self):
            pass

    monkeypatch.setattr(threading, "Timer", Timer)


def test_it_waits_for_one_second(terminal, monkeypatch):
    waits = []

    class Timer:
        def __init__(self, seconds, _):
            waits.append(seconds)

        def start(self):
            waits.append("started")

        def cancel(self):
            waits.append("cancelled")

    monkeypatch.setattr(threading, "Timer", Timer)
    screen = terminal()
    with LateProgress("counting cases", 10) as bar:
        bar.update(done=3)
        assert waits == [1.0, "started"]
    assert waits[-1] == "cancelled"
    assert screen.getvalue() == ""


@pytest.mark.parametrize(
    ("shows", "text"),
    [
        ("share", "counting cases"),
        ("rows", "1,234 rows read"),
        ("step", "counting cases"),
        ("cells", "1234/5000"),
    ],
)
def test_after_it_the_line_says_what_was_said_before_and_since(terminal, at_once, shows, text):
    screen = terminal()
    with LateProgress("counting", shows=shows) as bar:
        bar.update(text="counting cases", done=1234, total=5000)
    assert text in screen.getvalue()


def test_where_no_terminal_is_nobody_waits_and_nothing_is_shown(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    monkeypatch.setattr(progress.threading, "Timer", None)  # would fail
    with LateProgress("counting cases") as bar:
        bar.update(done=3)
    assert sys.stderr.getvalue() == ""


def test_what_ends_while_the_second_ends_shows_nothing(terminal):
    screen = terminal()
    with LateProgress("counting cases") as bar:
        pass
    bar._show()
    assert screen.getvalue() == ""


def test_short_work_does_not_load_what_draws():
    script = (
        "import sys; from askpoint.cli.progress import LateProgress\n"
        "with LateProgress('counting') as bar: bar.update(done=1)\n"
        "print('rich' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout == "False\n"
