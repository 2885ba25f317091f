"""The search for nearly independent trios: separable judges survive, blind ones do not."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from askpoint.errors import InputError
from askpoint.judges.methods.independent import evaluate_independent
from askpoint.judges.methods.majority import evaluate_majority
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.judges.trios.search import _compare, failure_rates, feature_partitions, search_trios
from judges.cases import ADULT_A, ADULT_B, evaluate_by_truth, sketch_of


def test_partitions_are_disjoint_and_use_every_feature(rng):
    for parts in feature_partitions(10, 20, rng):
        assert sorted(np.concatenate(parts).tolist()) == list(range(10))
        assert len(parts) == 3
    with pytest.raises(InputError, match="three features"):
        feature_partitions(2, 1, rng)


def test_independent_features_make_independent_judges(rng):
    y = np.repeat([0, 1], 3000)
    X = rng.normal(size=(6000, 9)) + y[:, None] * 0.8
    told = []
    search = search_trios(
        GaussianNB(),
        X,
        y,
        feature_partitions(9, 3, rng),
        sizes=[50, 2000],
        rng=rng,
        n_repeats=2,
        progress=told.append,
    )
    assert told == [1 / 3, 2 / 3, 1]
    assert search.sizes == (50, 2000)
    assert search.share_inside[1] == 1
    assert search.share_never[1] == 0
    assert search.error[1].mean() < 0.02 < search.majority_error[1].mean()
    assert (search.error[1] <= 0.03).all()


def test_one_feature_behind_all_judges_betrays_itself(rng):
    y = np.repeat([0, 1], 2000)
    hidden = rng.normal(size=4000) + y * 0.5
    columns = [hidden[:, None] + rng.normal(size=(4000, 2)) * 0.3 for _ in range(3)]
    search = search_trios(
        LogisticRegression(), columns, y, [[[0], [1], [2]]], sizes=[500], rng=rng, n_repeats=4
    )
    assert search.error.min() > 0.05  # it survives, or not, but it is wrong


def test_too_few_items_are_refused(rng):
    with pytest.raises(InputError, match="each label needs 700 items"):
        search_trios(
            GaussianNB(), np.zeros((100, 3)), np.repeat([0, 1], 50), [], sizes=[100], rng=rng
        )


def test_errors_are_those_of_the_evaluators(rng):
    tests = np.array([ADULT_A, ADULT_B]).reshape(1, 1, 1, 2, 8)
    found = _compare((1,), tests)
    sketch = sketch_of(np.add(ADULT_A, ADULT_B))
    truth = evaluate_by_truth({"a": sketch_of(ADULT_A), "b": sketch_of(ADULT_B)})

    def error(point):
        return np.mean(
            [
                abs(of[label] - truth.accuracy[judge][label])
                for judge, of in point.accuracy.items()
                for label in "ab"
            ]
        )

    assert found.error[0, 0, 0] == pytest.approx(error(evaluate_independent(sketch).chosen))
    assert found.majority_error[0, 0, 0] == pytest.approx(error(evaluate_majority(sketch)))
    blind = _compare((1,), np.full((1, 1, 1, 2, 8), 5))
    assert not blind.is_inside.any()
    assert np.isinf(blind.error).all()


def test_smaller_tests_fail_more_often(rng):
    sketch = sketch_of(np.add(ADULT_A, ADULT_B))
    sketch.update(["a", None, None])
    few, many, all_ = failure_rates(sketch, [30, 3000, 36_842], rng, n_draws=300)
    assert few > many
    assert all_ == 0  # the whole test is always the same, and it was inside
    exact = [
        evaluate_independent(sketch_of(draw)).outcome != "inside"
        for draw in rng.multivariate_hypergeometric(
            np.add(ADULT_A, ADULT_B), 30, size=300, method="marginals"
        )
    ]
    assert few == pytest.approx(np.mean(exact), abs=5 * np.sqrt(2 * 0.25 / 300))
    for sizes in ([], [0], [40_000]):
        with pytest.raises(InputError, match="sizes must be between 1 and 36842"):
            failure_rates(sketch, sizes, rng)
    with pytest.raises(InputError, match="three judges and two labels"):
        failure_rates(VoteSketch(4, ["a", "b"]), [1], rng)
