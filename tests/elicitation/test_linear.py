"""Chords between kinds of mistakes: counts, errors, groups, gradients of any metric."""

from __future__ import annotations

import numpy as np
import pytest

from askpoint.elicitation.algorithms.linear import (
    mistake_groups,
    most_probable_outcome,
    noise_warning,
)
from askpoint.elicitation.families import linear_questionnaire
from askpoint.elicitation.metrics import LinearFractionalMetric, cost_metric
from askpoint.elicitation.respondents import ExactRespondent
from askpoint.elicitation.samples import Sample
from askpoint.errors import InputError


def sampled(k, n=300, seed=0):
    rng = np.random.default_rng(seed)
    proba = rng.dirichlet(np.ones(k), n)
    return np.array([rng.choice(k, p=p) for p in proba]), proba


DATA = {k: sampled(k) for k in (2, 3, 4)}


def random_costs(k, rng):
    a = -np.abs(rng.normal(size=k * k - k))
    return a / np.linalg.norm(a)


@pytest.mark.parametrize(("k", "count"), [(2, 8), (3, 40), (4, 88)])
def test_the_count_of_questions_and_the_error(k, count):
    rng = np.random.default_rng(k)
    for _ in range(5):
        a = random_costs(k, rng)
        found = linear_questionnaire(*DATA[k]).ask(ExactRespondent(cost_metric(a)))
        assert found.n_queries == count == 8 * (k * k - k - 1)
        assert np.linalg.norm(found.weights - a) <= 0.01
        low, high = found.interval.T
        assert ((low - 1e-12 <= a) & (a <= high + 1e-12)).all()


@pytest.mark.parametrize("share", [1, 0.1])
def test_pairs_are_counted_on_labels_and_trade_two_kinds_of_mistakes(share):
    y, proba = DATA[3]
    sample = Sample.of(y, proba)
    beside = ~np.eye(3, dtype=bool)
    questionnaire = linear_questionnaire(y, proba, share=share)
    oracle = ExactRespondent(cost_metric([-0.1, -0.2, -0.3, -0.4, -0.5, -0.6]))
    while (question := questionnaire.question) is not None:
        for rule, shown in zip(
            question.classifiers, (question.first, question.second), strict=True
        ):
            assert shown == pytest.approx(sample.confusion(rule), abs=1e-9)
        difference = (question.first - question.second)[beside]
        pivot, other = question.details["pivot"], question.details["other"]
        assert set(np.flatnonzero(np.abs(difference) > 1e-12)) <= {pivot, other}
        assert difference[pivot] < 0 < difference[other] or question.details["angle"] == 0
        middle = (question.first + question.second) / 2
        if share < 1:
            assert middle == pytest.approx(most_probable_outcome(sample).confusion, abs=share)
        questionnaire.answer(oracle.prefers(question.first, question.second))


def test_groups_share_a_weight_and_cost_fewer_questions():
    grave = -np.array([1, 1, 5, 1, 5, 5.0])
    groups = [["", "mild", "mild"], ["grave", "", "mild"], ["grave", "grave", ""]]
    found = linear_questionnaire(*DATA[3], groups=groups).ask(ExactRespondent(cost_metric(grave)))
    assert found.n_queries == 8
    assert np.abs(found.weights - grave / np.linalg.norm(grave)).max() < 0.005


def test_groups_by_rows_are_class_weights():
    assert mistake_groups([["a"] * 3, ["b"] * 3, ["c"] * 3], 3).tolist() == [0, 0, 1, 1, 2, 2]
    assert mistake_groups(None, 2).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("groups", "match"),
    [([["a", "b"]], "3 x 3"), (np.zeros((3, 3)), "nothing to compare")],
)
def test_groups_that_cannot_be_used(groups, match):
    with pytest.raises(InputError, match=match):
        linear_questionnaire(*DATA[3], groups=groups)


@pytest.mark.parametrize("share", [0, 1.5])
def test_a_share_out_of_range(share):
    with pytest.raises(InputError, match="share"):
        linear_questionnaire(*DATA[3], share=share)


def gradient_of(metric, at, step=1e-6):
    """Central differences in the kinds of mistakes, each taken from its row's right answers."""
    k = len(at)
    found = []
    for i, j in np.argwhere(~np.eye(k, dtype=bool)):
        move = np.zeros((k, k))
        move[i, j], move[i, i] = step, -step
        found.append((metric(at + move) - metric(at - move)) / (2 * step))
    return np.array(found) / np.linalg.norm(found)


def test_the_gradient_of_a_smooth_metric_near_the_deployed_classifier():
    y, proba = DATA[3]
    sample = Sample.of(y, proba)
    zeta = sample.zeta

    def g_mean(confusion):
        return np.prod(np.diag(confusion) / zeta) ** (1 / 3)

    questionnaire = linear_questionnaire(y, proba, share=0.05)
    at = (questionnaire.question.first + questionnaire.question.second) / 2
    found = linear_questionnaire(y, proba, share=0.05, tolerance=1e-4).ask(ExactRespondent(g_mean))
    assert found.weights == pytest.approx(gradient_of(g_mean, at), abs=1e-3)


def test_chords_tell_the_gradient_of_a_fraction_exactly_however_long():
    y, proba = DATA[3]
    rng = np.random.default_rng(0)
    metric = LinearFractionalMetric(np.eye(3), np.eye(3) + rng.uniform(0.8, 1.2, (3, 3)))
    found = linear_questionnaire(y, proba, tolerance=1e-6).ask(ExactRespondent(metric))
    question = linear_questionnaire(y, proba).question
    at = (question.first + question.second) / 2
    assert found.weights == pytest.approx(gradient_of(metric, at), abs=1e-5)


def test_pairs_too_close_for_the_oracle_are_said():
    oracle = ExactRespondent(cost_metric(-np.ones(12)))
    quiet = linear_questionnaire(*DATA[4], tolerance=0.2).ask(oracle)
    noisy = linear_questionnaire(*DATA[4], tolerance=0.2, noise=0.01).ask(oracle)
    assert quiet.warnings == ()
    assert "noise 0.01" in noisy.warnings[0]
    assert noise_warning(0.1, 1) == ()
