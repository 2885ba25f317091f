"""The demo's logistic regression beside scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from askpoint.records.softmax_regression import fit_softmax


@pytest.mark.parametrize("C", [100, 0.5])
def test_it_is_the_model_that_scikit_learn_fits(C):
    rng = np.random.default_rng(0)
    cases = rng.uniform(size=(200, 6))
    truth = np.array(["ab", "c", "d"])[(cases[:, :3] + rng.normal(0, 0.2, (200, 3))).argmax(axis=1)]
    ours = fit_softmax(cases, truth, C=C, max_iter=1000)
    theirs = LogisticRegression(C=C, max_iter=1000)
    theirs.fit(cases, truth)
    assert ours.classes.tolist() == theirs.classes_.tolist()
    assert ours.weights[:, :-1] == pytest.approx(theirs.coef_, abs=1e-8)
    assert ours.weights[:, -1] == pytest.approx(theirs.intercept_, abs=1e-8)
    unseen = rng.uniform(size=(50, 6))
    assert ours.predict_proba(unseen) == pytest.approx(theirs.predict_proba(unseen), abs=1e-8)
    assert ours.predict(unseen).tolist() == theirs.predict(unseen).tolist()
