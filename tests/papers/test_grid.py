"""The runner of grids: finished cells are kept, half of one is not, and random numbers stay."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import polars as pl
import pytest

from askpoint.papers.grid import run_grid

CELLS = [{"size": size, "kind": kind} for size in (1, 2, 3) for kind in ("left", "right")]


class Worker:
    """Remembers which cells it did."""

    def __init__(self):
        self.done = []

    def __call__(self, cell, rng):
        self.done.append(dict(cell))
        return [{"draw": rng.random()} for _ in range(cell["size"])]


def test_rows_say_where_they_come_from(tmp_path):
    found = run_grid("toy", CELLS, Worker(), tmp_path, seed=3)
    assert found.columns == ["experiment", "version", "seed", "size", "kind", "draw"]
    assert found.height == 12
    assert found["seed"].unique().to_list() == [3]
    assert found["draw"].n_unique() == 12


HANGS = """
import sys, time
from pathlib import Path
from askpoint.papers.grid import run_grid
sys.path.insert(0, {tests!r})
from test_grid import CELLS, Worker

class Hanging(Worker):
    def __call__(self, cell, rng):
        if len(self.done) == 4:
            time.sleep(600)
        return super().__call__(cell, rng)

run_grid("toy", CELLS, Hanging(), Path({folder!r}))
"""


def test_a_killed_run_goes_on_without_repeating_a_cell(tmp_path):
    whole = run_grid("toy", CELLS, Worker(), tmp_path / "whole")
    folder = tmp_path / "killed"
    script = HANGS.format(tests=os.path.dirname(__file__), folder=str(folder))
    process = subprocess.Popen([sys.executable, "-c", script])
    while len(list(folder.glob("cells/*.parquet"))) < 4:
        assert process.poll() is None
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    again, third = Worker(), Worker()
    told, said = [], []
    resumed = run_grid(
        "toy",
        CELLS,
        again,
        folder,
        progress=lambda done, total: told.append((done, total)),
        say=said.append,
    )
    assert again.done == CELLS[4:]
    assert told == [(4, 6), (5, 6), (6, 6)]
    assert said == ["toy: 4 of 6 cells were done before"]
    assert resumed.equals(whole)
    assert run_grid("toy", CELLS, third, folder).equals(whole)
    assert third.done == []


@pytest.mark.parametrize("size", [0, 1, 200])
def test_half_a_checkpoint_is_made_anew(tmp_path, size):
    whole = run_grid("toy", CELLS, Worker(), tmp_path)
    broken = sorted((tmp_path / "cells").iterdir())[2]
    broken.write_bytes(broken.read_bytes()[:size])
    worker, said = Worker(), []
    assert run_grid("toy", CELLS, worker, tmp_path, say=said.append).equals(whole)
    assert len(worker.done) == 1
    assert said[0] == f"{broken.name} was half-written: its cell is done again"
    assert pl.read_parquet(broken).height == worker.done[0]["size"]


@pytest.mark.parametrize("settings", [{"seed": 1}, {"stamp": "other data"}])
def test_a_checkpoint_of_something_else_is_not_taken(tmp_path, settings):
    run_grid("toy", CELLS, Worker(), tmp_path)
    worker = Worker()
    run_grid("toy", CELLS, worker, tmp_path, **settings)
    assert worker.done == CELLS


def test_random_numbers_follow_from_the_cell_alone(tmp_path):
    one = run_grid("toy", CELLS, Worker(), tmp_path / "one")
    other = run_grid("toy", CELLS[::-1], Worker(), tmp_path / "other")
    assert one.sort("draw").equals(other.sort("draw"))
