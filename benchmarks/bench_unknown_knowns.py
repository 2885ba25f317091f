"""Regions released from checks: is the limit kept on new cases, and how many checks are saved?

Each UCI set of 2,000 rows or more, three models learned on a sixth of the rows, a log of the half of the others,
new cases from the rest. Beside it the honest rival, that needs no columns: from the surest of the unsure cases down, a
fixed sequence of ten shares, each tested at the limit, ends at the first that fails. Two arguments: limit and repeats.
"""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from real_logs import FAMILIES, sets
from scipy import special
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

from askpoint.errors import NotEstimableError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.unknowns.unknown_knowns import find_unknown_knowns

LEAST_ROWS = 2000
ALPHA = 0.05
MODELS = {
    "naive Bayes": GaussianNB,
    "logistic, much regularised": lambda: LogisticRegression(C=0.003, max_iter=500),
    "boosting, 5 trees": lambda: HistGradientBoostingClassifier(max_iter=5, random_state=0),
}


def table(name):
    frame = pd.read_csv(
        Path(os.environ["ASKPOINT_DATA"], "uci", f"{name}.csv.gz"), keep_default_na=False
    )
    return frame.drop(columns="class"), frame["class"].astype(str).to_numpy()


def predict(make, frame, target, train):
    """Probabilities of all rows by a model of some."""
    numbers = frame.select_dtypes("number").columns
    words = frame.columns.difference(numbers)
    coder = (
        OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
        if make is MODELS["boosting, 5 trees"]
        else OneHotEncoder(handle_unknown="ignore", sparse_output=False, max_categories=20)
    )
    model = make_pipeline(
        make_column_transformer((StandardScaler(), numbers), (coder, list(words))), make()
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(frame.iloc[train], target[train])
        return model.predict_proba(frame), model.classes_


def rival(confidence, wrong, limit):
    """The lowest confidence from which unsure cases are released, or infinity."""
    order = np.argsort(-confidence, kind="stable")
    lowest = np.inf
    for share in np.arange(1, 11) / 10:
        rows = order[: int(share * len(order))]
        if special.bdtr(wrong[rows].sum(), len(rows), limit) > ALPHA:
            break
        lowest = confidence[rows[-1]]
    return lowest


def columns_of(frame, confidence, rows):
    columns = {name: frame[name].to_numpy()[rows] for name in frame.columns}
    return columns | {"confidence": confidence[rows]}


def run(name, model, limit, seed):
    """Unsure, released and wrong new cases, ours and the rival's; None where too few are unsure."""
    frame, target = table(name)
    order = np.random.default_rng(seed).permutation(len(target))
    train, log, new = np.split(order, [len(order) // 6, len(order) * 7 // 12])
    proba, classes = predict(MODELS[model], frame, target, train)
    known = np.isin(target, classes)
    log, new = log[known[log]], new[known[new]]
    decided = classes[proba.argmax(axis=1)]
    confidence, wrong = proba.max(axis=1), (decided != target).astype(float)
    unsure = confidence < 1 - limit  # a policy of that price asks about these
    costs = CostMatrix.zero_one([str(one) for one in classes])
    try:
        found = find_unknown_knowns(
            proba[log], costs, decided[log], target[log], np.random.default_rng(seed),
            limit=limit, columns=columns_of(frame, confidence, log), estimated_bound=limit, alpha=ALPHA,
        )  # fmt: skip
    except NotEstimableError:
        return None
    released = np.zeros(len(new), dtype=bool)
    for one in found.certified:
        released[one.holds(columns_of(frame, confidence, new), {})] = True
    released &= unsure[new]
    known_log = log[unsure[log]]
    lowest = rival(confidence[known_log], wrong[known_log], limit)
    by_confidence = unsure[new] & (confidence[new] >= lowest)
    return (
        int(unsure[new].sum()), int(released.sum()), int(wrong[new][released].sum()),
        int(by_confidence.sum()), int(wrong[new][by_confidence].sum()),
        int((released | by_confidence).sum()),
    )  # fmt: skip


def main():
    limit = float(sys.argv[1]) if len(sys.argv) > 1 else 0.05
    repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    names = [name for name in sets() if len(table(name)[1]) >= LEAST_ROWS and name not in FAMILIES]
    print(f"limit {limit:g}, {repeats} repeats, sets: {', '.join(names)}")
    print(
        "| model | runs | with a release | unsure released | of them wrong | above the limit | rival: released | wrong | above | both |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for model in MODELS:
        rows = [
            run(name, model, limit, seed) for name in names for seed in range(100, 100 + repeats)
        ]
        made = np.array([row for row in rows if row is not None])
        unsure, ours, bad, other, other_bad, both = made.sum(axis=0)
        # a run is above the limit where its new cases are, beyond their own luck
        broken = [
            sum(special.bdtrc(row[k + 1] - 1, row[k], limit) < 0.05 for row in made if row[k])
            for k in (1, 3)
        ]
        print(
            f"| {model} | {len(made)} | {(made[:, 1] > 0).sum()} | {ours / unsure:.3f} | "
            f"{bad / max(ours, 1):.4f} | {broken[0]} | {other / unsure:.3f} | "
            f"{other_bad / max(other, 1):.4f} | {broken[1]} | {both / unsure:.3f} |"
        )


if __name__ == "__main__":
    main()
