"""Linear-fractional metrics: how well the order of all outcomes comes back."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from askpoint.elicitation.families import fraction_questionnaire
from askpoint.elicitation.metrics import LinearFractionalMetric, LinearMetric
from askpoint.elicitation.respondents import ExactRespondent
from askpoint.elicitation.rules import CostRule
from askpoint.elicitation.samples import Sample
from askpoint.errors import InputError


def sampled(k, n=300, seed=0):
    rng = np.random.default_rng(seed)
    proba = rng.dirichlet(np.ones(k), n)
    return np.array([rng.choice(k, p=p) for p in proba]), proba


def outcomes(y, proba, rng, n=120):
    """What all sorts of classifiers do, from guessing to deployed."""
    k = proba.shape[1]
    sample = Sample.of(y, proba)
    gains = (rng.normal(size=(k, k)) + rng.uniform(0, 3) * np.eye(k) for _ in range(n))
    return [sample.confusion(CostRule.of(gain)) for gain in gains]


def concordance(metric, found, points):
    pairs = list(itertools.combinations(points, 2))
    return np.mean([(metric(c) > metric(d)) == (found.score(c) > found.score(d)) for c, d in pairs])


def random_fraction(k, rng):
    """Right answers over a sum in which every mistake weighs: it falls with every mistake."""
    gain = np.diag(rng.uniform(0.3, 1, k))
    return LinearFractionalMetric(gain, gain + rng.uniform(0.6, 1, (k, k)))


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("k", "method", "count"),
    [(2, "chord", 23), (3, "chord", 111), (2, "paper", 264), (3, "paper", 1320)],
)
def test_the_order_of_outcomes_comes_back(k, method, count):
    y, proba = sampled(k)
    rng = np.random.default_rng(k)
    points = outcomes(y, proba, rng)
    for _ in range(4 if method == "chord" else 1):
        metric = random_fraction(k, rng)
        found = fraction_questionnaire(y, proba, method=method).ask(ExactRespondent(metric))
        assert found.n_queries == count
        assert concordance(metric, found, points) >= 0.999


def test_f1_from_23_questions():
    y, proba = sampled(2)
    f1 = LinearFractionalMetric([[0, 0], [0, 2]], [[0, 1], [1, 2]])
    found = fraction_questionnaire(y, proba).ask(ExactRespondent(f1))
    points = outcomes(y, proba, np.random.default_rng(0))
    assert concordance(f1, found, points) >= 0.999


def test_a_linear_metric_is_a_fraction_too():
    y, proba = sampled(3)
    metric = LinearMetric(np.diag([0.2, 0.5, 0.3]))
    found = fraction_questionnaire(y, proba).ask(ExactRespondent(metric))
    assert concordance(metric, found, outcomes(y, proba, np.random.default_rng(0))) >= 0.998


def test_rows_of_one_name_serve_metrics_of_the_diagonal():
    y, proba = sampled(3)
    rng = np.random.default_rng(0)
    top, below = rng.uniform(0.3, 1, (2, 3))
    metric = LinearFractionalMetric(np.diag(top), np.diag(below) + 1)
    rows = np.repeat([[0], [1], [2]], 3, axis=1)
    found = fraction_questionnaire(y, proba, groups=rows).ask(ExactRespondent(metric))
    assert found.n_queries == 45
    assert concordance(metric, found, outcomes(y, proba, rng)) >= 0.999


def test_it_is_an_oracle_itself():
    y, proba = sampled(2)
    f1 = LinearFractionalMetric([[0, 0], [0, 2]], [[0, 1], [1, 2]])
    found = fraction_questionnaire(y, proba).ask(ExactRespondent(f1))
    better, worse = np.diag([0.5, 0.5]), 0.5 - np.diag([0.5, 0.5])
    assert found.prefers(better, worse) is True
    assert found.prefers(worse, better) is False
    assert found.prefers(better, better) is None


def test_a_bad_deployed_classifier_changes_the_points_only():
    """Probabilities that are wrong more often than right."""
    y, proba = sampled(2)
    proba = proba[:, ::-1]
    f1 = LinearFractionalMetric([[0, 0], [0, 2]], [[0, 1], [1, 2]])
    found = fraction_questionnaire(y, proba).ask(ExactRespondent(f1))
    assert found.log[0].answer is False
    assert concordance(f1, found, outcomes(y, proba, np.random.default_rng(0))) >= 0.995


@pytest.mark.parametrize("method", ["chord", "paper"])
def test_the_remaining_questions_are_told(method):
    questionnaire = fraction_questionnaire(*sampled(2), method=method)
    total = questionnaire.remaining
    while not questionnaire.done:
        assert questionnaire.remaining == total - len(questionnaire.log)
        assert np.isfinite(questionnaire.estimate.score(np.eye(2) / 2))
        questionnaire.answer(True)
    assert len(questionnaire.log) == total


def test_an_unknown_setting_is_refused():
    with pytest.raises(InputError, match="takes groups; got cycles"):
        fraction_questionnaire(*sampled(2), cycles=3)
