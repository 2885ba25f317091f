"""What learning again from the asked cases brings, on cases that no model has seen.

    python benchmarks/bench_relearning.py [RUNS]

Each run draws training cases, a stream of 3,000 cases of which the model asks the hard ones, and
20,000 new cases; value per case at rho = 0.2 (five checks worth a mistake).
"""

from __future__ import annotations

import sys

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from askpoint import CheckCost, SelectiveClassifier, relearn

RHO = 0.2


def stream(rng, n):
    X = rng.uniform(-2, 2, (n, 2))
    chance = 1 / (1 + np.exp(-4 * (X[:, 0] * X[:, 1])))
    return X, (rng.random(n) < chance).astype(int)


class Squares:
    """A model on the features, their squares and their product."""

    def fit(self, X, y, sample_weight=None):  # noqa: D102
        return super().fit(np.c_[X, X**2, X[:, 0] * X[:, 1]], y, sample_weight)

    def predict_proba(self, X):  # noqa: D102
        return super().predict_proba(np.c_[X, X**2, X[:, 0] * X[:, 1]])


class Classes(Squares, GaussianNB):
    """A model of the classes."""


class Border(Squares, LogisticRegression):
    """A model of the border between them."""


def worth(model, X, y):
    return model.decide(X).outcomes(y).value(1 / RHO - 1)


def one_run(seed, estimator, size):
    rng = np.random.default_rng(seed)
    X, y = stream(rng, size)
    model = SelectiveClassifier(estimator, objective=CheckCost(RHO)).fit(X, y)
    more, labels = stream(rng, 3000)
    asked = model.decide(more).asked
    new = stream(rng, 20000)
    share = asked.mean()
    again = [
        relearn(model, X, y, more[asked], labels[asked], share_asked=share, correct=correct)
        for correct in (True, False)
    ]
    return [worth(m, *new) for m in (model, *again)]


def main(runs):
    print(f"value per case at rho {RHO:g}, mean of {runs} runs; gain against before, 95%")
    for name, estimator, size in (
        ("naive Bayes", Classes(), 600),
        ("logistic regression", Border(), 120),
    ):
        found = np.array([one_run(seed, estimator, size) for seed in range(runs)])
        before = found[:, 0]
        print(f"{name}, {size} training cases: before {before.mean():.4f}")
        for kind, after in zip(("corrected", "plain"), found.T[1:], strict=True):
            gain = after - before
            half = 1.96 * gain.std(ddof=1) / np.sqrt(runs)
            print(f"  {kind:10} {after.mean():.4f}   gain {gain.mean():+.4f} +- {half:.4f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 120)
