"""The parts of the estimate from gold labels: curve, strata, variance, ends of intervals."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import special, stats
from sklearn.linear_model import LogisticRegression

from askpoint.judges.gold.domain_sums import DomainSums, stratified_variance
from askpoint.judges.gold.recalibration import CurveFeatures, panel_features, recalibrate
from askpoint.judges.gold.strata import cautious, merge_strata, pattern_strata
from askpoint.judges.gold.uncertain_shares import (
    UncertainShare,
    difference_interval,
    share_interval_around,
    student_quantile,
)


def features(rng, m=12):
    many = np.full((m, 13), -1, dtype=np.int16)  # too many judges to look at one by one
    return panel_features(rng.random(m), rng.random(m), many, 1)


def test_the_curve_is_penalised_logistic_regression():
    """With a prior around 0 for all but the first coefficient, as another library fits it."""
    rng = np.random.default_rng(1)
    x = features(rng)
    positives, negatives = rng.integers(0, 5, (2, 12)).astype(float)
    weights = rng.uniform(0.5, 3, 12)
    plain = CurveFeatures(x.rows, (0, 0, 0), (1e4, 1, 1))
    curve = recalibrate(plain, negatives, positives, weights)
    scaled = weights * (positives + negatives).sum() / (weights @ (positives + negatives))
    oracle = LogisticRegression(C=1.0, tol=1e-10, max_iter=10_000).fit(
        np.tile(x.rows[:, 1:], (2, 1)),
        np.repeat([1, 0], 12),
        np.concatenate([positives * scaled, negatives * scaled]),
    )
    np.testing.assert_allclose(curve.chance, oracle.predict_proba(x.rows[:, 1:])[:, 1], atol=1e-5)


def test_a_judge_who_knows_better_is_believed():
    """Two of three judges err together on what the third knows: labels find it out."""
    votes = np.array([[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]], dtype=np.int16)
    posterior, share = np.array([0.01, 0.05, 0.95, 0.99]), np.array([0.1, 0.4, 0.6, 0.9])
    features = panel_features(posterior, share, votes, 1)
    np.testing.assert_array_equal(features.rows[:, 3:], np.where(votes == 1, 1, -1))
    truth = votes[:, 2] * 10.0
    curve = recalibrate(features, 10 - truth, truth, np.ones(4))
    assert (curve.chance > 0.5).tolist() == [False, True, False, True]
    other = panel_features(1 - posterior, 1 - share, votes, 0)
    mirrored = recalibrate(other, truth, 10 - truth, np.ones(4))
    np.testing.assert_allclose(mirrored.chance, 1 - curve.chance, atol=1e-6)
    missing = panel_features(posterior, share, votes - 1, 0).rows[:, 3:]
    np.testing.assert_array_equal(missing, np.where(votes == 0, 0, 1))


def test_no_label_of_a_kind_leaves_the_prior():
    rng = np.random.default_rng(2)
    x = features(rng)
    one = np.zeros(12)
    one[0] = 1
    curve = recalibrate(x, one, 0 * one, np.full(12, 1e-9))
    prior = special.expit(x.rows @ [0, 0.7, 0])
    assert np.abs(curve.chance - prior).max() < 0.5
    assert curve.leverage[1:].max() == 0


def test_the_leverage_tells_the_residual_without_the_item():
    """Against fits that leave each item out in turn."""
    rng = np.random.default_rng(3)
    x = features(rng, 40)
    y = (rng.random(40) < special.expit(x.rows @ [0.2, 0.6, 0.3])).astype(float)
    weights = np.ones(40)
    curve = recalibrate(x, 1 - y, y, weights)
    for i in range(40):
        left = np.ones(40)
        left[i] = 0
        without = recalibrate(x, (1 - y) * left, y * left, weights)
        real = y[i] - without.chance[i]
        assert curve.residuals(int(y[i]))[i] == pytest.approx(real, abs=0.05)


patterns = st.lists(
    st.tuples(st.integers(1, 30), st.floats(0.001, 0.999), st.floats(0.01, 0.99)),
    min_size=1,
    max_size=30,
)


@settings(deadline=None, max_examples=50)
@given(patterns)
def test_strata_go_from_one_label_to_the_other(rows):
    counts, f, share = (np.array(column) for column in zip(*rows, strict=True))
    posterior, vote_share = np.column_stack([1 - f, f]), np.column_stack([1 - share, share])
    stratum = pattern_strata(counts, posterior, vote_share)
    assert set(stratum.tolist()) == set(range(stratum.max() + 1))
    assert stratum.max() < 8
    believed = cautious(posterior)[:, 1]
    order = np.argsort(stratum, kind="stable")
    for h in range(stratum.max()):
        assert believed[stratum == h].max() <= believed[stratum == h + 1].min() + 1e-12
    assert len(order) == len(rows)
    drawn = np.minimum(counts, 3)
    merged = merge_strata(stratum, drawn)
    labels = np.bincount(merged, drawn)
    assert labels.min() >= 4 or len(labels) == 1
    assert (np.diff(merged[np.argsort(stratum, kind="stable")]) >= 0).all()


def test_variance_over_all_samples():
    """Without a mean residual the mean estimated variance is (N - 1) / N of the real one."""
    error = np.array([0.9, -0.9, 0.2, -0.2, 0.5, -0.5, 0.1, -0.1])
    n, m = len(error), 4
    totals, variances = [], []
    for rows in combinations(range(n), m):
        seen = error[list(rows)]
        totals.append(n / m * seen.sum())
        columns = (n, m, np.square(error).sum(), (seen**2).sum(), (seen**4).sum())
        sums = DomainSums(*(np.array([[float(x)]]) for x in columns))
        size, drawn = np.array([float(n)]), np.array([float(m)])
        spread = stratified_variance([(sums, np.array([1.0]))], size, drawn)
        variances.append(spread.variance[0])
        assert spread.freedom[0] >= 2
    assert np.mean(totals) == pytest.approx(0)
    assert np.mean(variances) == pytest.approx(np.var(totals) * (n - 1) / n)


def test_all_labelled_leaves_no_variance():
    columns = (np.array([[5.0]]), np.array([[5.0]]), *(np.ones((1, 1)),) * 3)
    size = np.array([5.0])
    spread = stratified_variance([(DomainSums(*columns), np.array([1.0]))], size, size)
    assert spread.variance[0] == 0


def at(value, variance, *, labels=0.0, size=1000.0, below=False, above=False, freedom=1e6):
    return UncertainShare(value, variance, freedom, size, labels, 0.0, 1.0, below, above)


def test_a_share_has_wilsons_interval_on_its_effective_size():
    n, p = 80, 0.5
    lower, upper = share_interval_around(at(p, p * (1 - p) / n, size=1e9), 0.95, None)
    wilson = stats.binomtest(40, n).proportion_ci(method="wilson")
    assert lower == pytest.approx(wilson.low, abs=1e-5)
    assert upper == pytest.approx(wilson.high, abs=1e-5)
    exact = share_interval_around(at(0.3, 0.0), 0.95, None)
    assert exact == pytest.approx((0.2995, 0.3005))


def test_labels_that_all_agree_count_one_by_one():
    lower, upper = share_interval_around(at(1.0, 1e-5, labels=50, size=1e9), 0.95, None)
    wilson = stats.binomtest(50, 50).proportion_ci(method="wilson")
    assert lower == pytest.approx(wilson.low, abs=1e-5)
    assert upper == 1
    open_ = share_interval_around(at(0.5, 0.01, below=True, above=True), 0.95, None)
    assert open_ == (0, 1)


def test_a_difference_has_students_interval():
    found = difference_interval(at(0.5, 0.01, size=1e9, freedom=7), 0.9, None)
    assert found.upper - 0.5 == pytest.approx(0.1 * stats.t.ppf(0.95, 7))


def test_at_any_time_it_is_wider_and_narrowest_where_planned():
    ratio = {n: student_quantile(1e6, 0.95, n) for n in (30, 100, 300, 1000)}
    assert min(ratio.values()) > 1.96
    assert ratio[100] == pytest.approx(3.03, abs=0.01)  # the figure of the specification
    assert student_quantile(1e6, 0.99, 100) > ratio[100]
    assert student_quantile(1e6, 0.95, None) == pytest.approx(stats.norm.ppf(0.975), abs=1e-4)
    assert student_quantile(4, 0.95, 100) > ratio[100]
