"""Falls, misfits and answering a stretch: brute force, and worlds whose truth is known."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from askpoint.value.posterior import misfit
from askpoint.value.posterior.interval_rule import find_interval_rule
from askpoint.value.posterior.misfit import find_fall, find_misfit
from askpoint.value.posterior.price import Price
from askpoint.value.posterior.prospects import Prospects, draw_prospects
from askpoint.value.posterior.recommendation import by_price
from askpoint.value.posterior.rightness import RightnessPosterior


def prospects(mass, right, labels=None, wrong=None, draws=None, n_labelled=500):
    right = np.array(right)
    return Prospects(
        np.append(np.linspace(0.5, 0.95, len(mass)), np.inf),
        np.array(mass),
        1e6,
        n_labelled,
        right,
        np.tile(right, (40, 1)) if draws is None else draws,
        labels=None if labels is None else np.array(labels, dtype=float),
        labels_wrong=None if wrong is None else np.array(wrong, dtype=float),
    )


def test_a_fall_is_told_for_the_smallest_share_with_its_labels():
    found = prospects(
        [0.7, 0.2, 0.05, 0.05], [0.7, 0.95, 0.9, 0.6], [70, 201, 50, 50], [20, 12, 5, 19]
    )
    fall = find_fall(found)
    assert fall.surest == pytest.approx(0.05)  # down to which at most 1.2 times 5% lie
    assert fall.following == pytest.approx(0.05)  # two groups would be more than 20%
    assert (fall.right, fall.labels) == ((31, 45), (50, 50))
    assert fall.chance == 1


def test_a_fall_that_half_of_the_draws_deny_is_not_told():
    draws = np.tile([0.7, 0.9, 0.8], (40, 1))
    draws[:3, 2] = 0.95  # .925 of the draws say so, .95 are asked for
    mass, counts = [0.6, 0.3, 0.1], ([50] * 3, [5] * 3)
    assert find_fall(prospects(mass, [0.7, 0.9, 0.8], *counts, draws=draws)) is None
    assert find_fall(prospects([0.7, 0.2, 0.1], [0.7, 0.9, 0.8], *counts, draws=draws)) is None
    draws[:3, 2] = [0.95, 0.8, 0.8]  # .975
    assert find_fall(prospects([0.7, 0.2, 0.1], [0.7, 0.9, 0.8], *counts, draws=draws)) is not None


def test_without_labels_counted_or_with_one_group_nothing_falls():
    assert find_fall(prospects([0.5, 0.5], [0.9, 0.5])) is None
    assert find_fall(prospects([1.0], [0.9], [5], [1])) is None


def greatest_run(gain):
    """By trying all."""
    spans = itertools.combinations(range(len(gain) + 1), 2)
    return max(((sum(gain[a:b]), a, b) for a, b in spans), default=(0, 0, 0))


def test_the_stretch_is_the_best_of_all(rng):
    offered = 0
    for _ in range(200):
        mass = rng.dirichlet(np.ones(7))
        right = rng.random(7)
        found = prospects(mass, right)
        checks = float(rng.uniform(1.5, 6))
        best = by_price(found, Price(checks), rng)
        rule = find_interval_rule(found, best, Price(checks), rng)
        gain = mass * (1 - checks * (1 - right))
        most, first, behind = greatest_run(gain)
        tail = max(gain[k:].sum() for k in range(8))
        assert (rule is not None) == (most > tail + 1e-12)
        if rule is None:
            continue
        offered += 1
        assert (rule.low, rule.high) == (found.thresholds[first], found.thresholds[behind])
        assert rule.saving_per_1000 == pytest.approx(1000 * (most - tail))
        assert rule.cost_per_1000.mean == pytest.approx(1000 * (1 - most))
        assert rule.asked.mean == pytest.approx(1 - mass[first:behind].sum())
        wrong = (mass * (1 - right))[first:behind].sum()
        assert rule.mistakes.mean == pytest.approx(wrong)
        assert rule.cost_per_1000.low < rule.cost_per_1000.mean < rule.cost_per_1000.high
        assert rule.cheaper == 1
    assert offered > 50


def test_a_stretch_that_few_draws_prefer_is_not_offered(rng):
    draws = np.tile([0.5, 0.95, 0.5], (40, 1))
    draws[:5, 2] = 0.99
    found = prospects([0.2, 0.7, 0.1], [0.5, 0.95, 0.55], draws=draws)
    best = by_price(found, Price(5), rng)
    assert find_interval_rule(found, best, Price(5), rng) is None  # .875
    draws[:3, 2] = 0.5
    assert find_interval_rule(found, best, Price(5), rng) is not None  # .95
    few = prospects([0.3, 0.4, 0.3], [0.5, 0.95, 0.5], n_labelled=9)
    assert find_interval_rule(few, by_price(few, Price(5), rng), Price(5), rng) is None


def world(rate, rng, n=1000):
    confidence = 1 - rng.beta(0.6, 2.2, 5000) / 2
    right = rng.random(n) < rate(confidence[:n])
    posterior = RightnessPosterior().fit(confidence[:n], right, confidence)
    return posterior, draw_prospects(posterior, rng, n_draws=400)


@pytest.mark.no_cover
def test_a_dip_is_named_where_it_lies_and_sound_logs_are_left_alone():
    rng = np.random.default_rng(20261123)
    for _ in range(5):
        posterior, found = world(lambda c: np.where((c > 0.8) & (c < 0.92), 0.5, 0.5 + c / 2), rng)
        misfit = find_misfit(posterior, rng)
        assert 0.77 < misfit.low < 0.84
        assert 0.88 < misfit.high < 0.94
        assert misfit.right == pytest.approx(0.5, abs=0.1)
        assert misfit.expected > 0.8
        _, fallen = world(lambda c: 0.98 - 0.9 * (c - 0.5), rng)
        assert find_fall(fallen) is not None
        sound, usual = world(lambda c: c, rng)
        assert find_misfit(sound, rng) is None
        assert find_fall(usual) is None
        del found


def test_a_misfit_at_the_top_has_no_upper_end():
    rng = np.random.default_rng(3)
    posterior, found = world(lambda c: np.where(c > 0.95, 0.5, 0.97), rng, n=2000)
    misfit = find_misfit(posterior, rng)
    assert misfit.low > 0.9
    assert misfit.high is None
    assert misfit.right < 0.7 < misfit.expected
    best = by_price(found, Price(10), rng)
    rule = find_interval_rule(found, best, Price(10), rng)
    assert rule.high == pytest.approx(0.95, abs=0.02)
    assert rule.saving_per_1000 > 50


def test_where_the_curve_fits_or_nothing_departs_far_there_is_no_misfit(monkeypatch):
    rng = np.random.default_rng(3)
    sound, _ = world(lambda c: c, rng, n=400)
    assert find_misfit(sound, rng) is None
    posterior, _ = world(lambda c: np.where(c > 0.95, 0.5, 0.97), rng, n=2000)
    assert find_misfit(posterior, rng) is not None
    monkeypatch.setattr(misfit, "_FAR", 8.0)  # logits, more than any of these
    assert find_misfit(posterior, rng) is None
