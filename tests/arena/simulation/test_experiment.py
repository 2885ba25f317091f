from __future__ import annotations

import copy
import functools
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from arena.game.small import small_world
from askpoint.arena.simulation.campaign import play_campaign
from askpoint.arena.simulation.crowd import Habits
from askpoint.arena.simulation.experiment import (
    calibrate,
    difference_of_ratios,
    mean_figure,
    play_all,
    ratio_figure,
    terms_of,
)
from askpoint.arena.simulation.outcome import outcome_of
from askpoint.errors import InputError, NotEstimableError

WORLD = small_world()
SMALL = Habits(n_players=8, delay=40, retrain=10, n_gold=10)


def test_the_paper_built_one_design_upon_the_other():
    for design in (1, 2, 3, 4, 5):
        terms = terms_of(WORLD, design)
        assert terms.designs == set(range(1, design + 1))
        assert (terms.sought is None) == (design < 3)
    with pytest.raises(InputError, match="designs are 1, 2, 3, 4 and 5"):
        terms_of(WORLD, 6)


def test_every_arm_is_played_from_the_same_state():
    seen: list[str] = []
    given = {"n_cases": 40, "progress": seen.append}
    found = play_all(WORLD, SMALL, np.random.default_rng(0), designs=[3, 4], machine=True, **given)
    assert list(found) == ["random", "stratified", "uncertainty", "design 3", "design 4", "machine"]
    assert seen == list(found)
    again = play_all(WORLD, SMALL, np.random.default_rng(0), designs=[4], n_cases=40)
    assert again["design 4"].texts == found["design 4"].texts
    assert "machine" not in again


@pytest.mark.no_cover
@pytest.mark.soak
def test_calibration_brings_design_4_to_the_target():
    lines: list[str] = []
    rng = np.random.default_rng(0)
    habits = calibrate(
        WORLD, SMALL, rng, target=0.3, n_seeds=4, n_steps=4, n_cases=80, progress=lines.append
    )
    assert len(lines) == 5
    rates = []
    for state in np.random.default_rng(1).spawn(6):
        end = play_campaign(WORLD, terms_of(WORLD, 4), habits, state, n_cases=100)
        rates.append(outcome_of(end).n_errors / 100)
    assert np.mean(rates) == pytest.approx(0.3, abs=0.08)
    assert 0 < habits.search_precision < 1
    assert replace(habits, search_precision=SMALL.search_precision) == SMALL


def test_a_target_out_of_reach():
    cheats = replace(SMALL, cheaters=1.0)
    with pytest.raises(NotEstimableError, match=r"finds at most .* errors per 100"):
        calibrate(WORLD, cheats, np.random.default_rng(0), n_seeds=1, n_cases=40)


def test_a_mean_with_students_interval():
    values = [3.0, 4.0, 8.0, 9.0]
    got = mean_figure(values)
    expected = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert (got.value, *got.interval) == pytest.approx((6.0, expected.low, expected.high))
    assert mean_figure([5.0]).interval is None


def test_a_ratio_counts_seeds_without_any():
    assert ratio_figure([10.0, 20.0], [0.0, 0.0]) == (None, None)
    assert ratio_figure([10.0, 20.0, 30.0], [0.0, 1.0, 2.0]).value == 20.0
    exact = ratio_figure([10.0, 20.0], [1.0, 2.0])
    assert (exact.value, *exact.interval) == (10.0, 10.0, 10.0)


def test_the_interval_of_a_ratio_covers():
    rng, hits = np.random.default_rng(0), 0
    for _ in range(400):
        below = rng.poisson(5, 20)
        above = below * 3 + rng.normal(0, 4, 20) + 10
        interval = ratio_figure(above.tolist(), below.tolist()).interval
        hits += interval.lower <= 5.0 <= interval.upper  # (3 x 5 + 10) / 5
    assert 0.9 < hits / 400 <= 1


def test_a_difference_of_ratios_keeps_what_seeds_share():
    rng = np.random.default_rng(0)
    luck = rng.normal(0, 50, 20)
    below = np.full(20, 10.0)
    one, two = (200 + luck + rng.normal(0, 1, 20) for _ in range(2))
    apart = difference_of_ratios((one, below), (two - 20, below))
    assert apart.value == pytest.approx(2.0, abs=0.2)
    assert apart.interval.upper - apart.interval.lower < 0.3
    width = ratio_figure(one, below).interval
    assert width.upper - width.lower > 2
    assert difference_of_ratios((one, below * 0), (two, below)) == (None, None)


def test_calibration_halves_where_the_rate_crosses_the_target():
    """The same, few seeds: each rate is played again here, and the halves are taken by hand."""
    lines: list[str] = []
    given = {"target": 0.2, "n_seeds": 1, "n_steps": 2, "n_cases": 20}
    habits = calibrate(WORLD, SMALL, np.random.default_rng(0), progress=lines.append, **given)
    (state,) = np.random.default_rng(0).spawn(1)

    @functools.cache
    def rate(precision):
        tried = replace(SMALL, search_precision=precision)
        end = play_campaign(WORLD, terms_of(WORLD, 4), tried, copy.deepcopy(state), n_cases=20)
        return outcome_of(end).n_errors / 20

    low, high, expected = 0.0, 1.0, [1.0]
    for _ in range(2):
        middle = (low + high) / 2
        expected.append(middle)
        low, high = (low, middle) if rate(middle) > 0.2 else (middle, high)
    assert habits == replace(SMALL, search_precision=(low + high) / 2)
    assert lines == [
        f"search precision {one:.3f}: {100 * rate(one):.1f} errors per 100" for one in expected
    ]
