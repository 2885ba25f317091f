"""What tests need is skipped where it is missing, and a failure where it is required."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings, strategies as st

import cast


@pytest.fixture
def nothing(monkeypatch):
    """A machine without data, browser, database and Spark."""
    monkeypatch.delenv("ASKPOINT_DATA", raising=False)
    monkeypatch.delenv("ASKPOINT_REQUIRE", raising=False)
    monkeypatch.delenv("ASKPOINT_WHOLE", raising=False)
    monkeypatch.delenv("ASKPOINT_OBJECTS", raising=False)
    monkeypatch.setattr(cast.importlib.util, "find_spec", lambda _: None)
    monkeypatch.setenv("ASKPOINT_POSTGRES", "postgresql://nobody@127.0.0.1:1/none")
    monkeypatch.setenv("PATH", "")
    return monkeypatch


EVERY = ("data", "chromium", "postgres", "spark", "weka", "kafka", "objects", "whole")


@pytest.mark.parametrize("name", EVERY)
def test_what_is_missing_is_skipped_unless_required(name, nothing):
    with pytest.raises(pytest.skip.Exception, match=f"no {name}"):
        cast.require(name)
    nothing.setenv("ASKPOINT_REQUIRE", ",".join(EVERY))
    with pytest.raises(pytest.fail.Exception, match=f"{name} is required and missing"):
        cast.require(name)


def test_a_slip_in_what_is_required_fails(nothing):
    nothing.setenv("ASKPOINT_REQUIRE", "data,postgress")
    with pytest.raises(pytest.fail.Exception, match="known are " + ", ".join(EVERY)):
        cast.require("data")


def test_what_is_there_is_returned(nothing, tmp_path):
    (tmp_path / "README.md").touch()
    nothing.setenv("ASKPOINT_DATA", str(tmp_path))
    assert cast.data_folder() == tmp_path


@pytest.mark.parametrize("name", ["data", "chromium", "postgres"])
def test_this_machine_has_what_is_required(name, request):
    assert request.getfixturevalue(name)


def test_a_law_is_tried_on_a_quarter_of_its_examples_unless_the_run_is_whole(nothing):
    assert [cast.fewer(n) for n in (3, 10, 40, 300)] == [3, 5, 10, 75]
    nothing.setenv("ASKPOINT_WHOLE", "1")
    assert [cast.fewer(n) for n in (3, 10, 40, 300)] == [3, 10, 40, 300]


TRIED = set()


@settings(max_examples=40, database=None)
@given(st.integers())
def test_this_run_tries_laws_on_as_many_examples_as_it_says(n):
    TRIED.add(n)


def test_as_many_were_tried():
    """Beside the test above: whatever hypothesis calls its settings, they are those of the run."""
    assert cast.fewer(40) / 2 < len(TRIED) <= cast.fewer(40)


@pytest.mark.parametrize("whole", [False, True])
def test_what_takes_long_waits_for_a_whole_run(whole, nothing, request):
    item = request.node
    if whole:
        nothing.setenv("ASKPOINT_WHOLE", "1")
    item.add_marker("whole")
    with (
        contextlib.nullcontext()
        if whole
        else pytest.raises(pytest.skip.Exception, match="no whole")
    ):
        item.ihook.pytest_runtest_setup(item=item)
