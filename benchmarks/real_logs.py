"""Logs of real classifiers on the shared data sets: what the benchmarks of tomorrow's cost read.

Each set is learned by five models on at most 1,000 rows or a third of them; the log is what they
say of the rest. Sets that hold the same rows, or rows of the same source, are of one family, and
a family lies wholly in the half on which constants are chosen or wholly in the other.
"""

from __future__ import annotations

import os
import tempfile
import warnings
from pathlib import Path
from typing import NamedTuple

import numpy as np

MODELS = ("logistic", "naive Bayes", "boosting", "forest", "network")
FAMILIES = {
    "pima": "diabetes",
    "crx": "australian",
    "DNA-nominal": "splice",
    "glass2": "glass",
    "cleve": "heart",
}
MOST_TRAINED = 1000


class Log(NamedTuple):
    """What one model said of the rows that it was not trained on."""

    name: str
    model: str
    confidence: np.ndarray
    right: np.ndarray


def _model(name, seed):
    from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neural_network import MLPClassifier

    return {
        "logistic": lambda: LogisticRegression(max_iter=500),
        "naive Bayes": GaussianNB,
        "boosting": lambda: HistGradientBoostingClassifier(max_iter=60, random_state=seed),
        "forest": lambda: RandomForestClassifier(100, min_samples_leaf=2, random_state=seed),
        "network": lambda: MLPClassifier((32,), max_iter=200, random_state=seed),
    }[name]()


def _table(path):
    """Features as numbers, standardised; the class as codes."""
    import pandas as pd
    from sklearn.preprocessing import StandardScaler

    frame = pd.read_csv(path, keep_default_na=False, na_values=[""])
    if path.name.startswith("breast"):
        frame = frame.drop(columns="Sample_code_number")
    target = frame.pop("class")
    if path.name.startswith(("mushroom", "vote")):
        frame = frame.astype(object).fillna("missing")
    whole = frame.notna().all(axis=1)
    frame, target = frame[whole], target[whole]
    numbers = frame.select_dtypes("number")
    texts = frame.drop(columns=numbers.columns).astype(str)
    if len(texts.columns):
        numbers = numbers.join(pd.get_dummies(texts))
    features = numbers.to_numpy(np.float64)
    return StandardScaler().fit_transform(features), target.astype("category").cat.codes.to_numpy()


def sets():
    """Names of the 31 sets, in order."""
    folder = Path(os.environ["ASKPOINT_DATA"], "uci")
    return sorted(path.name.removesuffix(".csv.gz") for path in folder.glob("*.csv.gz"))


def half(name):
    """0 for the sets on which constants are chosen, 1 for those from which figures are made."""
    families = sorted({FAMILIES.get(other, other) for other in sets()})
    return families.index(FAMILIES.get(name, name)) % 2


def log(name, model, seed=20261122):
    """The log of one model on one set; kept on disk, for training takes longer than reading."""
    folder = Path(tempfile.gettempdir(), "askpoint-real-logs")
    kept = folder / f"{name}-{model.replace(' ', '-')}-{seed}.npz"
    if not kept.exists():
        folder.mkdir(exist_ok=True)
        np.savez_compressed(kept, **_made(name, model, seed))
    with np.load(kept) as arrays:
        return Log(name, model, arrays["confidence"], arrays["right"])


def _made(name, model, seed):
    features, target = _table(Path(os.environ["ASKPOINT_DATA"], "uci", f"{name}.csv.gz"))
    order = np.random.default_rng(seed).permutation(len(target))
    cut = min(MOST_TRAINED, len(order) // 3)
    train, rest = order[:cut], order[cut:]
    learner = _model(model, seed % 2**31)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        probabilities = learner.fit(features[train], target[train]).predict_proba(features[rest])
    predicted = learner.classes_[probabilities.argmax(axis=1)]
    return {"confidence": probabilities.max(axis=1), "right": predicted == target[rest]}


if __name__ == "__main__":
    for name in sets():
        for model in MODELS:
            made = log(name, model)
            print(
                f"{half(name)} {name:16} {model:12} {len(made.right):6} rows, "
                f"{made.right.mean():.3f} right, {made.confidence.mean():.3f} sure"
            )
