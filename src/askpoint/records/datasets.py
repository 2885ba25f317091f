"""Real data that scikit-learn ships, as logs of honest predictions: the demo's input."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

__all__ = ["breast_cancer_log", "digits_log", "digits_votes"]


def _log(y: Any, names: list[str], proba: Any) -> pl.DataFrame:
    columns = {f"proba_{name}": proba[:, j] for j, name in enumerate(names)}
    labels = np.asarray(names, dtype=object)[y].tolist()
    return pl.DataFrame({"id": np.arange(len(y)), "label": labels, **columns})


def breast_cancer_log() -> pl.DataFrame:
    """Out-of-fold predictions of a logistic regression on 569 biopsies.

    References
    ----------
    Breast Cancer Wisconsin (Diagnostic), UCI repository, as shipped with scikit-learn.
    """
    from sklearn.datasets import load_breast_cancer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    data = load_breast_cancer()
    model = make_pipeline(StandardScaler(), LogisticRegression())
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    proba = cross_val_predict(model, data.data, data.target, cv=folds, method="predict_proba")
    return _log(data.target, [str(name) for name in data.target_names], proba)


def digits_log() -> pl.DataFrame:
    """Out-of-fold predictions of two models on 1,797 handwritten digits, in long form.

    References
    ----------
    Optical Recognition of Handwritten Digits, UCI repository, as shipped with scikit-learn.
    """
    from sklearn.datasets import load_digits
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
    from sklearn.naive_bayes import GaussianNB

    data = load_digits()
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    models = {
        "naive Bayes": GaussianNB(var_smoothing=1e-3),
        "random forest": RandomForestClassifier(100, random_state=0),
    }
    names = [str(name) for name in data.target_names]
    logs = []
    for name, model in models.items():
        proba = cross_val_predict(model, data.data, data.target, cv=folds, method="predict_proba")
        logs.append(_log(data.target, names, proba).with_columns(model=pl.lit(name)))
    return pl.concat(logs)


def digits_votes() -> pl.DataFrame:
    """Out-of-fold votes of three judges, each of whom sees another part of 1,797 digits.

    They say whether a handwritten digit has a closed loop (0, 6, 8, 9): logistic regressions on
    the upper, the middle and the lower rows of the picture, which share no feature.

    References
    ----------
    Optical Recognition of Handwritten Digits, UCI repository, as shipped with scikit-learn.
    """
    from sklearn.datasets import load_digits
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    data = load_digits()
    truth = np.where(np.isin(data.target, [0, 6, 8, 9]), "loop", "none")
    rows = {"upper": slice(0, 3), "middle": slice(3, 5), "lower": slice(5, 8)}
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    model = make_pipeline(StandardScaler(), LogisticRegression())
    votes = {
        name: cross_val_predict(
            model, data.images[:, part].reshape(len(truth), -1), truth, cv=folds
        ).tolist()
        for name, part in rows.items()
    }
    tasks = [f"digit {i}" for i in range(len(truth))]
    return pl.DataFrame({"task": tasks, **votes, "truth": truth.tolist()})
