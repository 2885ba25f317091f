from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.isotonic import IsotonicRegression

from askpoint.live.calibration import BINS, ConfidenceBins, confidence_bins, stated_errors
from askpoint.value.posterior.prior import PROBABILITIES

CENTRES = np.linspace(0.51, 0.99, BINS)


def predicted(centres, labelled, wrong):
    """The posterior mean of the error in each bin, summed cell by cell."""
    total, sums = 0.0, np.zeros(len(centres))
    logits = np.log(centres / (1 - centres))
    weights = iter(np.exp(PROBABILITIES.log_weights))
    for lapse in (0, 0.002, 0.006, 0.02, 0.06, 0.15):
        for a in np.linspace(-3, 3, 21):
            for b in np.linspace(-2.8, 1.4, 22):
                q = lapse / 2 + (1 - lapse) / (1 + np.exp(-a - math.exp(b) * logits))
                like = next(weights) * np.prod(q ** (labelled - wrong) * (1 - q) ** wrong)
                total += like
                sums += like * (1 - q)
    return sums / total


def test_stated_errors_are_posterior_counts_and_falling_rates():
    labelled, wrong = np.zeros(BINS, int), np.zeros(BINS, int)
    labelled[::5], wrong[::5] = 6, [3, 0, 4, 1, 2, 0, 0, 1]
    rate = (100 * predicted(CENTRES, labelled, wrong) + wrong) / (100 + labelled)
    isotonic = IsotonicRegression(increasing=False)
    expected = isotonic.fit_transform(CENTRES, rate, sample_weight=100 + labelled)
    found = stated_errors(CENTRES, labelled, wrong)
    assert found.error == pytest.approx(expected, abs=1e-9)
    # the weight is that of the pooled block
    for value in np.unique(found.error):
        block = found.error == value
        assert set(found.weight[block]) == {(100 + labelled)[block].sum()}
    assert (found.upper > found.error + 0.004).all()


def test_many_labels_win_and_no_bin_counts_more_than_4000():
    labelled, wrong = np.full(BINS, 40_000), np.full(BINS, 4000)
    found = stated_errors(CENTRES, labelled, wrong)
    assert found.error == pytest.approx(np.full(BINS, 0.1), abs=0.01)
    assert found.weight.sum() / BINS <= BINS * 4100
    many = stated_errors(CENTRES, 10 * labelled, 10 * wrong)
    assert many.error.tolist() == found.error.tolist()


def test_no_labels_give_the_prior():
    none = np.zeros(BINS, int)
    found = stated_errors(CENTRES, none, none)
    assert found.error == pytest.approx(predicted(CENTRES, none, none), abs=1e-12)
    assert (np.diff(found.error) <= 0).all()


def test_bins_have_equal_mass_and_an_edge_belongs_above():
    c = np.random.default_rng(0).permutation(np.arange(4000) / 4000)
    bins = confidence_bins(c)
    assert isinstance(bins, ConfidenceBins)
    assert np.abs(np.bincount(bins.of(c), minlength=BINS) - 100).max() <= 1
    assert bins.of(bins.edges).tolist() == list(range(1, BINS))
    assert (bins.of(bins.centres) == np.arange(BINS)).all()
