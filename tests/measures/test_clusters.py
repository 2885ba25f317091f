"""Design effects: copies count once, independent cases whole."""

from __future__ import annotations

import numpy as np
import pytest

from askpoint.measures.clusters import (
    cluster_sums,
    design_effect,
    intraclass_correlation,
    shares_of_clusters,
)
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


def test_likeness_of_clusters_is_that_of_the_table_of_variances():
    rng = np.random.default_rng(5)
    sizes = rng.integers(1, 6, 60)
    cluster = np.repeat(np.arange(60), sizes)
    values = np.repeat(rng.normal(size=60), sizes) + rng.normal(size=len(cluster))
    n, mean = len(values), values.mean()
    parts = [values[cluster == k] for k in range(60)]
    between = sum(len(p) * (p.mean() - mean) ** 2 for p in parts) / 59
    within = sum(((p - p.mean()) ** 2).sum() for p in parts) / (n - 60)
    usual = (n - sum(len(p) ** 2 for p in parts) / n) / 59
    expected = (between - within) / (between + (usual - 1) * within)
    found = intraclass_correlation(values, cluster)
    assert found == pytest.approx(expected)
    assert 0.2 < found < 0.8  # half of the variance


def test_copies_are_alike_and_strangers_are_not():
    rng = np.random.default_rng(6)
    values, cluster = rng.normal(size=100), np.repeat(np.arange(100), 3)
    assert intraclass_correlation(np.repeat(values, 3), cluster) == pytest.approx(1)
    assert intraclass_correlation(rng.normal(size=300), cluster) < 0.15
    assert intraclass_correlation(values, np.arange(100)) == 0
    assert intraclass_correlation(values[:60], np.repeat(np.arange(20), 3)) == 1  # too few to tell
    assert intraclass_correlation(np.zeros(300), cluster) == 1


def test_cases_of_a_cluster_count_once_together_if_alike():
    cluster = ["a", "a", "b", "c", "c", "c"]
    assert shares_of_clusters(cluster, 1) == pytest.approx([0.5, 0.5, 1, 1 / 3, 1 / 3, 1 / 3])
    assert shares_of_clusters(cluster, 0).tolist() == [1] * 6
    assert shares_of_clusters(cluster, 0.5)[3] == pytest.approx(0.5)
