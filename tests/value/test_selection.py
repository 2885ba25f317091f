"""Whether labels stand where the model was unsure."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from askpoint.errors import InputError
from askpoint.value.selection import LabelSelection, label_selection


def test_all_labelled():
    assert label_selection(np.array([0.5, 0.9]), np.array([True, True])) is None


def test_labels_where_the_model_was_unsure(rng):
    confidence = rng.random(2000)
    labelled = rng.random(2000) < 1 - confidence
    found = label_selection(confidence, labelled)
    oracle = stats.ks_2samp(confidence[labelled], confidence[~labelled], method="asymp")
    assert found.is_selective
    assert (found.distance, found.p_value) == (oracle.statistic, oracle.pvalue)
    assert (found.labelled, found.unlabelled) == (labelled.sum(), (~labelled).sum())
    assert found.shares == pytest.approx(np.linspace(0.95, 0.05, 10), abs=0.1)


def test_labels_at_random_are_rarely_called_selective(rng):
    calls = [
        label_selection(rng.random(300), rng.random(300) < 0.3).is_selective for _ in range(500)
    ]
    assert np.mean(calls) < 0.01


def test_a_sure_but_small_difference_moves_no_verdict(rng):
    confidence = rng.random(100_000)
    labelled = rng.random(100_000) < 0.5 + 0.05 * (confidence - 0.5)
    found = label_selection(confidence, labelled)
    assert found.p_value < 1e-3
    assert not found.is_selective


def test_shares_by_definition_and_fewer_of_them_where_confidences_are_tied(rng):
    confidence = np.repeat([0.6, 0.7, 0.9], [10, 70, 20])
    labelled = np.concatenate([[True] * 5 + [False] * 5, [True] * 70, [False] * 20])
    order = rng.permutation(100)
    found = label_selection(confidence[order], labelled[order])
    assert found.shares.tolist() == [0.5, 1.0, 0.0]
    assert label_selection(np.ones(4), np.arange(4) < 1).shares.tolist() == [0.25]


@pytest.mark.parametrize(
    ("distance", "p_value", "selective"),
    [(0.05, 1e-4, True), (0.049, 1e-4, False), (0.5, 1e-3, False)],
)
def test_both_chance_and_size_count(distance, p_value, selective):
    assert LabelSelection(1, 1, distance, p_value, np.ones(1)).is_selective is selective


@pytest.mark.parametrize(
    ("confidence", "labelled", "message"),
    [
        ([0.5, 0.6], [False, False], "no case is labelled"),
        ([0.5, 0.6], [True], "one entry per item: got 2 and 1"),
    ],
)
def test_bad_input(confidence, labelled, message):
    with pytest.raises(InputError, match=message):
        label_selection(np.array(confidence), np.array(labelled))
