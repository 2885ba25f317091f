"""Every example runs and says something."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

FEW = {"plan_a_campaign": ("2", "3", "6")}  # seeds, dollars: enough to run all of it
EXAMPLES = sorted(Path(__file__).parents[2].glob("examples/*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
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
