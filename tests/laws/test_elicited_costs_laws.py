"""Costs that were elicited are costs like any other: files, thresholds and classifiers take them."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression

from askpoint.answers.elicitation.simulation import play
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.records.costs import read_costs, write_costs
from askpoint.records.logs import read_log
from askpoint.value.classifier import SelectiveClassifier
from askpoint.value.cost_curves import cost_curve


@pytest.fixture(scope="module")
def case():
    rng = np.random.default_rng(0)
    y = rng.choice(["ill", "ward", "well"], 600)
    centres = {"ill": (0.0, 2.0), "ward": (1.5, 0.5), "well": (0.0, 0.0)}
    X = np.array([centres[label] for label in y]) + rng.normal(size=(600, 2))
    model = LogisticRegression().fit(X, y)
    proba = model.predict_proba(X)
    columns = {f"p_{name}": proba[:, i] for i, name in enumerate(model.classes_)}
    session = play(
        read_log(pl.DataFrame({"label": y, **columns}), proba="p_"),
        {"ill": 30.0, "ward": 5.0, "well": 2.0},
        np.random.default_rng(1),
        n_questions=10,
        n_checks=0,
        n_omega_questions=5,
    )
    return session.costs.costs, model, X, y, proba


def test_the_file_brings_back_the_costs(case, tmp_path):
    costs = case[0]
    write_costs(costs, tmp_path / "costs.json")
    assert read_costs(tmp_path / "costs.json") == costs


def test_a_classifier_takes_them(case):
    costs, model, X, y, proba = case
    fitted = SelectiveClassifier(FrozenEstimator(model), objective=costs).fit(X, y)
    chosen = cost_curve(y, proba, costs).choose()
    assert fitted.decide(X).outcomes(y) == chosen.outcomes


def test_another_unit_or_order_decides_alike(case):
    costs, _, _, y, proba = case
    chosen = cost_curve(y, proba, costs).choose().outcomes
    assert cost_curve(y, proba, costs.scale(250.0, "EUR")).choose().outcomes == chosen
    order = [2, 0, 1]
    turned = costs.reorder([costs.classes[i] for i in order])
    assert cost_curve(y, proba[:, order], turned).choose().outcomes == chosen
    assert CostMatrix.from_json(turned.to_json()).reorder(costs.classes) == costs
