"""Verdicts that a panel gives alone on the judgements that "Trust or Escalate" publishes.

They are not ours to copy: name the folder `result` of the authors' repository by ASKPOINT_CASCADE; skipped without.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import numpy as np
import pytest
from scipy import optimize, stats

FOLDER = os.environ.get("ASKPOINT_CASCADE")
SCRIPT = Path(__file__).parents[2] / "benchmarks" / "bench_panel_policy.py"


@pytest.fixture(scope="module")
def bench():
    spec = importlib.util.spec_from_file_location("bench_panel_policy", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def data(bench):
    if FOLDER is None:
        pytest.skip("ASKPOINT_CASCADE names no folder of judgements")
    return bench.read_judgements(FOLDER)


@pytest.mark.whole
def test_the_threshold_is_that_of_their_loop(bench):
    """Their rule as they write it: root of the binomial distribution, threshold by threshold."""
    rng = np.random.default_rng(0)
    for _ in range(4):
        sure = np.round(0.5 + rng.random(250) / 2, 3)
        wrong = rng.random(250) < 1.2 * (1 - sure)
        grid = [t for t in np.linspace(0, 1, 5000) if (sure >= t).sum() >= 30]

        def bound(t, sure=sure, wrong=wrong):
            n, k = (sure >= t).sum(), wrong[sure >= t].sum()
            return optimize.brentq(lambda r: stats.binom.cdf(k, n, r) - 0.1, 0, 0.9999)

        expected = None
        for t in reversed(grid):
            if bound(t) > 0.2:
                break
            expected = t
        found = bench.lowest(sure, wrong, 0.2, 0.1, strict=True)
        assert found == (np.inf if expected is None else pytest.approx(expected))


def test_the_files_hold_500_pairs(bench, data):
    assert data.probability.shape == (500, 3)
    assert ((data.probability >= 0) & (data.probability <= 1)).all()
    accuracy = ((data.probability > 0.5) == data.truth[:, None]).mean(axis=0)
    assert accuracy == pytest.approx([0.75, 0.756, 0.784], abs=0.005)  # from the rows themselves


def test_a_promise_is_kept_where_these_pairs_are_all_there_are(bench, data):
    rule = bench.RULES["panel, probabilities pooled, promised"]
    kept = given = 0
    for learn, new, seed in bench.draws(data, 40):
        found = rule(learn, new, 0.8, seed)
        given += found.alone.mean()
        kept += found.right.sum() >= 0.8 * found.alone.sum()
    assert kept >= 32  # of 40 at .9: fewer come once in 100 series
    assert given / 40 > 0.6
