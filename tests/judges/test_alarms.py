"""The alarm: exact against all truths of small tests, silent on truths that meet the specification."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.errors import InputError, NotEstimableError
from askpoint.judges.checks.alarms import alarm
from askpoint.judges.checks.feasible_labelings import FeasibleLabelings, as_required
from askpoint.judges.sketch.vote_sketch import VoteSketch
from judges.simulate import simulate, true_shares


def best_accuracy(sketch):
    return alarm(sketch, required=0.5).best


def of(votes, labels="ab"):
    sketch = VoteSketch(np.shape(votes)[1], list(labels))
    sketch.update_codes(votes)
    return sketch


def all_truths(votes, n_labels):
    """Right votes and votes of every truth: arrays of shape (n_truths, n_judges, n_labels)."""
    truths = np.array(list(product(range(n_labels), repeat=len(votes))))
    right = np.stack([(truths == k) @ (votes == k).astype(int) for k in range(n_labels)], axis=-1)
    size = np.stack([(truths == k) @ (votes >= 0).astype(int) for k in range(n_labels)], axis=-1)
    return truths, right, size


@st.composite
def small_tests(draw):
    n_labels = draw(st.sampled_from([2, 2, 2, 3]))
    n_judges = draw(st.integers(2, 4))
    n_items = draw(st.integers(1, 11 if n_labels == 2 else 6))
    cell = st.integers(-1 if draw(st.booleans()) else 0, n_labels - 1)
    rows = draw(
        st.lists(
            st.lists(cell, min_size=n_judges, max_size=n_judges), min_size=n_items, max_size=n_items
        )
    )
    votes = np.array(rows)
    votes[0] = np.maximum(votes[0], 0)  # each judge votes
    return votes, n_labels


shares = st.one_of(
    st.integers(0, 10).map(lambda k: k / 10),
    st.sampled_from([1 / 3, 2 / 3, 3 / 4, 5 / 6, 0.999]),
)


@settings(deadline=None, max_examples=120)
@given(small_tests(), shares, st.sampled_from(["all", "most"]))
def test_the_alarm_fires_exactly_where_no_truth_meets_the_specification(test, t, who):
    votes, n_labels = test
    _, right, size = all_truths(votes, n_labels)
    exact = Fraction(repr(t))
    meets = (right * exact.denominator >= size * exact.numerator).all(axis=2).sum(axis=1)
    n = votes.shape[1]
    possible = (meets >= (n if who == "all" else n // 2 + 1)).any()
    found = alarm(of(votes, "abc"[:n_labels]), required=t, who=who)
    if not found.is_decided:  # 5/6 as a float is no 5/6: where five of six are right, it says so
        assert who == "all"
        assert abs(found.best - t) < 2e-6
        return
    assert found.fires == (not possible)
    assert (found.example is None) == found.fires
    if found.example is not None:
        met = [
            all(share is None or share >= t for share in row.values())
            for row in found.example.accuracy.values()
        ]
        assert sum(met) >= (n if who == "all" else n // 2 + 1)


@pytest.mark.no_cover
@settings(deadline=None, max_examples=60)
@given(small_tests())
def test_no_truth_is_beyond_the_best_accuracy(test):
    votes, n_labels = test
    _, right, size = all_truths(votes, n_labels)
    share = np.where(size > 0, right / np.maximum(size, 1), 1.0)
    best = best_accuracy(of(votes, "abc"[:n_labels]))
    assert best >= share.min(axis=(1, 2)).max() - 1e-12
    if best < 1:
        assert alarm(of(votes, "abc"[:n_labels]), required=min(best + 1e-4, 1.0)).fires


def test_the_best_accuracy_is_not_too_high():
    # so many items that whole numbers do not matter: a truth comes near
    rng = np.random.default_rng(3)
    _, votes = simulate(rng, 0.3, rng.uniform(0.6, 0.9, (4, 2)), 100_000)
    sketch = of(votes)
    best = best_accuracy(sketch)
    found = alarm(sketch, required=best - 1e-4)
    assert not found.fires
    assert min(min(row.values()) for row in found.example.accuracy.values()) >= best - 1e-4


@pytest.mark.parametrize("seed", range(20))
def test_the_alarm_is_silent_on_judges_that_meet_the_specification(seed):
    rng = np.random.default_rng(seed)
    truth, votes = simulate(rng, rng.random(), rng.uniform(0.5, 1, (5, 2)), 500, [(0, 1)], 0.9)
    votes[rng.random(votes.shape) < rng.choice([0, 0.3])] = -1
    real = true_shares(truth, votes)
    sketch = of(votes)
    required = {
        j: dict(zip("ab", row, strict=True))
        for j, row in zip(sketch.judges, real.tolist(), strict=True)
    }
    assert not alarm(sketch, required=required).fires
    assert not alarm(sketch, required=float(real.min())).fires
    assert best_accuracy(sketch) >= real.min()


def test_requirements_by_judge_and_label():
    sketch = VoteSketch(["ann", "bob"], ["ham", "spam"])
    sketch.update_codes([[0, 0], [0, 1], [1, 1]], [30, 40, 30])
    assert alarm(sketch, required=0.9).fires
    assert not alarm(sketch, required={"ann": 0.9}).fires
    assert not alarm(sketch, required={"ham": 0.9}).fires
    assert alarm(sketch, required={"ann": {"spam": 1.0}, "bob": 1.0}).fires
    found = alarm(sketch, required={"ann": {"spam": 0.5}})
    assert found.required == {"ann": {"ham": 0.0, "spam": 0.5}, "bob": {"ham": 0.0, "spam": 0.0}}
    assert "does not prove" in found.reason
    assert "whatever the true labels are" in alarm(sketch, required=0.9).reason


def test_a_silent_judge_is_asked_nothing():
    sketch = VoteSketch(["ann", "bob", "cy"], ["ham", "spam"])
    sketch.update_codes([[0, 0, -1], [1, 1, -1]], [30, 30])
    found = alarm(sketch, required=1.0)
    assert not found.fires
    assert found.best == 1.0
    assert found.example.accuracy["cy"] == {"ham": None, "spam": None}
    assert found.example.undefined == {"cy": "never voted"}


def test_a_search_that_is_broken_off_does_not_fire(monkeypatch):
    sketch = of([[0, 0], [1, 1]])
    monkeypatch.setattr(FeasibleLabelings, "whole", lambda *_, **__: (False, []))
    monkeypatch.setattr(FeasibleLabelings, "n_meeting", lambda *_: 0)
    found = alarm(sketch, required=0.5)
    assert (found.fires, found.is_decided, found.example) == (False, False, None)
    assert "too near the limit" in found.reason


def test_many_judges_whose_patterns_hardly_repeat():
    rng = np.random.default_rng(1)
    _, votes = simulate(rng, 0.5, rng.uniform(0.6, 0.95, (40, 2)), 400)
    votes[rng.random(votes.shape) < 0.8] = -1
    assert alarm(of(votes), required=0.99).fires
    assert not alarm(of(votes), required=0.5).fires


def test_what_cannot_be_used_is_refused():
    sketch = of([[0, 0], [0, 1]])
    with pytest.raises(InputError, match="'spam', which is neither a judge nor a label"):
        alarm(sketch, required={"spam": 0.9})
    for wrong in (1.5, -0.1, "high", True, {"a": {"b": 0.5}}):
        with pytest.raises(InputError, match="between 0 and 1"):
            alarm(sketch, required=wrong)
    with pytest.raises(InputError, match="counts no items yet"):
        alarm(VoteSketch(3, ["a", "b"]), required=0.9)
    with pytest.raises(NotEstimableError, match="at least 2 judges"):
        alarm(of([[0], [1]]), required=0.9)
    with pytest.raises(InputError, match="who must be"):
        alarm(sketch, required=0.9, who="some")


def test_requirements_as_a_table():
    sketch = VoteSketch(["x", "y"], ["a", "b"])
    assert as_required(0.5, sketch).tolist() == [[0.5, 0.5]] * 2
    assert as_required({"y": 0.5, "x": {"b": 0.25}}, sketch).tolist() == [[0, 0.25], [0.5, 0.5]]
