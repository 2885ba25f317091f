"""Chord bisection: how many questions, how close, and what it refuses."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from askpoint.elicitation.families import diagonal_questionnaire
from askpoint.elicitation.metrics import diagonal_metric
from askpoint.elicitation.respondents import ExactRespondent, NoisyRespondent
from askpoint.errors import InputError, NotEstimableError


def sampled(k, n=600, seed=0):
    rng = np.random.default_rng(seed)
    proba = rng.dirichlet(np.ones(k), n)
    return np.array([rng.choice(k, p=p) for p in proba]), proba


DATA = {k: sampled(k) for k in (2, 3, 4, 6)}


@pytest.mark.parametrize(("k", "count"), [(2, 7), (3, 14), (4, 21), (6, 35)])
def test_the_count_of_questions_and_the_error(k, count):
    rng = np.random.default_rng(k)
    errors = []
    for _ in range(30):
        a = rng.dirichlet(np.ones(k))
        found = diagonal_questionnaire(*DATA[k]).ask(ExactRespondent(diagonal_metric(a)))
        assert found.n_queries == count
        low, high = found.interval.T
        assert ((low - 1e-12 <= a) & (a <= high + 1e-12)).all()
        errors.append(np.abs(found.weights - a).max())
    assert np.quantile(errors, 0.95) <= 0.006


@settings(deadline=None, max_examples=10)
@given(st.integers(0, 10**6), st.sampled_from([0.1, 0.03, 0.01, 0.001]))
def test_the_interval_holds_the_truth_at_every_stage(seed, tolerance):
    a = np.random.default_rng(seed).dirichlet(np.ones(4))
    oracle = ExactRespondent(diagonal_metric(a))
    questionnaire = diagonal_questionnaire(*DATA[4], tolerance=tolerance)
    expected = 3 + 3 * math.ceil(math.log2(0.5 / tolerance))
    while not questionnaire.done:
        assert questionnaire.remaining == expected - len(questionnaire.log)
        low, high = questionnaire.estimate.interval.T
        assert ((low - 1e-12 <= a) & (a <= high + 1e-12)).all()
        assert questionnaire.estimate.weights.sum() == pytest.approx(1)
        question = questionnaire.question
        questionnaire.answer(oracle.prefers(question.first, question.second))
    assert len(questionnaire.log) == expected
    assert questionnaire.remaining == 0


def test_renaming_the_classes_permutes_the_weights():
    y, proba = DATA[4]
    a = np.array([0.1, 0.45, 0.15, 0.3])
    order = [2, 0, 3, 1]
    plain = diagonal_questionnaire(y, proba, tolerance=1e-4).ask(
        ExactRespondent(diagonal_metric(a))
    )
    place = np.argsort(order)
    turned = diagonal_questionnaire(place[y], proba[:, order], tolerance=1e-4).ask(
        ExactRespondent(diagonal_metric(a[order]))
    )
    assert turned.weights == pytest.approx(plain.weights[order], abs=1e-12)


def test_duplicated_rows_change_nothing():
    y, proba = DATA[3]
    oracle = ExactRespondent(diagonal_metric([0.2, 0.5, 0.3]))
    once = diagonal_questionnaire(y, proba).ask(oracle)
    twice = diagonal_questionnaire(np.tile(y, 2), np.tile(proba, (2, 1))).ask(oracle)
    assert (once.weights == twice.weights).all()
    assert once.log == twice.log


def test_about_equal_ends_the_search_for_a_weight():
    y, proba = DATA[2]
    questionnaire = diagonal_questionnaire(y, proba)
    for answer in (None, True, None):
        questionnaire.answer(answer)
    assert questionnaire.done
    assert questionnaire.estimate.weights == pytest.approx([0.875, 0.125])
    assert questionnaire.estimate.interval[1] == pytest.approx([0, 0.25])


def test_a_pair_can_be_run_and_does_what_was_shown():
    y, proba = DATA[3]
    questionnaire = diagonal_questionnaire(y, proba)
    questionnaire.answer(True)
    question = questionnaire.question
    n = len(y)
    grid = np.random.default_rng(5).permutation((np.arange(n) + 0.5) / n)
    for rule, shown in zip(question.classifiers, (question.first, question.second), strict=True):
        decided = rule.decide(proba, grid)
        counted = np.array(
            [[np.mean((y == i) & (decided == j)) for j in range(3)] for i in range(3)]
        )
        assert counted == pytest.approx(shown, abs=0.03)


@pytest.mark.no_cover
def test_error_grows_with_the_noise_linearly():
    """Ten times the noise, ten times the error: the paper's searches pay its square root."""
    rng = np.random.default_rng(0)
    y, proba = sampled(3, n=100)
    omegas = np.array([0.003, 0.01, 0.03])
    means = []
    for omega in omegas:
        errors = []
        for _ in range(50):
            a = rng.dirichlet(np.ones(3) * 3)
            oracle = NoisyRespondent(diagonal_metric(a), omega, rng)
            found = diagonal_questionnaire(y, proba, tolerance=1e-4).ask(oracle)
            errors.append(np.abs(found.weights - a).max())
        means.append(np.mean(errors))
    slope = np.polyfit(np.log(omegas), np.log(means), 1)[0]
    assert 0.8 < slope < 1.2


def test_a_tolerance_finer_than_the_sample_is_said():
    y, proba = DATA[2]
    oracle = ExactRespondent(diagonal_metric([0.7, 0.3]))
    assert diagonal_questionnaire(y, proba, tolerance=0.1).ask(oracle).warnings == ()
    (text,) = diagonal_questionnaire(y, proba, tolerance=1e-4).ask(oracle).warnings
    assert "fewer than 5 cases" in text
    assert "0 and 1 (0)" in text


def test_two_samples_are_enough_to_ask_and_too_few_to_trust():
    found = diagonal_questionnaire([0, 1], [0.2, 0.9]).ask(
        ExactRespondent(diagonal_metric([0.7, 0.3]))
    )
    assert found.weights == pytest.approx([0.7, 0.3], abs=0.005)
    assert found.warnings


@pytest.mark.parametrize("answer", [True, False, None])
def test_contradictory_answers_end_in_weights_all_the_same(answer):
    questionnaire = diagonal_questionnaire(*DATA[4])
    while not questionnaire.done:
        questionnaire.answer(answer)
    assert questionnaire.estimate.weights.sum() == pytest.approx(1)
    assert (questionnaire.estimate.weights > 0).all()


@pytest.mark.parametrize("tolerance", [0, 1, -0.1, float("nan")])
def test_a_tolerance_out_of_range(tolerance):
    with pytest.raises(InputError, match="tolerance"):
        diagonal_questionnaire(*DATA[2], tolerance=tolerance)


def test_an_unknown_method_and_a_class_that_cannot_be_asked():
    with pytest.raises(InputError, match="method must be one of chord, paper, bayesian"):
        diagonal_questionnaire(*DATA[2], method="guess")
    proba = DATA[3][1].copy()
    proba[:, 1] = proba[:, 0] = proba[:, :2].mean(axis=1)
    with pytest.raises(NotEstimableError, match="class 0 from class 1"):
        diagonal_questionnaire(DATA[3][0], proba)


def test_a_log_from_other_data_is_refused():
    saved = diagonal_questionnaire(*DATA[3])
    saved.answer(True)
    other = diagonal_questionnaire(*sampled(3, seed=9))
    with pytest.raises(InputError, match="other labels or probabilities"):
        other.resume(saved.to_json())
    again = diagonal_questionnaire(*DATA[3])
    again.resume(saved.to_json())
    assert again.log == saved.log


def test_vehicle_is_elicited_whatever_the_weights(data):
    """The paper's figure 3, where its search reaches 70% within 0.14 (a bar of ours: 0.02)."""
    frame = pl.read_csv(data / "uci" / "vehicle.csv.gz")
    X, y = frame.drop("class").to_numpy(), frame["class"].to_numpy()
    half = np.random.default_rng(0).permutation(len(y)) < len(y) // 2
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=500)).fit(X[half], y[half])
    proba = model.predict_proba(X[~half])
    for a in np.random.default_rng(1).dirichlet(np.ones(4), 20):
        found = diagonal_questionnaire(y[~half], proba).ask(ExactRespondent(diagonal_metric(a)))
        assert found.n_queries == 21
        assert np.abs(found.weights - a).max() <= 0.02
