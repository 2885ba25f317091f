"""Every example runs and says something; that it names what is there, tests/house/test_benchmarks.py says."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

FEW = {"plan_a_campaign": ("2", "60", "3", "6")}  # seeds, cases, dollars: enough to run all of it
LONG = {"policy_in_use"}  # minutes: `make soak` runs it
EXAMPLES = [
    pytest.param(
        path, marks=pytest.mark.soak if path.stem in LONG else pytest.mark.whole, id=path.stem
    )
    for path in sorted(Path(__file__).parents[2].glob("examples/*.py"))
]


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_runs(example, tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error", example, tmp_path, *FEW.get(example.stem, ())],
        env={**os.environ, "MPLBACKEND": "agg"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout
    assert not done.stderr
    assert list(tmp_path.glob("*.svg"))


@pytest.mark.soak
def test_a_policy_notices_a_new_slur_in_real_posts(data, tmp_path):
    posts = data / "text" / "davidson.csv.gz"
    script = Path(__file__).parents[2] / "examples" / "policy_in_use.py"
    done = subprocess.run(
        [sys.executable, script, tmp_path, "1000", posts],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.count("20,000 decisions computed again, every draw, action, hash") == 2
    for name in ("from-a-log", "from-nothing"):
        pages = {path.name for path in (tmp_path / name).glob("day-*.html")}
        assert {"day-11.html", "day-13.html", "day-20.html"} <= pages  # around the change on day 12
        # audits are drawn by a secret: the alarm comes within three days, perhaps on one of these
        assert pages - {"day-11.html", "day-13.html", "day-20.html"} <= {
            f"day-{day}.html" for day in (12, 14, 15)
        }
