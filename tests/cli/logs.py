"""Logs for `askpoint value`, and what plain Python makes of them without a line of askpoint."""

from __future__ import annotations

import math
import random
from collections import Counter
from fractions import Fraction

import pytest

KEYS = {
    "n_items",
    "n_unlabelled",
    "accuracy",
    "classes",
    "threshold",
    "expected",
    "decided",
    "reasons",
    "recommended",
    "hindsight",
    "ask_all",
    "answer_all",
    "current",
    "models",
    "comparison",
}
CLASSES = ("ham", "spam")
GOOD = [
    {"label": "ham", "proba_ham": 0.875, "proba_spam": 0.125},
    {"label": "spam", "proba_ham": 0.25, "proba_spam": 0.75},
    {"label": "ham", "proba_ham": 0.375, "proba_spam": 0.625},
]


def make_log(n=60, seed=0, *, labelled=1.0, groups=(), models=()):
    """A log whose probabilities are multiples of 1/32: exact, and full of ties."""
    rng = random.Random(seed)
    rows = []
    for model in models or [None]:
        for i in range(n):
            spam = rng.randint(0, 32) / 32
            slope = 1.2 if model == "sharp" else 0.95
            right = rng.random() < 0.5 + slope * abs(spam - 0.5)
            truth = CLASSES[(spam > 0.5) == right]
            row = {"id": i, "label": truth if rng.random() < labelled else ""}
            row |= {"proba_ham": 1 - spam, "proba_spam": spam}
            row |= {"region": groups[i % len(groups)]} if groups else {}
            row |= {"model": model} if model else {}
            rows.append(row)
    return rows


def confidence(row):
    return Fraction(max(row["proba_ham"], row["proba_spam"]))


def is_right(row):
    return row["label"] == CLASSES[row["proba_spam"] > row["proba_ham"]]


def alike(_):
    return 1


def outcomes(rows, threshold, weight=alike):
    """Weights of right, wrong and asked cases."""
    counted = Counter()
    for row in rows:
        kind = "asked" if confidence(row) < threshold else "right" if is_right(row) else "wrong"
        counted[kind] += weight(row)
    return counted["right"], counted["wrong"], counted["asked"]


def best_threshold(rows, omega, weight=alike):
    """The threshold of greatest value; on a tie the one that asks more."""

    def value(threshold):
        right, wrong, _ = outcomes(rows, threshold, weight)
        return right - omega * wrong

    return max({math.inf, *map(confidence, rows)}, key=lambda t: (value(t), t))


def answered(rows, threshold):
    """Which rows a threshold answers; None answers none."""
    return [threshold is not None and confidence(row) >= Fraction(threshold) for row in rows]


def close(value):
    return pytest.approx(float(value), rel=1e-12, abs=1e-12)


def policy(content, name):
    (found,) = [b for b in content["hindsight"]["baselines"] if b["name"] == name]
    return found
