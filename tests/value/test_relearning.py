"""Learning again from what was asked: regions keep their share, and the gain is honest."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.naive_bayes import GaussianNB

from askpoint import CheckCost, ExchangeRate, SelectiveClassifier, before_after, relearn
from askpoint.errors import InputError, NotEstimableError
from askpoint.value.relearning import region_weights


@given(st.integers(1, 50), st.integers(1, 50), st.floats(0.01, 0.99))
def test_regions_get_the_shares_of_the_stream(hard, easy, share):
    asked = np.r_[np.ones(hard, bool), np.zeros(easy, bool)]
    weights = region_weights(asked, share)
    assert weights[asked].sum() / weights.sum() == pytest.approx(share)
    assert weights.mean() == pytest.approx(1)
    assert (weights > 0).all()


def test_a_region_without_labels_is_named():
    with pytest.raises(NotEstimableError, match=r"answers in 40\.0% of the stream"):
        region_weights(np.array([True]), 0.6)
    with pytest.raises(NotEstimableError, match=r"asks in 10\.0% of the stream"):
        region_weights(np.array([False]), 0.1)
    with pytest.raises(InputError, match="between 0 and 1; got 2"):
        region_weights(np.array([False]), 2)


def test_a_share_of_nothing_keeps_its_rows_with_the_least_weight():
    assert (region_weights(np.array([True, False]), 0.0) > 0).all()


class Crossed(GaussianNB):
    """A model of classes: it takes the share of hard cases for the truth."""

    def fit(self, X, y, sample_weight=None):
        return super().fit(np.c_[X, X**2, X[:, 0] * X[:, 1]], y, sample_weight)

    def predict_proba(self, X):
        return super().predict_proba(np.c_[X, X**2, X[:, 0] * X[:, 1]])


def stream(rng, n):
    X = rng.uniform(-2, 2, (n, 2))
    chance = 1 / (1 + np.exp(-4 * (X[:, 0] * X[:, 1])))
    return X, (rng.random(n) < chance).astype(int)


def test_without_the_correction_the_hard_cases_mislead_a_model_of_classes():
    gains = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X, y = stream(rng, 600)
        model = SelectiveClassifier(Crossed(), objective=CheckCost(0.2), method="hindsight")
        model.fit(X, y)
        more, labels = stream(rng, 3000)
        asked = model.decide(more).asked
        args = (model, X, y, more[asked], labels[asked])
        test = stream(rng, 6000)
        rate = ExchangeRate.from_rho(0.2)
        results = [
            before_after(
                model, relearn(*args, share_asked=asked.mean(), correct=correct), *test, rate
            )
            for correct in (True, False)
        ]
        for result in results:
            assert result.interval.lower < result.gain < result.interval.upper
            difference = result.after.value(4.0) - result.before.value(4.0)
            assert difference == pytest.approx(result.gain)
        gains.append([result.gain for result in results])
    corrected, plain = np.mean(gains, axis=0)
    assert corrected > plain + 0.01
