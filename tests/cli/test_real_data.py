"""`askpoint value` on real data sets, with classifiers trained there."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

SETS = {
    "german": RandomForestClassifier(30, random_state=0),
    "car": DecisionTreeClassifier(min_samples_leaf=3, random_state=0),  # many ties
    "letter": GaussianNB(),  # 26 classes, confidences near 1
    "satimage": KNeighborsClassifier(5),
    "splice": LogisticRegression(max_iter=200),
}


@pytest.fixture(scope="module")
def logs(data):
    """Return a function: labels, classes and probabilities of a classifier on unseen cases."""

    def make(name, model, rows=6000):
        frame = pl.read_csv(
            data / "uci" / f"{name}.csv.gz", null_values="", infer_schema_length=None
        )
        frame = frame.sample(min(rows, frame.height), shuffle=True, seed=1)
        features = frame.drop("class")
        texts = features.select(pl.selectors.string()).columns
        x = features.to_dummies(texts).fill_null(0).cast(pl.Float64).to_numpy()
        y = frame["class"].cast(str).to_numpy()
        half = len(y) // 2
        mean, spread = x[:half].mean(axis=0), x[:half].std(axis=0) + 1e-9
        model.fit((x[:half] - mean) / spread, y[:half])
        return y[half:], model.classes_, model.predict_proba((x[half:] - mean) / spread)

    return make


def written(shell, labels, classes, p, **columns):
    scores = {f"proba_{name}": p[:, j] for j, name in enumerate(classes)}
    path = shell.folder / "log.parquet"
    pl.DataFrame({"label": list(labels), **scores, **columns}).write_parquet(path)
    return path


@pytest.mark.parametrize("name", SETS)
def test_a_threshold_that_no_other_beats_and_that_holds_on_new_cases(name, shell, logs):
    labels, classes, p = logs(name, SETS[name])
    confidence, right = p.max(axis=1), classes[p.argmax(axis=1)] == labels
    half = len(labels) // 2
    log = written(shell, labels[:half], classes, p[:half])
    content = shell.answer(log, "--rho", 0.1)
    assert content["n_items"] == half
    assert content["classes"] == classes.tolist()
    assert content["accuracy"] == pytest.approx(right[:half].mean())

    def profit(threshold, rows):
        answered = confidence[rows] >= threshold
        return (right[rows] & answered).mean() + 0.9 * (~answered).mean()

    seen, unseen = slice(None, half), slice(half, None)
    every = [np.inf, *np.unique(confidence[seen])]
    best = max(profit(t, seen) for t in every[:: max(len(every) // 400, 1)])
    best_here = content["hindsight"]["rule"]["threshold"]
    threshold = np.inf if best_here is None else best_here
    assert content["hindsight"]["expected_profit"]["estimate"] == pytest.approx(
        profit(threshold, seen)
    )
    assert content["hindsight"]["expected_profit"]["estimate"] >= best - 1e-12
    assert 1 - content["hindsight"]["asked"]["share"] == pytest.approx(
        (confidence[seen] >= threshold).mean()
    )
    band = content["hindsight"]["expected_profit"]["band_half_width"]
    assert (
        abs(profit(threshold, unseen) - content["hindsight"]["expected_profit"]["estimate"])
        < 2 * band
    )
    costs = {b["name"]: b["cost_per_1000"] for b in content["hindsight"]["baselines"]}
    assert costs["threshold"] == pytest.approx(
        10_000 * (1 - content["hindsight"]["expected_profit"]["estimate"])
    )
    assert costs["upper_limit"] <= costs["threshold"] <= min(costs["ask_all"], costs["answer_all"])
    text = shell.said("value", log, "--rho", 0.1)
    assert "one mistake is worth 10 checks" in text


def test_a_page_of_26_classes(shell, logs):
    labels, classes, p = logs("letter", SETS["letter"])
    page = shell.folder / "page.html"
    shell.said("value", written(shell, labels, classes, p), "--max-error", 0.05, "--html", page)
    assert page.stat().st_size < 2_000_000


def test_labels_only_where_the_model_was_unsure(shell, logs):
    labels, classes, p = logs("adult", LogisticRegression(max_iter=200), rows=12_000)
    confidence = p.max(axis=1)
    right = classes[p.argmax(axis=1)] == labels
    unsure = confidence < 0.8
    seen = np.where(unsure, labels, None)
    refused = shell.answer(written(shell, seen, classes, p))
    assert refused["threshold"] is None
    assert "where no case has a label" in refused["reasons"]["threshold"]
    # who looked at a few of the sure ones, and knows how many, gets an answer that is true
    chance = np.where(unsure, 1.0, 0.15)
    looked = np.random.default_rng(0).random(len(labels)) < chance
    log = written(shell, np.where(looked, labels, None), classes, p, chance=chance)
    assert shell.answer(log)["threshold"] is None
    content = shell.answer(log, "--propensity", "chance", "--rho", 0.1)
    answered = confidence >= content["threshold"]
    truth = 1 - right[answered].mean()
    low, high = content["hindsight"]["risk"]["interval"]
    assert low < truth < high
    assert content["accuracy"] == pytest.approx(right.mean(), abs=0.02)
    naive = right[looked].mean()  # labels as they come make the model look worse than it is
    assert abs(naive - right.mean()) > 3 * abs(content["accuracy"] - right.mean())
