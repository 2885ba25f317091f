"""For every test: pure rooms are watched, and the documents' examples are run."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE
from pathlib import Path  # noqa: TID251 - what is collected are files

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import settings
from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser

from audit import PURE_ROOMS, SOURCE, TESTS, pure_rooms_watched
from cast import fewer, require
from luck import repeat_luck

# Sphinx's own; Django's models, which are only there once Django is set up: tests/server; and the loop of an agent,
# which runs in an environment of its own
collect_ignore_glob = [
    "docs/*.py", "src/askpoint/server/*", "src/askpoint/arena/server/*", "tests/server/agent_loop.py",
]  # fmt: skip

pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser(doctest_optionflags=ELLIPSIS | NORMALIZE_WHITESPACE)],
    patterns=["docs/*.md", "docs/*/*.md", "README.md"],
).pytest()


class _Examples:
    """Look for examples in docstrings only where a file shows a prompt: one in twelve does."""

    @staticmethod
    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(file_path: Path) -> Iterator[None]:
        found = yield
        if (
            all(not isinstance(one, DoctestModule) for one in found)
            or b">>>" in file_path.read_bytes()
        ):
            return found
        return [one for one in found if not isinstance(one, DoctestModule)]


def pytest_configure(config: pytest.Config) -> None:
    """Register what looks for examples."""
    config.pluginmanager.register(_Examples())


_EXAMPLES = "_hypothesis_internal_use_settings"  # where hypothesis keeps them, for pytest, too


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that drive a browser: these take longest, and no core should wait."""
    first = {item.path for item in items if "chromium" in getattr(item, "fixturenames", ())}
    items.sort(key=lambda item: item.path not in first)
    for item in items:
        law = getattr(item, "function", None)
        if used := getattr(law, _EXAMPLES, None):
            setattr(law, _EXAMPLES, settings(used, max_examples=fewer(used.max_examples)))


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Stop the tracer that pytest-cov starts in a worker before it starts the worker's own.

    Nobody reads what the first one saw, and whenever the second pauses, it goes on.
    """
    tracer = getattr(session.config.pluginmanager.getplugin("_cov"), "cov_controller", None)
    if tracer is not None and hasattr(session.config, "workerinput"):
        tracer.pause()


_PURE = tuple(f"askpoint.{room.replace('/', '.')}." for room in PURE_ROOMS)


def _forget_what_was_computed() -> None:
    """Empty the pure rooms' caches: a line that ran in another room's test would not run again, nor be seen."""
    for name, module in list(sys.modules.items()):
        if name.startswith(_PURE):
            for value in list(vars(module).values()):
                if callable(clear := getattr(value, "cache_clear", None)):
                    clear()


_TRACED = {
    *(TESTS / room for room in (*PURE_ROOMS, "laws")),
    *(SOURCE / room for room in PURE_ROOMS),
}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Trace the pure rooms' own tests alone, and what prepares them.

    Tracing doubles the time of a test, and a line that only a server's test reaches is not tested.
    """
    tracer = getattr(item.config.pluginmanager.getplugin("_cov"), "cov_controller", None)
    traced = not _TRACED.isdisjoint(item.path.parents)
    if tracer is not None and tracer.started != traced:
        if traced:
            _forget_what_was_computed()
        (tracer.resume if traced else tracer.pause)()
    return (yield)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave what takes long and has a short sibling to a run of everything, or to a long one."""
    if item.get_closest_marker("whole") and not item.get_closest_marker("soak"):
        require("whole")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Let nobody look for garbage among thousands of modules and tests, which stay to the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_sessionfinish() -> None:
    """Let it go again, as libraries expect at the end."""
    gc.unfreeze()


@pytest.fixture(autouse=True)
def no_open_figures() -> Iterator[None]:
    """Close the figures that a test or an example left open: pyplot keeps them all."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.fixture(autouse=True)
def repeated_luck(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw what is secret in a test from its name."""
    repeat_luck(request.node.nodeid, monkeypatch)


@pytest.fixture(autouse=True)
def pure() -> Iterator[None]:
    """Fail a test in which a pure room's code touches disk, wire or processes."""
    with pure_rooms_watched():
        yield
