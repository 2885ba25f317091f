"""Rules of others for the ledger of promises, each in a few lines and by its own recommended use.

A rule takes a sample (`bench_promises.Sample`) and returns the confidence from which the model decides alone, or, where it
decides by bands, a function from confidences to what it decides alone.
"""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import TunedThresholdClassifierCV

LIMIT, DELTA = 0.05, 0.05
NEVER = np.inf
BANDS = 10


def mapie(sample):
    """MAPIE's control of precision at 95% and 95%, by its default (Bonferroni and Holm; a fixed sequence decides less).

    Confidences become ranks, for it tries a grid of shares.
    """
    from mapie.risk_control import BinaryClassificationController

    order = np.sort(sample.confidence)

    def shares(rows):
        share = np.searchsorted(order, np.ravel(rows), side="right") / len(order)
        return np.column_stack([1 - share, share])

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rule = BinaryClassificationController(
            shares, "precision", 1 - LIMIT, confidence_level=1 - DELTA
        )
        rule.calibrate(sample.confidence[:, None], sample.right.astype(int))
    share = rule.best_predict_param
    if share is None:
        return NEVER
    return order[min(max(int(np.ceil(share * len(order) - 1e-9)) - 1, 0), len(order) - 1)]


def share_within_the_limit(right, alone):
    """A score of one's own, as scikit-learn's user guide asks for: the share decided alone if few enough of it are wrong."""
    decided = np.asarray(alone) == 1
    if not decided.any():
        return 0.0
    wrong = 1 - np.asarray(right)[decided].mean()
    return decided.mean() if wrong <= LIMIT else -wrong


def tuned(sample):
    """scikit-learn's TunedThresholdClassifierCV of a logistic regression on the confidence: five folds, 100 thresholds."""
    if len(np.unique(sample.right)) == 1:
        return -NEVER if sample.right.all() else NEVER
    score = make_scorer(share_within_the_limit)
    model = TunedThresholdClassifierCV(LogisticRegression(), scoring=score, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a fold in which nothing is wrong
        model.fit(logits(sample.confidence), sample.right.astype(int))
    return lambda confidence: model.predict(logits(confidence)) == 1


def logits(confidence):
    """As a column."""
    return (np.log(confidence + 1e-9) - np.log1p(1e-9 - confidence))[:, None]


def by_bands(may_go_alone):
    """Decide each tenth of the cases by its own labels, in the order in which they came."""

    def rule(sample):
        edges = np.quantile(sample.every, np.linspace(0, 1, BANDS + 1)[1:-1])
        band = np.searchsorted(edges, sample.confidence, side="right")
        alone = np.array([may_go_alone(sample.right[band == b]) for b in range(BANDS)])
        return lambda confidence: alone[np.searchsorted(edges, confidence, side="right")]

    return rule


def ten_in_a_row(right):
    """Tell whether the last ten were right."""
    return len(right) >= 10 and right[-10:].all()


def most_of_twenty(right):
    """Tell whether at least 95% of at least 20 were right."""
    return len(right) >= 20 and right.mean() >= 0.95
