"""Drift of one judge: found where one changed, silent where only items did, and the exact test."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import binomtest

from askpoint.errors import InputError, NotEstimableError
from askpoint.judges.checks.anchors import anchor_test
from askpoint.judges.checks.drift import MOST_JUDGES, drift_test
from askpoint.judges.sketch.tables import VoteTable
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.measures.multiple_tests import adjust_by_holm


def counted(votes, n_judges=3):
    sketch = VoteSketch(n_judges, ["pass", "fail"])
    sketch.update_codes(votes)
    return sketch


def period(rng, prevalence, accuracy, n=2000):
    truth = (rng.random(n) >= prevalence).astype(int)
    right = rng.random((n, len(accuracy))) < np.array(accuracy)[:, truth].T
    return np.where(right, truth[:, None], 1 - truth[:, None])


PANEL = [(0.9, 0.8), (0.85, 0.75), (0.92, 0.7), (0.8, 0.85)]


def test_a_lenient_judge_is_found_with_the_shift_and_the_place(rng):
    lenient = [(0.96, 0.5), *PANEL[1:]]
    drift = drift_test(
        [counted(period(rng, 0.7, PANEL), 4), counted(period(rng, 0.7, lenient), 4)], planned=1
    )
    assert drift.alarms == ("judge 1",)
    found = drift.judges["judge 1"]
    assert found.since == 2000
    assert found.before["fail"] == pytest.approx(0.8, abs=0.06)
    assert found.after["fail"] == pytest.approx(0.5, abs=0.06)
    assert drift.level == 0.05


def test_changing_items_are_no_drift(rng):
    alarms = 0
    for _ in range(20):
        parts = [counted(period(rng, p, PANEL), 4) for p in (0.75, 0.45)]
        alarms += bool(drift_test(parts, planned=1).alarms)
    assert alarms <= 4  # more has a probability below .003 at .05


def test_a_split_within_the_last_quarter_is_found(rng):
    lenient = [(0.98, 0.3), *PANEL[1:]]
    parts = [counted(period(rng, 0.6, PANEL, 500), 4) for _ in range(6)]
    parts += [counted(period(rng, 0.6, lenient, 500), 4) for _ in range(2)]
    drift = drift_test(parts)
    assert drift.level == pytest.approx(0.05 * 0.608 / 49)
    assert drift.alarms == ("judge 1",)
    assert drift.judges["judge 1"].since == 3000


def test_of_a_family_one_stands_beside_the_others(rng):
    votes = [period(rng, 0.6, PANEL)[:, [0, 0, 1, 2, 3]] for _ in range(2)]
    families = {"judge 1": "gpt", "judge 2": "gpt"}
    drift = drift_test([counted(part, 5) for part in votes], planned=1, families=families)
    assert drift.judges["judge 1"].p_value == pytest.approx(
        drift.judges["judge 2"].p_value, rel=0.5
    )
    kin = dict.fromkeys([f"judge {i}" for i in range(1, 5)], "gpt")
    with pytest.raises(NotEstimableError, match="fewer than three judges or families"):
        drift_test([counted(part, 5) for part in votes], families=kin)


def test_who_cast_few_votes_is_not_told(rng):
    votes = [period(rng, 0.6, PANEL) for _ in range(2)]
    votes[1][10:, 3] = -1
    drift = drift_test([counted(part, 4) for part in votes])
    assert drift.judges["judge 4"] is None
    assert drift.judges["judge 1"] is not None


def test_what_cannot_be_compared_is_refused(rng):
    one = counted(period(rng, 0.6, PANEL[:3]))
    with pytest.raises(InputError, match="at least two periods"):
        drift_test([one])
    with pytest.raises(InputError, match="1 looks are planned"):
        drift_test([one] * 3, planned=1)
    with pytest.raises(NotEstimableError, match="fewer than three judges"):
        drift_test([counted([[0, 1]], 2)] * 2)
    with pytest.raises(NotEstimableError, match=f"at most {MOST_JUDGES}"):
        drift_test([VoteSketch(41, ["a", "b"])] * 2)
    with pytest.raises(InputError, match="two labels"):
        drift_test([VoteSketch(3, ["a", "b", "c"])] * 2)


def table(codes, tasks=None, judges=("ann", "bob"), labels=("no", "yes")):
    codes = np.array(codes, dtype=np.int16)
    names = tuple(map(str, range(len(codes)))) if tasks is None else tasks
    return VoteTable(names, judges, labels, codes)


def test_anchors_are_mcnemar_by_holm(rng):
    old, new = rng.integers(0, 2, (2, 60, 2))
    new[:, 0] = np.where(rng.random(60) < 0.4, 1, old[:, 0])
    found = anchor_test(table(old), table(new))
    p = [
        binomtest(int(up), int(up + down)).pvalue
        for up, down in ((((new > old)[:, i]).sum(), ((new < old)[:, i]).sum()) for i in range(2))
    ]
    assert [found["ann"].p_value, found["bob"].p_value] == pytest.approx(adjust_by_holm(p))
    assert (found["ann"].label, found["ann"].lost, found["ann"].n_items) == ("yes", 0, 60)


def test_anchors_are_matched_by_name_and_by_label():
    old = table([[0, 0], [0, 1], [1, -1]], tasks=("a", "b", "c"))
    new = table(
        [[0, 1, 2], [0, 0, 0]],
        tasks=("c", "a"),
        judges=("bob", "zoe", "ann"),
        labels=("yes", "no", "?"),
    )
    found = anchor_test(old, new)
    assert set(found) == {"ann", "bob"}
    assert found["bob"].n_items == 1  # there is one vote only on c
    with pytest.raises(InputError, match="no item of the anchor file"):
        anchor_test(table([[0, 0]], tasks=("x",)), new)
    with pytest.raises(InputError, match="no judge of the anchor file"):
        anchor_test(table([[0]], tasks=("a",), judges=("eve",)), new)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_is_monotone_and_between_p_and_bonferroni(p_values):
    adjusted = adjust_by_holm(p_values)
    for p, a in zip(p_values, adjusted, strict=True):
        assert p <= a <= min(1, p * len(p_values))
    order = np.argsort(p_values)
    assert (np.diff(np.array(adjusted)[order]) >= 0).all()
