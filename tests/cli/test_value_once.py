"""`askpoint value` opens its log once, checks its arguments once, and enters few of our files."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from cli.logs import make_log

_MOST_FILES = 120
_MOST_LOADED = 120  # with those that hold classes only


@pytest.fixture(scope="module", params=["csv", "parquet"])
def seen(request, tmp_path_factory):
    """What one run was seen to do."""
    path = tmp_path_factory.mktemp("once") / f"log.{request.param}"
    frame = pl.DataFrame(make_log())
    frame.write_parquet(path) if request.param == "parquet" else frame.write_csv(path)
    script = Path(__file__).with_name("one_run.py")
    words = [] if request.param == "csv" else ["--json", "--rho", "0.1"]
    run = subprocess.run(
        [sys.executable, str(script), str(path), *words],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stdout
    return json.loads(run.stderr.splitlines()[-1])


def test_a_log_is_opened_once(seen):
    assert seen["open_file"] == 1
    assert seen["opened"] <= 1
    if seen["opened_by_kernel"] is not None:  # for the header, the columns and the rows
        assert 1 <= seen["opened_by_kernel"] <= 3


def test_one_run_enters_few_files(seen):
    assert 0 < seen["entered"] <= _MOST_FILES
    assert seen["entered"] < seen["loaded"] <= _MOST_LOADED


def test_arguments_are_checked_at_the_door_and_not_again(seen):
    assert 0 < seen["as_level"] <= 4
    assert 0 < seen["as_choice"] <= 4
