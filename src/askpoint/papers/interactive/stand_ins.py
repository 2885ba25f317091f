"""What stands in for Weka's six classifiers where there is no Java: scikit-learn's, and two of ours."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from askpoint.measures.inputs import BoolArray, FloatArray, IntArray
from askpoint.papers.interactive.bayes_net import BayesNet
from askpoint.papers.interactive.neighbours import neighbour_posteriors
from askpoint.papers.interactive.nominal_sets import NominalSet

__all__ = ["CLASSIFIERS", "stand_in_posteriors"]

CLASSIFIERS = ("HC", "IBk", "J48", "LOG", "MP", "NB")
"""As the paper calls them, in its order."""

_BATCH, _STEPS = 50, 3000
_RIDGE = 1e-8  # Weka's, on standardised columns
_NEWTON = 1300  # weights, above which a step by the matrix of second derivatives takes too long


def stand_in_posteriors(
    classifier: str,
    prepared: NominalSet,
    train: IntArray,
    test: IntArray,
    rng: np.random.Generator,
) -> tuple[FloatArray, FloatArray]:
    """Train on some rows; return the class probabilities of these, and of others."""
    codes, y, k = prepared.codes, prepared.y, prepared.n_classes
    if classifier == "HC":
        table = np.column_stack([codes[train], y[train]])
        net = BayesNet(table, (*prepared.n_values, k))
        return net.posteriors(codes[train]), net.posteriors(codes[test])
    if classifier == "IBk":
        known = codes[train], y[train], k
        return neighbour_posteriors(*known, codes[train]), neighbour_posteriors(*known, codes[test])
    if classifier == "NB":
        return _fit_and_predict(_naive_bayes(prepared, train), codes, prepared, train, test)
    model = {"J48": _tree, "LOG": _logistic, "MP": _network}[classifier](prepared, rng)
    return _fit_and_predict(model, _one_hot(prepared), prepared, train, test)


def _fit_and_predict(
    model: Any, x: IntArray | FloatArray, prepared: NominalSet, train: IntArray, test: IntArray
) -> tuple[FloatArray, FloatArray]:
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # that iterations ended: the paper's networks stop after 500
        model.fit(x[train], prepared.y[train])
    posteriors = []
    for rows in (train, test):  # a class that no training row has gets no probability
        p = np.zeros((len(rows), prepared.n_classes))
        p[:, model.classes_] = model.predict_proba(x[rows])
        posteriors.append(p)
    return posteriors[0], posteriors[1]


def _one_hot(prepared: NominalSet) -> FloatArray:
    """A column for each value; one for an attribute of two values."""
    columns: list[BoolArray] = []
    for column, n in zip(prepared.codes.T, prepared.n_values, strict=True):
        values = range(1, n) if n == 2 else range(n)
        columns.extend(column == value for value in values)
    return np.column_stack(columns).astype(np.float64)


def _naive_bayes(prepared: NominalSet, train: IntArray) -> Any:
    from sklearn.naive_bayes import CategoricalNB

    counts = np.bincount(prepared.y[train], minlength=prepared.n_classes)
    prior = (counts[counts > 0] + 1) / (counts + 1).sum()  # smoothed, as Weka's
    return CategoricalNB(alpha=1, min_categories=prepared.n_values, class_prior=prior)


def _tree(prepared: NominalSet, rng: np.random.Generator) -> Any:
    from sklearn.tree import DecisionTreeClassifier

    del prepared
    return DecisionTreeClassifier(
        criterion="entropy", min_samples_leaf=2, random_state=int(rng.integers(2**31))
    )


def _logistic(prepared: NominalSet, rng: np.random.Generator) -> Any:
    """Weka's optimum: where classes can be separated it lies far out, so no step may be spared."""
    from sklearn.feature_selection import VarianceThreshold
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    del rng
    weights = sum(prepared.n_values) * (prepared.n_classes if prepared.n_classes > 2 else 1)
    solver = "newton-cholesky" if weights <= _NEWTON else "lbfgs"
    model = LogisticRegression(C=1 / (2 * _RIDGE), solver=solver, tol=1e-9, max_iter=1000)
    return make_pipeline(VarianceThreshold(), StandardScaler(), model)


def _network(prepared: NominalSet, rng: np.random.Generator) -> Any:
    from sklearn.neural_network import MLPClassifier

    inputs = sum(1 if n == 2 else n for n in prepared.n_values)
    epochs = int(np.clip(_STEPS * _BATCH / len(prepared.y), 20, 500))
    return MLPClassifier(
        ((inputs + prepared.n_classes) // 2,),
        learning_rate_init=0.005,
        batch_size=_BATCH,
        max_iter=epochs,
        random_state=int(rng.integers(2**31)),
    )
