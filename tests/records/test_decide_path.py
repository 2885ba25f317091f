"""A decision enters three rooms: what keeps it, what decides, what both measure by."""

from __future__ import annotations

import sys

import pytest

from askpoint.records.stores.deployment import Deployment
from audit import SOURCE
from live.worlds import cases
from records.posts import SECRET, document

CONFIDENCE, _, _ = cases(2000, 3)
_MOST_FILES = 40


@pytest.fixture(scope="module")
def entered(tmp_path_factory):
    """The files of ours that `decide` enters: with a plain decision, and with the one after which audits are looked at."""
    found: dict[bool, set[str]] = {False: set(), True: set()}
    heard: set[str] = set()

    def enter(frame, event, _):
        if event == "call" and frame.f_code.co_filename.startswith(f"{SOURCE}/"):
            heard.add(frame.f_code.co_filename.removeprefix(f"{SOURCE}/"))

    where = tmp_path_factory.mktemp("path") / "posts"
    with Deployment(where, document(), secret=SECRET) as deployment:
        for first, last in ((0, 1900), (1900, 1901), (1901, 1999), (1999, 2000)):
            heard.clear()
            keys = [f"post {i}" for i in range(first, last)]
            sys.setprofile(enter if last - first == 1 else None)
            try:
                deployment.decide(keys, confidence=CONFIDENCE[first:last])
            finally:
                sys.setprofile(None)
            found["live/alarms.py" in heard] |= heard  # the look, after every 100 decisions
    return found


def rooms_of(files):
    return {room for room, _, file in (one.partition("/") for one in files) if file}


def test_a_decision_enters_three_rooms_at_most(entered):
    assert {"live", "records"} <= rooms_of(entered[False]) <= {"live", "measures", "records"}


def test_a_look_at_the_audits_enters_the_science_besides(entered):
    assert rooms_of(entered[True]) == {"live", "measures", "records", "value"}


def test_both_enter_few_files(entered):
    assert 10 < len(entered[False]) < len(entered[True]) <= _MOST_FILES
