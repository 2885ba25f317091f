"""The demo's logs: real data, and predictions by models that did not see the case."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

from askpoint.records.datasets import breast_cancer_log, digits_log
from askpoint.records.logs import read_log


@pytest.fixture(scope="module")
def biopsies():
    return breast_cancer_log()


@pytest.fixture(scope="module")
def digits():
    return digits_log()


def test_biopsies_are_predicted_by_a_model_that_did_not_see_them(biopsies):
    data = load_breast_cancer()
    names = data.target_names
    assert biopsies["label"].to_list() == names[data.target].tolist()
    assert biopsies["id"].to_list() == list(range(569))
    folds = StratifiedKFold(5, shuffle=True, random_state=0).split(data.data, data.target)
    for seen, unseen in folds:
        scale = StandardScaler().fit(data.data[seen])
        model = LogisticRegression().fit(scale.transform(data.data[seen]), data.target[seen])
        p = model.predict_proba(scale.transform(data.data[unseen]))
        for j, name in enumerate(names):
            column = biopsies[f"proba_{name}"].to_numpy()
            assert column[unseen] == pytest.approx(p[:, j], abs=1e-9)


def test_digits_have_two_models_of_the_same_cases(digits):
    target = load_digits().target.astype(str)
    for _, part in digits.group_by("model"):
        assert part["label"].to_list() == target.tolist()
        assert part["id"].to_list() == list(range(1797))
    p = digits.select(pl.col("^proba_.*$")).to_numpy()
    assert np.abs(p.sum(axis=1) - 1).max() < 1e-9
    right = p.argmax(axis=1) == digits["label"].cast(int).to_numpy()
    forest = (digits["model"] == "random forest").to_numpy()
    # neither has seen its cases: a forest is right on all that it was grown on
    assert 0.75 < right[~forest].mean() < right[forest].mean() < 0.99


def test_the_reader_takes_them_as_they_are(biopsies, digits):
    log = read_log(biopsies)
    assert log.classes == ("malignant", "benign")
    assert log.n_labelled == 569
    log = read_log(digits, model="model")
    assert log.classes == tuple("0123456789")
    assert [name for name, _ in log.by_model()] == ["naive Bayes", "random forest"]
