"""Tables that hold no cases: summaries, confusion matrices, logs of training, forecasts, training data."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from askpoint.records.label_words import spelling_key
from askpoint.records.readers.evidence.columns import Column

__all__ = ["what_it_is"]

_CALLED = {"precision", "recall", "support", "accuracy", "auc", "specificity", "sensitivity"}
_TRAINING = {"loss", "epoch", "lr", "step", "iteration", "perplexity"}


def what_it_is(columns: Sequence[Column]) -> str | None:
    """Say what a table is that holds no cases; None if it may hold some."""
    numbers = [c for c in columns if c.fact.is_number and c.fact.role not in ("id", "time")]
    if _is_confusion(columns):
        return "a confusion matrix: counts, not cases"
    words = {t for c in columns for t in c.tokens}
    if _is_report(numbers) or len(words & _CALLED) >= 2:
        return "a summary with a row for each class or model: figures, not cases"
    if any(c.is_label and not c.fact.is_number for c in columns):
        return None
    if numbers and len(numbers) >= len(columns) - 2:
        if words & _TRAINING and _counts_up(columns):
            return "a log of training: one row per epoch or step, no cases"
        if any(c.fact.role == "time" for c in columns) and not any(c.is_label for c in numbers):
            return "a series of numbers over time, such as a forecast: no classes"
        bounds = {"lower", "upper", "low", "high"} & words
        if bounds and not any(c.is_label for c in numbers):
            return "a forecast of numbers: no classes"
    return None


def _is_confusion(columns: Sequence[Column]) -> bool:
    first, rest = columns[0], columns[1:]
    names = {spelling_key(c.name) for c in rest}
    values = {spelling_key(v) for v in first.texts.to_list() if v}
    if len(rest) < 2 or first.fact.rows > len(rest) + 2 or len(values & names) < 2:
        return False
    return len(values & names) >= min(len(values), len(names)) - 1 and all(
        c.fact.is_number for c in rest
    )


def _is_report(numbers: Sequence[Column]) -> bool:
    """Say whether one column is the harmonic mean of two others, as F1 is of precision and recall."""
    units = [c for c in numbers if c.score_scale == 1.0 and c.fact.rows <= 400]
    for mean in units[:12]:
        for a, b in combinations([c for c in units[:12] if c is not mean], 2):
            known = ~(np.isnan(a.numbers) | np.isnan(b.numbers) | np.isnan(mean.numbers))
            x, y, m = a.numbers[known], b.numbers[known], mean.numbers[known]
            if known.sum() < 2 or np.abs(x - y).max() < 0.02:
                continue
            with np.errstate(all="ignore"):
                f1 = np.where(x + y > 0, 2 * x * y / (x + y), 0)
            if np.abs(f1 - m).max() <= 0.006:
                return True
    return False


def _counts_up(columns: Sequence[Column]) -> bool:
    for column in columns:
        if column.fact.is_number and column.fact.whole:
            numbers = column.numbers
            if len(numbers) > 1 and bool((numbers[1:] > numbers[:-1]).all()):
                return True
    return False
