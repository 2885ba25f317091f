"""A limit on a class is kept by the cases that follow, and where it is not known that is said."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from askpoint import InputError, MinPrecision, MinRecall, answer_value, read_log


def world(n, n_labelled):
    """A calibrated model of two classes with labels for the first rows; the truth of all."""
    rng = np.random.default_rng(5)
    p = rng.beta(0.8, 0.8, n)
    truth = rng.random(n) < p
    label = ["yes" if t else "no" for t in truth[:n_labelled]] + [None] * (n - n_labelled)
    frame = pl.DataFrame({"label": label, "proba_no": 1 - p, "proba_yes": p})
    return read_log(frame), p, truth


def test_precision_and_recall_are_kept_on_all_cases():
    log, p, truth = world(20_000, 3000)
    precise = answer_value(log, MinPrecision("yes", 0.95), labels_are_random=True).tomorrow.best
    answered = np.maximum(p, 1 - p) >= precise.threshold
    assert precise.decided
    assert 0.94 < truth[answered & (p >= 0.5)].mean() < 0.985
    recalled = answer_value(log, MinRecall("yes", 0.95), labels_are_random=True).tomorrow.best
    answered = np.maximum(p, 1 - p) >= recalled.threshold
    lost = answered & (p < 0.5) & truth
    assert recalled.decided
    assert 0.94 < 1 - lost.sum() / truth.sum() < 0.985
    assert recalled.asked.mean == pytest.approx(1 - answered.mean(), abs=1e-6)


def test_a_class_with_few_labels_is_not_known():
    log, *_ = world(400, 12)
    said = answer_value(log, MinPrecision("yes", 0.9), labels_are_random=True)
    assert said.tomorrow is None
    assert "label 10 of them" in str(said.refusal)
    with pytest.raises(InputError, match="'maybe' is not among the classes"):
        answer_value(log, MinRecall("maybe", 0.9), labels_are_random=True)
