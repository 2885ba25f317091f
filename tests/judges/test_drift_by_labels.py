"""Drift by the labels of two periods: found where a judge changed, whatever the items do."""

from __future__ import annotations

import numpy as np
import pytest

from askpoint.errors import InputError, NotEstimableError
from askpoint.judges.checks.drift_by_labels import drift_with_labels
from askpoint.judges.gold.gold_sketch import GoldSketch
from askpoint.judges.sketch.vote_sketch import VoteSketch

LABELS = ["pass", "fail", "unsure"]
PANEL = [(0.9, 0.8), (0.8, 0.7)]


def period(rng, prevalence, accuracy, n=600, labels=100):
    """Two judges only, who share half of their errors; some items labelled at random."""
    truth = (rng.random(n) >= prevalence).astype(int)
    common = rng.random((n, 1))
    draws = np.where(rng.random((n, 1)) < 0.5, common, rng.random((n, len(accuracy))))
    votes = np.where(draws < np.array(accuracy)[:, truth].T, truth[:, None], 1 - truth[:, None])
    sketch = VoteSketch(len(accuracy), LABELS[:2])
    sketch.update_codes(votes)
    gold = GoldSketch(len(accuracy), LABELS[:2])
    gold.update_codes(votes[:labels], truth[:labels])
    return sketch, gold


def judged(rng, *periods, **more):
    return tuple(zip(*(period(rng, *one, **more) for one in periods), strict=True))


def test_a_judge_who_changed_is_found_though_two_judges_share_their_errors(rng):
    lenient = [(0.95, 0.2), PANEL[1]]
    drift = drift_with_labels(*judged(rng, (0.6, PANEL), (0.4, lenient)), planned=1)
    assert drift.alarms == ("judge 1",)
    found = drift.judges["judge 1"]
    assert found.since == 600
    assert found.before["fail"] == pytest.approx(0.8, abs=0.15)
    assert found.after["fail"] == pytest.approx(0.2, abs=0.15)


def test_items_that_change_are_no_drift(rng):
    alarms = [
        drift_with_labels(*judged(rng, (0.8, PANEL), (0.3, PANEL), n=300), planned=1).alarms
        for _ in range(30)
    ]
    assert sum(map(bool, alarms)) <= 5  # more has a probability below .003 at .05


def test_only_periods_with_enough_labels_are_compared(rng):
    parts = [period(rng, 0.5, PANEL, 200, n) for n in (30, 0, 30, 5)]
    drift = drift_with_labels(*zip(*parts, strict=True))
    assert {one.since for one in drift.judges.values()} == {400}  # not the last quarter
    assert drift.level == pytest.approx(0.05 * 0.608 / 9)
    with pytest.raises(NotEstimableError, match="20 labelled items before and as many since"):
        drift_with_labels(*zip(*parts[:2], strict=True))


def test_who_never_voted_on_a_label_in_a_period_has_no_answer():
    sketches, golds = [], []
    for votes, truth in (([[0, -1], [0, 1]], [0, 1]), ([[0, 0], [0, -1]], [0, 0])):
        sketch, gold = VoteSketch(2, LABELS), GoldSketch(2, LABELS)
        sketch.update_codes(votes, [100, 100])
        gold.update_codes([votes[0]] * 20 + [votes[1]] * 20, [truth[0]] * 20 + [truth[1]] * 20)
        sketches.append(sketch)
        golds.append(gold)
    drift = drift_with_labels(sketches, golds)
    assert set(drift.judges["judge 1"].before) == {"pass"}
    assert drift.judges["judge 2"] is None
    assert drift.alarms == ()


def test_all_items_labelled_and_alike_give_a_p_value_of_one():
    sketches, golds = [], []
    for _ in range(2):
        sketch, gold = VoteSketch(1, LABELS[:2]), GoldSketch(1, LABELS[:2])
        sketch.update_codes([[0], [1]], [20, 20])
        gold.update_codes([[0]] * 20 + [[1]] * 20, [0] * 20 + [1] * 20)
        sketches.append(sketch)
        golds.append(gold)
    assert drift_with_labels(sketches, golds).judges["judge 1"].p_value == 1
    with pytest.raises(InputError, match="votes of 2 periods and labels of 1"):
        drift_with_labels(sketches, golds[:1])
