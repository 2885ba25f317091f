"""How often the model is right where it is equally sure."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import binomtest
from sklearn.calibration import calibration_curve

from askpoint.errors import InputError
from askpoint.value.curve import ValueCurve
from askpoint.value.reliability import reliability_bins

cases = st.lists(st.tuples(st.booleans(), st.integers(0, 12)), min_size=1, max_size=60)


@given(cases, st.integers(1, 12))
@settings(deadline=None)
def test_bins_are_whole_groups_of_equal_confidence(pairs, bins):
    right, score = (np.array(column) for column in zip(*pairs, strict=True))
    score = score / 12
    found = reliability_bins(ValueCurve.from_outcomes(right, score), bins=bins)
    assert 1 <= len(found) <= bins
    start = 0
    order = np.argsort(-score, kind="stable")
    for part in found:
        rows = order[start : start + part.n_items]
        start += part.n_items
        assert start == len(score) or score[order[start]] < score[rows].min()
        assert part.confidence == pytest.approx(score[rows].mean())
        assert part.right == pytest.approx(right[rows].mean())
        exact = binomtest(int(right[rows].sum()), len(rows)).proportion_ci(0.95, "exact")
        assert part.interval == pytest.approx((exact.low, exact.high))
    assert start == len(score)


def test_scikit_learns_quantile_bins(rng):
    score = rng.permutation(np.linspace(0.01, 0.99, 1000))
    right = rng.random(1000) < score
    found = reliability_bins(ValueCurve.from_outcomes(right, score))
    shares, means = calibration_curve(right, score, n_bins=10, strategy="quantile")
    assert [part.confidence for part in found[::-1]] == pytest.approx(means, abs=2e-3)
    assert [part.right for part in found[::-1]] == pytest.approx(shares, abs=0.011)


def test_weights_are_means_and_an_effective_number():
    curve = ValueCurve.from_outcomes(
        [1, 0, 1], [0.9, 0.8, 0.5], sample_weight=np.array([3.0, 1.0, 2.0])
    )
    (part,) = reliability_bins(curve, bins=1, n=2.4)
    assert part.n_items == 3
    assert part.confidence == pytest.approx((2.7 + 0.8 + 1.0) / 6)
    assert part.right == pytest.approx(5 / 6)
    narrow = reliability_bins(curve, bins=1)[0].interval
    assert part.interval.lower < narrow.lower
    assert part.interval.upper > narrow.upper


def test_no_bins():
    with pytest.raises(InputError, match="bins must be 1 or more; got 0"):
        reliability_bins(ValueCurve.from_outcomes([1], [0.5]), bins=0)
