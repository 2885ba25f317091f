"""The linter refuses disk, clock, network, processes and random state in each pure room."""

from __future__ import annotations

import json

import pytest

from audit import PURE_ROOMS

IMPURE_ROOMS = ("records", "reports", "papers", "server", "cli", "arena/server", "arena/cli")

# One per line: each line must be refused.
BANNED = """\
import http.client
import httpx
import multiprocessing
import os.path
import random
import requests
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
import uuid
from numpy.random import default_rng
from os import environ
from pathlib import Path
from time import monotonic
from urllib.request import urlopen
open("log.csv")
open(file, mode="wb")
builtins.open("log.csv")
io.open("log.csv")
datetime.datetime.now()
datetime.datetime.now(tz=zone)
datetime.datetime.utcnow()
datetime.datetime.today()
datetime.date.today()
when.now()
np.random.seed(0)
np.random.RandomState(0)
np.random.default_rng()
np.random.default_rng(0)
np.random.get_state()
np.random.mtrand.rand()
np.random.normal()
np.load("scores.npy")
np.loadtxt("scores.txt")
np.genfromtxt("scores.txt")
np.fromfile("scores.bin")
np.memmap("scores.bin")
np.save("scores.npy", scores)
np.savetxt("scores.txt", scores)
np.savez("scores.npz", scores)
np.savez_compressed("scores.npz", scores)
print("done")
"""
HEADER = """\
import builtins
import datetime
import io
from datetime import datetime as when

import numpy as np

"""


def refused(folder, tool, rules):
    """Return the lines that the linter refuses, by room."""
    done = tool(folder, "ruff", "check", "--no-cache", "--output-format=json", f"--select={rules}")
    found = {}
    for problem in json.loads(done.stdout):
        room = problem["filename"].split("/askpoint/")[1].rpartition("/")[0]
        found.setdefault(room, set()).add(problem["location"]["row"])
    return found


@pytest.fixture
def rooms_full_of_calls(broken):
    rooms = (*PURE_ROOMS, *IMPURE_ROOMS)
    return broken({f"{room}/calls.py": HEADER + BANNED for room in rooms})


def test_every_banned_call_is_refused_in_every_pure_room(rooms_full_of_calls, tool):
    found = refused(rooms_full_of_calls, tool, "TID251,PTH123,NPY002,T201")
    first = HEADER.count("\n") + 1
    every_line = set(range(first, first + BANNED.count("\n")))
    for room in PURE_ROOMS:
        missed = [BANNED.splitlines()[row - first] for row in every_line - found[room]]
        assert not missed, f"{room} may call: {missed}"
        assert found[room] == every_line  # and nothing harmless is refused


def test_rooms_that_touch_disk_and_wire_may_do_so(rooms_full_of_calls, tool):
    found = refused(rooms_full_of_calls, tool, "TID251,PTH123")
    assert set(found) == set(PURE_ROOMS)


def test_a_relative_import_is_refused(broken, tool):
    folder = broken({"value/near.py": "from . import far\n", "value/far.py": ""})
    assert refused(folder, tool, "TID252") == {"value": {1}}
