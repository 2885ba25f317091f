"""Numbers stated for something chosen on the same rows, and models compared many at a time."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from askpoint.errors import InputError, NotEstimableError
from askpoint.value.curve import ValueCurve
from askpoint.value.posterior.choosing import compare_costs
from askpoint.value.posterior.cross_fitting import cross_fit, draw_folds


def test_each_row_is_stated_by_what_it_did_not_choose(rng):
    folds = draw_folds(23, rng)
    assert np.bincount(folds).tolist() == [3, 3, 3] + [2] * 7
    values = np.arange(23.0)

    def mean_of_others(chosen_on, stated_on):
        assert not (chosen_on & stated_on).any()
        assert (chosen_on | stated_on).all()
        return np.full(stated_on.sum(), values[chosen_on].mean())

    stated = cross_fit(folds, mean_of_others)
    for i in range(23):
        assert stated[i] == pytest.approx(values[folds != folds[i]].mean())


def test_a_cluster_lies_in_one_fold(rng):
    cluster = rng.integers(0, 12, 200)
    folds = draw_folds(200, rng, n_folds=5, cluster=cluster)
    assert all(len(set(folds[cluster == c].tolist())) == 1 for c in range(12))
    assert len(draw_folds(3, rng)) == 3  # no more folds than rows
    for n in (0, 1):
        with pytest.raises(NotEstimableError, match=f"there are {n}"):
            draw_folds(n, rng)


def test_costs_that_are_cross_fitted_do_not_flatter_the_luckiest_threshold():
    rng = np.random.default_rng(4)
    stated, crossed, true = [], [], []
    for _ in range(60):
        confidence = rng.random(100)
        right = rng.random(100) < 0.9  # confidence says nothing

        def choose(rows, right=right, confidence=confidence):
            return ValueCurve.from_outcomes(right[rows], confidence[rows]).threshold(9.0)

        threshold = choose(np.ones(100, dtype=bool))
        stated.append(np.where(confidence >= threshold, 10 * ~right, 1).mean())

        def state(chosen_on, stated_on, right=right, confidence=confidence, choose=choose):
            answered = confidence[stated_on] >= choose(chosen_on)
            return np.where(answered, 10 * ~right[stated_on], 1)

        crossed.append(cross_fit(draw_folds(100, rng), state).mean())
        true.append(1.0)  # whatever is answered costs what asking does
    assert np.mean(stated) < 0.93
    assert np.mean(crossed) == pytest.approx(np.mean(true), abs=0.05)


@pytest.mark.no_cover
@pytest.mark.whole
def test_of_equal_models_hardly_ever_is_one_called_better():
    rng = np.random.default_rng(8)
    runs = 300
    called = sum(
        any(pair.p_value <= 0.05 for pair in compare_costs(rng.normal(size=(60, 6)), rng).pairs)
        for _ in range(runs)
    )
    assert called <= stats.binom.ppf(0.999, runs, 0.05)
    assert called >= stats.binom.ppf(0.001, runs, 0.05)  # max-t is exact here, not only safe


def test_two_models_are_students_paired_test(rng):
    costs = rng.normal([0.0, 0.4], size=(30, 2))
    (pair,) = compare_costs(costs, rng).pairs
    expected = stats.ttest_rel(costs[:, 0], costs[:, 1])
    assert pair.difference == pytest.approx((costs[:, 0] - costs[:, 1]).mean())
    assert pair.p_value == pytest.approx(expected.pvalue, abs=0.02)
    assert pair.interval == pytest.approx(expected.confidence_interval(0.95), rel=0.05)


def test_a_better_model_is_the_best_only_if_it_beats_all(rng):
    noise = rng.normal(size=(500, 1))
    costs = noise + rng.normal(scale=0.1, size=(500, 3))
    assert compare_costs(costs + np.array([0, 0, 1.0]), rng).best is None  # the first two are alike
    assert compare_costs(costs + np.array([0, 0.5, 1.0]), rng).best == 0
    assert compare_costs(costs + np.array([0.5, 1.0, 0]), rng).best == 2


def test_equal_columns_do_not_differ(rng):
    same = np.repeat(rng.random((50, 1)), 3, axis=1)
    found = compare_costs(same, rng)
    assert found.best is None
    assert all(pair.p_value == 1 and pair.difference == 0 for pair in found.pairs)


def test_cases_of_one_cluster_count_once(rng):
    units = rng.normal(size=(40, 2))
    repeated = np.repeat(units, 25, axis=0)
    cluster = np.repeat(np.arange(40), 25)
    (once,) = compare_costs(units, rng).pairs
    (clustered,) = compare_costs(repeated, rng, cluster=cluster).pairs
    (naive,) = compare_costs(repeated, rng).pairs
    assert clustered.interval == pytest.approx(once.interval, rel=0.05)
    assert naive.interval.upper - naive.interval.lower < 0.3 * (
        once.interval.upper - once.interval.lower
    )


def test_odd_comparisons_are_refused(rng):
    with pytest.raises(InputError, match="2 models or more on 2 cases or more; got 1 on 5"):
        compare_costs(np.zeros((5, 1)), rng)
    with pytest.raises(InputError, match="all cases are of one cluster"):
        compare_costs(rng.random((5, 2)), rng, cluster=[1] * 5)


def test_a_handful_of_differing_cases_shows_no_model_to_be_better():
    rng = np.random.default_rng(5)
    costs = np.where(rng.random(1000) < 0.03, 10.0, 0.0)[:, None].repeat(2, axis=1)
    costs[:11] = [[1.0, 0.0]] * 11  # answered rightly by one, asked by the other
    (pair,), best = compare_costs(costs, rng)
    assert pair.interval.lower < 0 < pair.interval.upper
    assert best is None
    costs[:60] = [[1.0, 0.0]] * 60
    assert compare_costs(costs, rng).best == 1
