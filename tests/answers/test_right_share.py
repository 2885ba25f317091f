"""How often a model is right on its log: intervals hold, selected labels are refused, clusters count once."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from askpoint import read_log
from askpoint.answers.value.refusals import HeavyLabels, NoLabels, SelectiveLabels
from askpoint.answers.value.right_share import measure_right_share
from askpoint.errors import InputError
from askpoint.judges.gold.confidence_sequence import gold_confidence_sequence
from askpoint.measures.intervals import clopper_pearson

N = 1000


def world(seed):
    rng = np.random.default_rng(seed)
    sure = 1 - rng.beta(0.7, 1.8, N) / 2
    return rng, sure, rng.random(N) < sure


def log_of(sure, right, rows, **columns):
    label = np.full(N, None, dtype=object)
    label[rows] = np.where(right[rows], "a", "b")
    frame = {"label": label.tolist(), "prediction": "a", "confidence": sure}
    others = {"cluster": "cluster"} if "cluster" in columns else {}
    schema = {"label": pl.String}
    rows = pl.DataFrame(frame | columns, schema_overrides=schema)
    return read_log(rows, need_labels=False, classes=["a", "b"], **others)


def test_random_labels_are_counted_and_the_interval_holds():
    held = uneven = 0
    for seed in range(30):
        rng, sure, right = world(seed)
        rows = rng.permutation(N)[:100]
        found = measure_right_share(log_of(sure, right, rows))
        if found.is_balanced:  # looks selected, by chance
            uneven += 1
            continue
        assert found.value == right[rows].mean()
        assert found.interval == clopper_pearson(right[rows].sum(), 100, 0.95)
        assert (found.n_items, found.n_labels, found.is_balanced) == (N, 100, False)
        held += found.interval.lower <= right.mean() <= found.interval.upper
    assert uneven <= 2
    assert held >= 26 - uneven  # of 30: fewer with a chance of .02 where 28.5 are expected


def test_looked_at_again_it_is_the_interval_that_holds_at_all_moments():
    rng, sure, right = world(1)
    rows = rng.permutation(N)[:150]
    found = measure_right_share(log_of(sure, right, rows), any_time=True)
    assert found.interval == gold_confidence_sequence(int(right[rows].sum()), 150, n_items=N)
    once = measure_right_share(log_of(sure, right, rows)).interval
    assert found.interval.lower < once.lower < once.upper < found.interval.upper


def test_labels_of_the_unsure_only_give_bounds_that_hold():
    rng, sure, right = world(3)
    rows = rng.choice(np.flatnonzero(sure < np.quantile(sure, 2 / 3)), 150, replace=False)
    found = measure_right_share(log_of(sure, right, rows))
    assert isinstance(found.refusal, SelectiveLabels)
    assert found.refusal.gaps
    assert found.value is None is found.interval
    assert found.bounds.lower < right.mean() < found.bounds.upper
    assert found.bounds.upper - found.bounds.lower > 0.3  # a third may be all right, or all wrong


def test_an_audit_that_falls_with_confidence_is_weighted_not_refused():
    rng, sure, right = world(4)
    chance = 0.15 + (1 - sure) * 2
    rows = rng.choice(N, 300, replace=False, p=chance / chance.sum())
    found = measure_right_share(log_of(sure, right, rows))
    assert found.is_balanced
    assert found.refusal is None
    assert found.interval.lower < right.mean() < found.interval.upper
    assert right[rows].mean() < found.value  # the labelled ones alone are right less often
    again = measure_right_share(log_of(sure, right, rows), any_time=True)
    assert again.value == found.value
    assert again.interval is None  # weighted labels cannot be looked at again


def test_a_cluster_counts_once():
    rng, sure, right = world(5)
    sure, right = np.repeat(sure[:200], 5), np.repeat(right[:200], 5)
    cluster = np.repeat(np.arange(200), 5)
    rows = np.flatnonzero(np.isin(cluster, rng.permutation(200)[:40]))
    joined = measure_right_share(log_of(sure, right, rows, cluster=cluster))
    assert (joined.n_items, joined.n_labels) == (200, 40)
    assert joined.value == pytest.approx(right[rows].mean())
    of_copies, of_clusters = (clopper_pearson(n * joined.value, n, 0.95) for n in (len(rows), 40))
    width = joined.interval.upper - joined.interval.lower
    assert width > 1.8 * (of_copies.upper - of_copies.lower)
    assert width == pytest.approx(of_clusters.upper - of_clusters.lower, rel=0.2)
    again = measure_right_share(log_of(sure, right, rows, cluster=cluster), any_time=True)
    assert again.interval is None


def test_without_labels_the_confidence_plans_them():
    _, sure, right = world(6)
    found = measure_right_share(log_of(sure, right, []))
    assert isinstance(found.refusal, NoLabels)
    assert found.by_confidence == pytest.approx(sure.mean())
    near, far = (found.labels_to_begin(sure.mean() - gap) for gap in (0.02, 0.1))
    spread = sure.mean() * (1 - sure.mean())
    assert far == np.ceil(spread / ((0.1 / 1.96) ** 2 + spread / N))
    assert 30 <= far < near < N
    assert found.labels_to_begin(sure.mean() - 0.5) == 30
    scores = measure_right_share(log_of(sure * 40, right, []))
    assert scores.labels_to_begin(0.8) is None  # a score plans nothing


def test_weights_that_too_few_labels_carry_give_no_number():
    rng, sure, right = world(7)
    low = sure < np.quantile(sure, 0.5)
    rows = np.concatenate(
        [
            rng.choice(np.flatnonzero(low), 200, replace=False),
            rng.choice(np.flatnonzero(~low), 5, replace=False),
        ]
    )
    found = measure_right_share(log_of(sure, right, rows))
    assert isinstance(found.refusal, HeavyLabels | SelectiveLabels)
    assert found.value is None


def test_several_models_are_refused():
    frame = pl.DataFrame(
        {"label": ["a", "b"], "prediction": "a", "confidence": 0.9, "model": ["m", "n"], "id": 1}
    )
    with pytest.raises(InputError, match="one model's predictions"):
        measure_right_share(read_log(frame, model="model"))
