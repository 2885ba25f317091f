"""Whole lives, as published: promises, gaps, and how far behind asking everybody."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

_PATH = Path(__file__).parents[2] / "benchmarks" / "bench_live.py"


@pytest.fixture(scope="module")
def bench():
    spec = importlib.util.spec_from_file_location("bench_live", _PATH)
    module = importlib.util.module_from_spec(spec)
    sys.modules["bench_live"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    yield module
    del sys.modules["bench_live"]


def lives(bench, row, n):
    return [bench.live_through(row, np.random.default_rng([17, life])) for life in range(n)]


def gap(played):
    saved = sum(life.ask_all - life.cost for life in played)
    return saved / sum(life.ask_all - life.best for life in played)


@pytest.mark.whole
def test_a_life_for_money_and_one_under_a_promise(bench):
    for aim, least in (("money", 0.75), ("promise", 0.4)):
        played = lives(bench, bench.Row("smooth", aim=aim), 2)
        assert gap(played) > least
        assert not any(life.broken_risk or life.broken_budget for life in played)


@pytest.mark.soak
@pytest.mark.parametrize(  # the gaps of the design's certificate, 200 lives each
    ("world", "drift", "aim", "rate", "expected"),
    [
        ("smooth", "", "money", 0.05, 0.90),
        ("sharp", "", "money", 0.05, 0.88),
        ("lapse", "", "money", 0.05, 0.82),
        ("smooth", "", "money", 0.2, 0.68),
        ("sharp", "", "money", 0.2, 0.74),
        ("lapse", "", "money", 0.2, 0.49),
        ("smooth", "", "promise", 0.05, 0.72),
        ("sharp", "", "promise", 0.05, 0.54),
        ("lapse", "", "promise", 0.05, 0.68),
        ("smooth", "island", "money", 0.05, 0.32),
        ("smooth", "disaster", "money", 0.05, 0.41),
        ("smooth", "disaster", "money", 0.2, 0.55),
        ("sharp", "island", "money", 0.05, 0.64),
        ("smooth", "disaster", "promise", 0.05, 0.25),
        ("sharp", "island", "promise", 0.05, 0.25),
    ],
)
def test_a_row_of_the_certificate(bench, world, drift, aim, rate, expected):
    row = bench.Row(world, drift, aim, rate=rate)
    played = lives(bench, row, 200)
    each = np.array([(x.ask_all - x.cost) / (x.ask_all - x.best) for x in played])
    noise = each.std(ddof=1) / np.sqrt(len(each)) * np.sqrt(2)  # the design's 200 lives and these
    assert gap(played) > expected - 2 * noise - 0.01
    assert np.mean([life.broken_risk for life in played if not drift] or [0]) <= 0.05
    assert not any(life.broken_budget for life in played)
    assert max(life.behind for life in played) <= 20 / rate


@pytest.mark.soak
@pytest.mark.parametrize("at", [1000, 2000, 5000])
def test_attacked_lives_keep_to_their_allowance(bench, at):
    played = lives(bench, bench.Row("sharp", "all wrong", "promise", at=at), 200)
    assert np.mean([life.broken_budget for life in played]) <= 0.005
    assert all(life.delay is not None for life in played)
