"""Calibration error, discrimination, and probabilities from what is none."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp
from scipy import integrate, special

from askpoint.errors import InputError
from askpoint.value.calibration_error import (
    discrimination,
    expected_calibration_error,
    hard_label_probabilities,
    normalise_scores,
)


def test_mean_profit_of_a_calibrated_model_is_given_by_discrimination_and_error():
    """Mean over rho of EP_rho = 7/8 + D/2 - err/2, for two classes (spec V3)."""
    c = np.array([0.5, 0.65, 0.8, 0.95, 1.0])

    def profit(rho):
        # calibrated: answering is worth c, asking 1 - rho
        return np.maximum(c, 1 - rho).mean()

    mean = integrate.quad(profit, 0, 1, points=sorted(1 - c), limit=200)[0]
    error = (1 - c).mean()
    assert mean == pytest.approx(7 / 8 + discrimination(c) / 2 - error / 2, abs=1e-10)


def test_ece_of_one_bin_is_the_gap_of_means():
    right, c = [1, 0, 1, 1], [0.9, 0.8, 0.7, 0.6]
    assert expected_calibration_error(right, c, n_bins=1) == pytest.approx(0.0, abs=1e-12)
    assert expected_calibration_error(right, c, n_bins=2) == pytest.approx(0.0, abs=1e-12)
    assert expected_calibration_error(right, c, n_bins=10) == pytest.approx(
        (0.1 + 0.8 + 0.3 + 0.4) / 4
    )


@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 100)), min_size=1, max_size=50),
    st.integers(1, 20),
)
def test_ece_against_a_plain_loop(rows, n_bins):
    right, percent = zip(*rows, strict=True)
    c = np.array(percent) / 100
    bins: dict[int, list[float]] = {}
    for outcome, value in zip(right, c, strict=True):
        bins.setdefault(min(int(value * n_bins), n_bins - 1), []).append(value - outcome)
    expected = sum(abs(sum(gaps)) for gaps in bins.values()) / len(rows)
    assert expected_calibration_error(right, c, n_bins=n_bins) == pytest.approx(expected)


@given(hnp.arrays(float, (3, 4), elements=st.floats(-50, 50)))
def test_softmax_is_shift_invariant_and_sums_to_one(scores):
    p = normalise_scores(scores, "softmax")
    np.testing.assert_allclose(p.sum(axis=1), 1)
    np.testing.assert_allclose(p, normalise_scores(scores + 3, "softmax"), atol=1e-12)
    np.testing.assert_allclose(np.log(p), special.log_softmax(scores, axis=1), atol=1e-9)


def test_hard_labels_become_smoothed_shares():
    truth, predicted = np.array([0, 0, 1, 2, 2]), np.array([0, 0, 0, 2, 1])
    table = hard_label_probabilities(truth, predicted, 3)
    np.testing.assert_allclose(table[0], [3 / 6, 2 / 6, 1 / 6])
    np.testing.assert_allclose(table.sum(axis=1), 1)


def test_bad_input():
    with pytest.raises(InputError, match="row 1 is not like that: use 'softmax'"):
        normalise_scores([[1.0, 2.0], [0.0, 0.0]], "division")
    with pytest.raises(InputError, match="method must be one of softmax, division"):
        normalise_scores([[1.0, 2.0]], "rank")
    with pytest.raises(InputError, match="between 0 and 1 here; got -1 to 2"):
        discrimination([-1, 2])
    with pytest.raises(InputError, match="no confidence"):
        discrimination([])
    with pytest.raises(InputError, match="n_bins must be at least 1"):
        expected_calibration_error([1], [0.5], n_bins=0)


def test_scores_divided_by_their_sum():
    assert normalise_scores([[3, 1], [0, 2]], "division").tolist() == [[0.75, 0.25], [0, 1]]
