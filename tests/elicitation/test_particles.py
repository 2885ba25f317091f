"""What is read from a cloud, on clouds small enough to count by hand."""

from __future__ import annotations

import numpy as np
import pytest

from askpoint.elicitation.particles import Particles

LOGS = np.log([[1.0, 1.0], [3.0, 1.0], [9.0, 1.0]])
EVEN = np.full(3, 1 / 3)


def test_weights_are_mean_shares():
    cloud = Particles(LOGS + 700, np.array([0.5, 0.5, 0.0]))  # a common factor means nothing
    assert cloud.weights == pytest.approx([0.625, 0.375])


def test_ratio_is_the_median():
    middle, interval = Particles(LOGS, EVEN).ratio(0, 1, level=0.5)
    assert middle == pytest.approx(3)
    assert interval.lower * interval.upper == pytest.approx(9)
    assert Particles(LOGS, EVEN).ratio(1, 0)[0] == pytest.approx(1 / 3)


def test_radius_is_the_greatest_distance_at_full_level():
    cloud = Particles(LOGS, EVEN)
    shares = [0.5, 0.75, 0.9]
    mean = sum(shares) / 3
    assert cloud.radius(0.999) == pytest.approx(mean - 0.5)


def test_intervals_hold_the_estimate():
    cloud = Particles(LOGS, EVEN)
    low, high = cloud.interval().T
    assert (low <= cloud.weights).all()
    assert (cloud.weights <= high).all()
    assert low[0] + high[1] == pytest.approx(1)


def test_quantiles_follow_the_mass():
    cloud = Particles(LOGS, np.array([0.98, 0.01, 0.01]))
    assert cloud.quantiles(np.array([1.0, 2.0, 3.0]), [0.49])[0] == pytest.approx(1)


def test_a_widened_cloud_keeps_its_middle_and_stretches_every_ratio():
    cloud = Particles(LOGS, EVEN)
    wide = cloud.widen(2)
    middle, interval = cloud.ratio(0, 1, level=0.5)
    assert wide.ratio(0, 1)[0] == pytest.approx(middle)
    stretched = wide.ratio(0, 1, level=0.5)[1]
    assert np.log(stretched.upper / stretched.lower) == pytest.approx(
        2 * np.log(interval.upper / interval.lower)
    )
    assert cloud.widen(1).shares == pytest.approx(cloud.shares)
    assert wide.radius() > cloud.radius()
