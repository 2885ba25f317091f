"""SelectiveClassifier: scikit-learn's own checks, and what it decides against brute force."""

from __future__ import annotations

import contextlib

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

import askpoint
from askpoint import (
    AskAtMost,
    ByClass,
    CheckCost,
    CostMatrix,
    MaxError,
    MistakeCost,
    Prices,
    SecondStage,
    SelectiveClassifier,
)
from askpoint.errors import InputError, NotEstimableError, ObjectiveError, UnmetError
from askpoint.value.guarantees import conformal_risk_control, learn_then_test
from askpoint.value.limits import MeanError
from askpoint.value.posterior.best_threshold import expected_best
from askpoint.value.posterior.cross_fitting import draw_folds
from askpoint.value.posterior.rightness import RightnessPosterior


@parametrize_with_checks([SelectiveClassifier(LogisticRegression(), objective=CheckCost(0.1))])
@pytest.mark.filterwarnings("ignore")  # of the checks' odd data, by scikit-learn's own parts
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    return X[order], np.array(["malignant", "benign"])[y[order]]


@pytest.fixture(scope="module")
def frozen(cancer):
    X, y = cancer
    return FrozenEstimator(GaussianNB().fit(X[:150], y[:150]))


def test_the_threshold_is_that_of_the_held_out_curve(cancer):
    X, y = cancer
    model = SelectiveClassifier(GaussianNB(), objective=MistakeCost(9.0), method="hindsight")
    model.fit(X, y)
    p = cross_val_predict(GaussianNB(), X, y, method="predict_proba")
    curve = askpoint.value_curve(y, p)
    assert model.threshold_ == curve.threshold(9.0)
    assert model.operating_point_.outcomes == curve.outcomes(model.threshold_)
    assert list(model.classes_) == ["benign", "malignant"]


def test_predict_answers_and_decide_asks_below_the_threshold(cancer, frozen):
    X, y = cancer
    model = SelectiveClassifier(frozen, objective=AskAtMost(0.2)).fit(X[150:], y[150:])
    made, p = model.decide(X[150:]), frozen.predict_proba(X[150:])
    np.testing.assert_array_equal(made.asked, p.max(axis=1) < model.threshold_)
    np.testing.assert_array_equal(made.labels, model.predict(X[150:]))
    np.testing.assert_array_equal(model.predict(X), frozen.predict(X))
    assert model.estimator_ is frozen
    assert made.asked.mean() <= 0.2


def test_integer_and_string_labels_decide_alike():
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])
    as_numbers = SelectiveClassifier(GaussianNB(), objective=CheckCost(0.1)).fit(X, y)
    as_names = SelectiveClassifier(GaussianNB(), objective=CheckCost(0.1)).fit(X, names[y])
    np.testing.assert_array_equal(names[as_numbers.predict(X)], as_names.predict(X))
    np.testing.assert_array_equal(as_numbers.decide(X).asked, as_names.decide(X).asked)


def test_calibrated_trusts_the_probabilities(cancer, frozen):
    X, y = cancer
    model = SelectiveClassifier(frozen, objective=CheckCost(0.05), method="calibrated").fit(X, y)
    assert model.threshold_ == pytest.approx(0.95)


@pytest.mark.parametrize("promise", [MaxError(0.04, delta=0.05), MeanError(0.04)])
def test_promises_are_kept_by_the_objective(cancer, frozen, promise):
    X, y = cancer
    naive = SelectiveClassifier(frozen, objective=MaxError(0.04)).fit(X[150:], y[150:])
    careful = clone(naive).set_params(objective=promise).fit(X[150:], y[150:])
    if isinstance(promise, MaxError):
        assert careful.threshold_ > naive.threshold_
        assert careful.threshold_ == learn_then_test(careful.value_curve_, 0.04, 0.05)
    else:
        wrong = (careful.decide(X[150:]).labels != y[150:]) & ~careful.decide(X[150:]).asked
        assert wrong.sum() + 1 <= 0.04 * (len(y) - 150 + 1)
        assert careful.threshold_ == conformal_risk_control(careful.value_curve_, 0.04)


def test_a_stricter_promise_asks_more(cancer, frozen):
    X, y = cancer
    loose, strict = (
        SelectiveClassifier(frozen, objective=MaxError(0.05, delta=delta)).fit(X[150:], y[150:])
        for delta in (0.05, 0.01)
    )
    assert strict.threshold_ > loose.threshold_
    assert strict.threshold_ == learn_then_test(strict.value_curve_, 0.05, 0.01)


def test_prices_in_money_are_an_objective(cancer, frozen):
    X, y = cancer
    money = SelectiveClassifier(frozen, objective=Prices(1, 0, -19)).fit(X, y)
    assert (
        money.threshold_
        == SelectiveClassifier(frozen, objective=MistakeCost(19)).fit(X, y).threshold_
    )


def test_by_class_has_a_threshold_for_each_prediction(cancer, frozen):
    X, y = cancer[0][150:], cancer[1][150:]
    objective = ByClass({"benign": MistakeCost(50.0), "malignant": MistakeCost(1.0)})
    model = SelectiveClassifier(frozen, objective=objective).fit(X, y)
    p, made = frozen.predict_proba(X), model.decide(X)
    for j, (name, omega) in enumerate((("benign", 50.0), ("malignant", 1.0))):
        rows = p.argmax(axis=1) == j
        part = askpoint.ValueCurve.from_outcomes(y[rows] == name, p[rows].max(axis=1))
        assert model.threshold_[j] == part.threshold(omega)
        np.testing.assert_array_equal(made.asked[rows], p[rows, j] < model.threshold_[j])


def test_a_class_never_predicted_is_always_asked():
    y = np.array([0] * 30 + [1] * 10)
    objective = ByClass({0: MistakeCost(1.0), 1: MistakeCost(1.0)})
    model = SelectiveClassifier(DummyClassifier(), objective=objective).fit(np.zeros((40, 1)), y)
    assert model.threshold_[1] == np.inf


def test_a_cost_matrix_decides_as_cheaply_as_brute_force(cancer, frozen):
    X, y = cancer[0][150:], cancer[1][150:]
    costs = CostMatrix(["malignant", "benign"], [[0, 20], [1, 0]], reject_cost=0.4)
    model = SelectiveClassifier(frozen, objective=costs).fit(X, y)
    p = frozen.predict_proba(X)  # columns benign, malignant
    expected = p @ np.array([[0.0, 1.0], [20.0, 0.0]])
    np.testing.assert_array_equal(model.predict(X), model.classes_[expected.argmin(axis=1)])
    cost = {"benign": {"benign": 0, "malignant": 1}, "malignant": {"benign": 20, "malignant": 0}}

    saving = np.round(0.4 - expected.min(axis=1), 10)  # round-off splits no ties

    def total(threshold):
        asked = saving < threshold
        return sum(
            0.4 if ask else cost[truth][label]
            for ask, truth, label in zip(asked, y, model.predict(X), strict=True)
        )

    best = min(total(t) for t in [*np.unique(saving), np.inf])
    assert total(model.threshold_) == pytest.approx(best)
    np.testing.assert_array_equal(model.decide(X).asked, saving < model.threshold_)


def test_costs_by_case_against_brute_force(cancer, frozen):
    X, y = cancer[0][150:], cancer[1][150:]
    rng = np.random.default_rng(1)
    mistake, reject = rng.uniform(0.5, 20, len(y)), rng.uniform(0.05, 2, len(y))
    model = SelectiveClassifier(frozen, objective=CheckCost(0.1))
    model.fit(X, y, mistake_cost=mistake, reject_cost=reject)
    p = frozen.predict_proba(X)
    saving, wrong = reject - (1 - p.max(axis=1)) * mistake, model.predict(X) != y

    def total(threshold):
        return np.where(saving >= threshold, wrong * mistake, reject).sum()

    assert total(model.threshold_) == pytest.approx(min(map(total, [*saving, np.inf])))
    made = model.decide(X, mistake_cost=mistake, reject_cost=reject)
    np.testing.assert_array_equal(made.asked, saving < model.threshold_)


def test_one_cost_for_all_cases_is_the_plain_objective(cancer, frozen):
    X, y = cancer[0][150:], cancer[1][150:]
    plain = SelectiveClassifier(frozen, objective=MistakeCost(4.0), method="hindsight").fit(X, y)
    same = SelectiveClassifier(frozen, objective=MistakeCost(4.0)).fit(
        X, y, mistake_cost=np.ones(len(y))
    )
    np.testing.assert_array_equal(
        plain.decide(X).asked, same.decide(X, mistake_cost=np.ones(len(y))).asked
    )
    rho = SelectiveClassifier(frozen, objective=CheckCost(0.2)).fit(
        X, y, mistake_cost=np.ones(len(y))
    )
    assert rho.threshold_ == pytest.approx(same.threshold_)


def test_a_second_stage_uses_columns_that_the_model_ignores():
    rng = np.random.default_rng(2)
    n = 1200
    broken = rng.random(n) < 0.3  # a camera that the model does not know of
    signal = rng.normal(size=n)
    y = np.where(broken, rng.random(n) < 0.5, signal > 0).astype(int)
    frame = pd.DataFrame({"signal": signal, "broken": broken.astype(float)})

    class Blind(LogisticRegression):
        def fit(self, X, y, sample_weight=None):
            return super().fit(X[["signal"]], y, sample_weight)

        def predict_proba(self, X):
            return super().predict_proba(X[["signal"]])

    plain = SelectiveClassifier(Blind(), objective=CheckCost(0.2)).fit(frame[:800], y[:800])
    stage = SecondStage(KNeighborsClassifier(25))
    second = SelectiveClassifier(Blind(), objective=CheckCost(0.2), confidence=stage)
    second.fit(frame[:800], y[:800])
    rho = 0.2
    profits = [
        m.decide(frame[800:]).outcomes(y[800:]).expected_profit(rho) for m in (plain, second)
    ]
    assert profits[1] > profits[0] + 0.03
    assert SelectiveClassifier(
        Blind(), objective=CheckCost(0.2), confidence=stage, method="calibrated"
    ).fit(frame[:800], y[:800]).threshold_ == pytest.approx(0.8)


def test_a_second_stage_needs_mistakes_and_plain_columns():
    X, y = load_iris(return_X_y=True)
    stage = SecondStage(LogisticRegression())
    with pytest.raises(NotEstimableError, match="at least 5 of each; got 0 and 100"):
        SelectiveClassifier(GaussianNB(), objective=CheckCost(0.1), confidence=stage).fit(
            X[:100], y[:100]
        )
    from scipy.sparse import csr_matrix

    with pytest.raises(InputError, match="not sparse matrices"):
        stage.fit(csr_matrix(X), np.full((150, 2), 0.5), np.arange(150) % 2 == 0)
    held_out = stage.fit(X, np.full((150, 2), 0.5), y == 0)
    assert (((held_out > 0.5) == (y == 0)).mean()) > 0.95  # one kind of iris is told by a line


def test_the_posterior_threshold_is_the_best_of_its_expected_costs(cancer, frozen):
    X, y = cancer[0][150:], cancer[1][150:]
    model = SelectiveClassifier(frozen, objective=CheckCost(0.1)).fit(X, y)
    cases = model.value_curve_.cases
    posterior = RightnessPosterior().fit(cases.confidence, cases.truth == cases.predicted)
    q = posterior.predict(np.unique(cases.confidence))
    # answers where the posterior mean of being right is at least 1 - rho
    wanted = np.unique(cases.confidence)[q >= 0.9].min()
    assert model.threshold_ == pytest.approx(wanted, rel=0.02)
    lucky = SelectiveClassifier(frozen, objective=CheckCost(0.1), method="hindsight").fit(X, y)
    worth = [each.operating_point_.expected_profit for each in (lucky, model)]
    assert worth[0] >= worth[1]
    f = SelectiveClassifier(frozen, objective=askpoint.FBeta(0.5)).fit(X, y)
    assert 0 < f.operating_point_.outcomes.coverage <= 1
    few = SelectiveClassifier(frozen, objective=MaxError(0.03)).fit(X, y)
    assert few.operating_point_.outcomes.risk < 0.06


def test_weights_move_the_threshold_and_zero_leaves_out(cancer, frozen):
    X, y = cancer[0][150:], cancer[1][150:]
    half = np.arange(len(y)) % 2 == 0
    masked = SelectiveClassifier(frozen, objective=MistakeCost(3.0)).fit(
        X, y, sample_weight=half.astype(float)
    )
    alone = SelectiveClassifier(frozen, objective=MistakeCost(3.0)).fit(X[half], y[half])
    assert masked.threshold_ == alone.threshold_
    double = SelectiveClassifier(KNeighborsClassifier(), objective=MistakeCost(3.0))
    assert double.fit(X, y, sample_weight=np.full(len(y), 2.0)).value_curve_.total == 2 * len(y)


def test_metadata_is_routed():
    X, y = load_iris(return_X_y=True)
    weight = np.where(y == 2, 5.0, 1.0)
    with sklearn.config_context(enable_metadata_routing=True):
        inner = GaussianNB().set_fit_request(sample_weight=True)
        model = SelectiveClassifier(inner, objective=CheckCost(0.1))
        model.fit(X, y, sample_weight=weight)
        np.testing.assert_allclose(
            model.estimator_.class_prior_, GaussianNB().fit(X, y, weight).class_prior_
        )
        ignoring = SelectiveClassifier(
            GaussianNB().set_fit_request(sample_weight=False), objective=CheckCost(0.1)
        ).fit(X, y, sample_weight=weight)
        np.testing.assert_allclose(ignoring.estimator_.class_prior_, 1 / 3)
        SelectiveClassifier(GaussianNB(), objective=CheckCost(0.1)).fit(X, y)
    with pytest.raises(InputError, match=r"'groups'.*enable_metadata_routing"):
        SelectiveClassifier(GaussianNB(), objective=CheckCost(0.1)).fit(X, y, groups=y)


def test_bad_input(cancer, frozen):
    X, y = cancer
    make = SelectiveClassifier
    with pytest.raises(NotFittedError):
        make(FrozenEstimator(GaussianNB()), objective=CheckCost(0.1)).fit(X, y)
    with pytest.raises(UnmetError, match="the lowest expected error is"):
        make(frozen, objective=MaxError(0.0)).fit(X[:40], np.roll(y[:40], 1))
    with pytest.raises(ObjectiveError, match="an objective is a value such as CheckCost"):
        make(frozen, objective=0.05).fit(X, y)
    with pytest.raises(
        InputError, match="method must be one of posterior, hindsight, calibrated; got"
    ):
        make(frozen, objective=CheckCost(0.1), method="magic").fit(X, y)
    with pytest.raises(NotEstimableError, match=r"299 labelled cases .* there are 50"):
        make(frozen, objective=MaxError(0.01, delta=0.05)).fit(X[:50], y[:50])
    with pytest.raises(InputError, match=r"1 class .*at least two classes"):
        make(frozen, objective=CheckCost(0.1)).fit(X, np.full(len(y), "benign"))
    with pytest.raises(ObjectiveError, match="needs a price"):
        make(frozen, objective=MaxError(0.1), method="calibrated").fit(X, y)
    with pytest.raises(ObjectiveError, match="confidence that is a probability"):
        make(frozen, objective=CheckCost(0.1), method="calibrated", confidence="margin").fit(X, y)


def test_bad_costs_by_case(cancer, frozen):
    X, y = cancer
    ones = np.ones(len(y))

    def fit(objective=CheckCost(0.1), settings=None, **costs):  # noqa: B008
        return SelectiveClassifier(frozen, objective=objective, **(settings or {})).fit(
            X, y, **costs
        )

    with pytest.raises(ObjectiveError, match="give reject_cost too"):
        fit(AskAtMost(0.1), mistake_cost=ones)
    with pytest.raises(InputError, match="reject_cost must have one entry per case: got 2"):
        fit(reject_cost=[1, 2])
    with pytest.raises(InputError, match="mistake_cost must not be negative; got -1"):
        fit(mistake_cost=-ones)
    with pytest.raises(ObjectiveError, match="confidence that is a probability"):
        fit(mistake_cost=ones, settings={"confidence": "margin"})
    with pytest.raises(ObjectiveError, match="use 'posterior' or 'hindsight'"):
        fit(mistake_cost=ones, settings={"method": "calibrated"})
    costs = CostMatrix.zero_one(["benign", "malignant"], 0.1)
    with pytest.raises(ObjectiveError, match="not both"):
        fit(costs, mistake_cost=ones)
    with pytest.raises(InputError, match="give mistake_cost or reject_cost of these cases too"):
        fit(mistake_cost=ones).decide(X)
    with pytest.raises(InputError, match="fit had no costs by case"):
        fit().decide(X, mistake_cost=ones)


def test_by_class_wants_one_objective_for_each_class():
    curve = askpoint.value_curve([0, 1], [0.2, 0.9])
    with pytest.raises(ObjectiveError, match="one objective for each class 0, 1; got 0"):
        ByClass({0: MistakeCost(1.0)}).choose_each(curve)
    with pytest.raises(ObjectiveError, match="got none"):
        ByClass({}).choose_each(curve)


def test_cross_fitted_outcomes_are_those_of_thresholds_of_other_folds():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    y = (X.sum(axis=1) + rng.normal(size=300) > 0).astype(int)
    model = SelectiveClassifier(LogisticRegression(), objective=CheckCost(0.1)).fit(X, y)
    found = model.cross_fitted_outcomes(np.random.default_rng(3))
    cases = model.value_curve_.cases
    folds = draw_folds(300, np.random.default_rng(3))
    right = cases.truth == cases.predicted
    counts = np.zeros(3, dtype=int)
    for fold in np.unique(folds):
        held = folds == fold
        others = RightnessPosterior().fit(cases.confidence[~held], right[~held])
        answered = cases.confidence[held] >= expected_best(others, CheckCost(0.1))
        counts += (
            (answered & right[held]).sum(),
            (answered & ~right[held]).sum(),
            (~answered).sum(),
        )
    assert (found.right, found.wrong, found.asked) == tuple(counts)
    for objective in (AskAtMost(0.2), Prices(1, 0, -4)):
        again = SelectiveClassifier(LogisticRegression(), objective=objective).fit(X, y)
        assert again.cross_fitted_outcomes(rng).total == 300
    hopeless = SelectiveClassifier(LogisticRegression(), objective=MaxError(0.2, delta=0.05)).fit(
        X, y
    )
    weighted = hopeless.fit(X, y)
    assert weighted.cross_fitted_outcomes(rng, n_folds=2).total == 300
    by_class = SelectiveClassifier(
        LogisticRegression(), objective=ByClass({0: MaxError(0.1), 1: MaxError(0.1)})
    )
    with pytest.raises(ObjectiveError, match="one objective and one threshold"):
        by_class.fit(X, y).cross_fitted_outcomes(rng)


def test_a_fold_whose_others_keep_no_limit_is_asked_about():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(90, 2))
    y = (X.sum(axis=1) + 2 * rng.normal(size=90) > 0).astype(int)
    for limit in np.arange(0.05, 0.5, 0.005):  # the least that can be kept with all labels
        model = SelectiveClassifier(LogisticRegression(), objective=MaxError(limit))
        with contextlib.suppress(UnmetError):
            model.fit(X, y)
            break
    found = model.cross_fitted_outcomes(np.random.default_rng(3))
    cases = model.value_curve_.cases
    folds = draw_folds(90, np.random.default_rng(3))
    right, answered, unmet = cases.truth == cases.predicted, np.zeros(90, dtype=bool), 0
    for fold in np.unique(folds):
        held = folds == fold
        others = RightnessPosterior().fit(cases.confidence[~held], right[~held])
        try:
            answered[held] = cases.confidence[held] >= expected_best(others, MaxError(limit))
        except UnmetError:
            unmet += 1
    assert 0 < unmet < len(np.unique(folds))
    assert (found.right, found.wrong) == ((answered & right).sum(), (answered & ~right).sum())
    assert found.total == 90
