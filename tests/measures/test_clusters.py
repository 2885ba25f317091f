"""Design effects: copies count once, independent cases whole."""

from __future__ import annotations

import numpy as np
import pytest

from askpoint.measures.clusters import cluster_sums, design_effect
from askpoint.measures.weighted_shares import weighted_share


def test_copies_count_once_and_independent_cases_whole():
    values = np.random.default_rng(0).random(400) - 0.5
    cluster = np.tile(np.arange(400), 4)
    assert design_effect(np.tile(values, 4), cluster) == pytest.approx(4, rel=0.01)
    assert design_effect(values) == pytest.approx(1, abs=0.2)
    assert design_effect([]) == 1
    assert cluster_sums(np.ones(4), [7, 7, 7, 1]).tolist() == [1, 3]


def test_few_clusters_are_taken_to_be_of_equal_cases():
    rng = np.random.default_rng(0)
    assert design_effect(rng.random(100) - 0.5, np.arange(100) % 10) == pytest.approx(10)
    assert design_effect(np.zeros(100), np.arange(100) % 50) == pytest.approx(2)


def test_mistakes_on_heavy_cases_tell_less_than_kish_says():
    weights = np.repeat([1.0, 50.0], [500, 50])
    alike = np.tile([1.0, -1.0], 275)
    heavy = np.where(weights > 1, alike, 0.0)
    assert design_effect(alike, weights=weights) == pytest.approx(1, abs=0.01)
    assert design_effect(heavy, weights=weights) > 1.1
    assert design_effect(np.zeros(550), weights=weights) == 1


def test_a_share_of_clusters_is_as_wide_as_that_of_one_case_each():
    rng = np.random.default_rng(1)
    wrong, weights = rng.random(300) < 0.1, rng.integers(1, 3, 300).astype(float)
    one = weighted_share(wrong, weights)
    three = weighted_share(
        np.tile(wrong, 3), np.tile(weights, 3), cluster=np.tile(np.arange(300), 3)
    )
    assert three.estimate == pytest.approx(one.estimate)
    assert three.interval == pytest.approx(one.interval, rel=0.03)
