"""Scores through `decide` are those of the outcomes."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from askpoint import AskAtMost, CheckCost, DecisionScorer, FBeta, MistakeCost, SelectiveClassifier
from askpoint.errors import ObjectiveError
from askpoint.measures.outcomes import Outcomes


@pytest.mark.parametrize(
    ("objective", "expected"),
    [
        (MistakeCost(3.0), (60 - 30) / 100),
        (CheckCost(0.25), (60 + 0.75 * 30) / 100),
        (FBeta(1.0), 2 * 60 / (200 - 30)),
        ("coverage", 0.7),
        ("risk", -1 / 7),
    ],
)
def test_measures(objective, expected):
    assert DecisionScorer(objective).measure(Outcomes(60, 10, 30)) == pytest.approx(expected)


def test_no_answer_has_no_risk_to_count():
    assert DecisionScorer("risk").measure(Outcomes(0, 0, 5)) == 0


def test_a_grid_search_finds_the_better_setting():
    X, y = load_iris(return_X_y=True)
    model = SelectiveClassifier(GaussianNB(), objective=CheckCost(0.1))
    grid = {"estimator__var_smoothing": [1e-9, 1e3]}
    search = GridSearchCV(model, grid, scoring=DecisionScorer(CheckCost(0.1)), cv=3).fit(X, y)
    assert search.best_params_ == {"estimator__var_smoothing": 1e-9}


def test_weights_reach_the_score():
    X, y = load_iris(return_X_y=True)
    frozen = FrozenEstimator(GaussianNB().fit(X, y))
    model = SelectiveClassifier(frozen, objective=AskAtMost(0.5)).fit(X, y)
    right = model.decide(X).labels == y
    heavy = np.where(right, 1.0, 100.0)
    scorer = DecisionScorer(MistakeCost(1.0))
    assert scorer(model, X, y, heavy) <= scorer(model, X, y)


def test_a_constraint_is_no_measure():
    with pytest.raises(ObjectiveError, match="a scorer takes MistakeCost"):
        DecisionScorer(AskAtMost(3))


def test_a_pipeline_that_ends_in_the_classifier_is_scored():
    X, y = load_iris(return_X_y=True)
    model = SelectiveClassifier(GaussianNB(), objective=CheckCost(0.1))
    pipeline = Pipeline([("scale", StandardScaler()), ("none", "passthrough"), ("model", model)])
    scorer = DecisionScorer(CheckCost(0.1))
    grid = {"model__estimator__var_smoothing": [1e-9, 1e3]}
    search = GridSearchCV(pipeline, grid, scoring=scorer, cv=3).fit(X, y)
    assert search.best_params_ == {"model__estimator__var_smoothing": 1e-9}
    scaled = StandardScaler().fit_transform(X)
    assert scorer(pipeline.fit(X, y), X, y) == scorer(model.fit(scaled, y), scaled, y)
