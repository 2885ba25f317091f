"""Objectives on single classes, answered for new cases or refused."""

from __future__ import annotations

import math

import numpy as np
import pytest

from askpoint.errors import InputError, NotEstimableError
from askpoint.value.by_class import MinPrecision, MinRecall
from askpoint.value.posterior.by_class import ClassifiedCases, by_costs, by_precision, by_recall


def world(rng, n, n_labelled):
    """A calibrated model of two classes; labels for the first rows."""
    p = rng.beta(0.8, 0.8, n)
    truth = (rng.random(n) < p).astype(int)
    predicted = (p >= 0.5).astype(int)
    shown = np.where(np.arange(n) < n_labelled, truth, -1)
    cases = ClassifiedCases(("no", "yes"), np.maximum(p, 1 - p), predicted, shown)
    return cases, p, truth


def test_precision_and_recall_are_kept_on_all_cases(rng):
    cases, _, truth = world(rng, 40_000, 3000)
    precise = by_precision(cases, MinPrecision("yes", 0.95), rng)
    answered = cases.confidence >= precise.threshold
    yes = answered & (cases.predicted == 1)
    assert precise.decided
    assert 0.94 < truth[yes].mean() < 0.985
    assert precise.level == pytest.approx(truth[yes].mean(), abs=0.015)
    recalled = by_recall(cases, MinRecall("yes", 0.95), rng)
    lost = (cases.confidence >= recalled.threshold) & (cases.predicted == 0) & (truth == 1)
    assert recalled.decided
    assert 0.94 < 1 - lost.sum() / (truth == 1).sum() < 0.985
    assert recalled.coverage == pytest.approx((cases.confidence >= recalled.threshold).mean())


def test_few_labels_leave_it_open(rng):
    cases, *_ = world(rng, 4000, 60)
    open_question = by_precision(cases, MinPrecision("yes", 0.999), rng)
    assert not open_question.decided or open_question.threshold == math.inf
    assert by_precision(cases, MinPrecision("yes", 0.1), rng).threshold == -math.inf


def test_a_class_that_is_never_answered_has_nothing_to_lose(rng):
    cases, *_ = world(rng, 500, 400)
    only_no = ClassifiedCases(
        cases.classes, cases.confidence, np.zeros(500, dtype=int), cases.truth
    )
    assert by_precision(only_no, MinPrecision("yes", 0.9), rng).level is None
    assert by_recall(only_no, MinRecall("no", 0.9), rng).level == 1
    strict = by_recall(only_no, MinRecall("yes", 0.99), rng)
    assert strict.coverage < 0.2
    assert list(by_costs(only_no, [[0, 5], [20, 0]], 1, rng)) == ["no"]


def test_costs_give_each_class_its_own_threshold(rng):
    cases, *_ = world(rng, 40_000, 5000)
    found = by_costs(cases, [[0, 5], [20, 0]], 1, rng)
    assert found["yes"] == pytest.approx(0.8, abs=0.04)  # 5 (1 - q) < 1
    assert found["no"] == pytest.approx(0.95, abs=0.03)  # 20 (1 - q) < 1
    assert by_costs(cases, [[9, 9], [9, 9]], 1, rng) == {"no": math.inf, "yes": math.inf}


def test_too_few_labels_and_odd_input_are_refused(rng):
    cases, *_ = world(rng, 500, 8)
    with pytest.raises(
        NotEstimableError, match="of the cases answered 'yes' have labels; label 10"
    ):
        by_precision(cases, MinPrecision("yes", 0.9), rng)
    with pytest.raises(InputError, match="'maybe' is not among the classes 'no', 'yes'"):
        by_recall(cases, MinRecall("maybe", 0.9), rng)
    with pytest.raises(InputError, match="one row and one column for each of 2 classes"):
        by_costs(cases, [[0.0]], 1, rng)
