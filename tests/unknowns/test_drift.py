"""Drift notices: soon after a rise, hardly ever without one."""

import numpy as np
import pytest

from askpoint.errors import InputError
from askpoint.unknowns.drift import DriftWatch


def test_a_rise_is_noticed_soon_and_in_its_region():
    delays = []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        watch = DriftWatch({"north": (30, 1000), "south": (30, 1000), "east": (30, 1000)})
        noticed = None
        for week in range(60):
            rates = {"north": 0.03, "south": 0.03 if week < 20 else 0.12, "east": 0.03}
            counts = {region: rng.binomial(50, rate) for region, rate in rates.items()}
            for notice in watch.update(week, counts, 50):
                assert notice.region == "south"
                assert notice.rate > notice.baseline
                assert notice.since <= notice.when == week
                assert notice.evidence >= 1000
                noticed = notice if noticed is None else noticed
        assert noticed is not None
        delays.append(noticed.when - 20)
        assert abs(noticed.since - 20) < 15
    assert np.mean(delays) < 8
    assert min(delays) >= 0


def test_without_a_rise_false_notices_are_rare():
    rng = np.random.default_rng(1)
    watch = DriftWatch({"north": (300, 10_000), "south": (1000, 10_000)}, patience=50)
    notices = 0
    for week in range(3000):
        counts = {"north": rng.binomial(40, 0.03), "south": rng.binomial(40, 0.1)}
        notices += len(watch.update(week, counts, 40))
    assert notices <= 3000 / 50


@pytest.mark.no_cover
def test_baselines_that_happened_to_be_low_keep_the_patience():
    # rates known from 1,000 judged probes only: some baselines are too low, and stay so for ever
    rng = np.random.default_rng(2)
    patience, periods, watches, notices = 1000, 200, 60, 0
    for _ in range(watches):
        counts = {region: (int(rng.binomial(1000, 0.03)), 1000) for region in "abc"}
        watch = DriftWatch(counts, patience=patience)
        for week in range(periods):
            now = {region: int(rng.binomial(200, 0.03)) for region in counts}
            notices += len(watch.update(week, now, 200))
    # with bounds of 80% for each region there are about four times as many as allowed
    assert notices <= watches * periods / patience


def test_a_region_of_which_nothing_is_known_raises_no_notice():
    watch = DriftWatch({"a": (0, 0), "b": (5, 5)})
    for day in range(3):
        assert watch.update(day, {"a": 10, "b": 10}, 10) == ()


def test_a_fall_is_no_drift_and_a_notice_starts_anew():
    watch = DriftWatch({"north": (300, 1000)}, patience=20)
    assert not any(watch.update(day, {}, 50) for day in range(100))
    # what spoke against a rise before it began is forgotten
    notices = [watch.update(day, {"north": 40}, 50) for day in range(100, 104)]
    assert all(notices)
    assert [notice.since for (notice,) in notices] == [100, 101, 102, 103]
    assert notices[0][0].rate == 0.8


def test_the_order_of_regions_does_not_matter():
    one = DriftWatch({"a": (10, 100), "b": (10, 100)}, patience=10)
    two = DriftWatch({"b": (10, 100), "a": (10, 100)}, patience=10)
    for day in range(10):
        first = one.update(day, {"a": 9, "b": 1}, 20)
        second = two.update(day, {"b": 1, "a": 9}, 20)
        assert first == second


def test_bad_input_is_named():
    with pytest.raises(InputError, match="at least one region"):
        DriftWatch({})
    with pytest.raises(InputError, match="at least 1: got 0"):
        DriftWatch({"a": (1, 10)}, patience=0)
    with pytest.raises(InputError, match="between 0 and n: got 11 of 10"):
        DriftWatch({"a": (11, 10)})
    watch = DriftWatch({"a": (1, 10)})
    with pytest.raises(InputError, match="'b' is not watched; watched are: 'a'"):
        watch.update(1, {"b": 1}, 10)
    with pytest.raises(InputError, match="11 probes of 'a' were verified out of 10"):
        watch.update(1, {"a": 11}, 10)
