"""A classifier without probabilities: one sentence, wherever an estimator is taken."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, RidgeClassifier, SGDClassifier
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from askpoint import CheckCost, SecondStage, SelectiveClassifier, ValueCurveDisplay
from askpoint.displays.models import ModelsDisplay
from askpoint.errors import InputError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.estimators import check_gives_probabilities
from askpoint.unknowns.repair_outcomes import repair_effects
from askpoint.unknowns.retraining import retrain

PRICE = CheckCost(1 / 20)
RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 2))
Y = (X[:, 0] + RNG.normal(size=80) > 0).astype(int)
SCORES = make_pipeline(StandardScaler(), LinearSVC()).fit(X, Y)
SENTENCE = r"LinearSVC gives no probabilities .* CalibratedClassifierCV\(LinearSVC\(\.\.\.\)\)"


@pytest.mark.parametrize(
    "take",
    [
        lambda: SelectiveClassifier(LinearSVC(), objective=PRICE).fit(X, Y),
        lambda: SelectiveClassifier(SCORES, objective=PRICE).fit(X, Y),
        lambda: SelectiveClassifier(FrozenEstimator(SCORES), objective=PRICE).fit(X, Y),
        lambda: SelectiveClassifier(
            LogisticRegression(), objective=PRICE, confidence=SecondStage(LinearSVC())
        ).fit(X, Y),
        lambda: ValueCurveDisplay.from_estimator(SCORES, X, Y),
        lambda: ModelsDisplay.from_estimators({"svm": SCORES}, X, Y),
        lambda: repair_effects(SCORES, SCORES, {"all": (X, Y)}, CostMatrix.zero_one([0, 1])),
        lambda: retrain(LinearSVC(), X, Y, X, Y, RNG, method="boosted"),
    ],
)
def test_wherever_an_estimator_is_taken(take):
    with pytest.raises(InputError, match=SENTENCE):
        take()


@pytest.mark.parametrize("model", [RidgeClassifier(), SGDClassifier(), SVC()])
def test_scores_are_to_be_calibrated(model):
    with pytest.raises(InputError, match=r"sklearn\.calibration makes them from its scores"):
        check_gives_probabilities(model)


def test_labels_alone_need_a_validation_set():
    class Rule:
        def predict(self, X):
            return np.zeros(len(X))

    with pytest.raises(InputError, match=r"Rule gives no .*hard_label_probabilities makes them"):
        check_gives_probabilities(Rule())


def test_what_the_sentence_advises_works():
    model = SelectiveClassifier(CalibratedClassifierCV(LinearSVC()), objective=PRICE, cv=3).fit(
        X, Y
    )
    assert model.predict_proba(X).shape == (80, 2)
    check_gives_probabilities(NearestCentroid())
