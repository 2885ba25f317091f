"""Two judges compared item by item from a few gold labels."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.errors import InputError, NotEstimableError
from askpoint.judges.gold.gold_sketch import GoldSketch
from askpoint.judges.gold.judge_difference import compare_judges, compare_labelled
from askpoint.judges.gold.labelled_patterns import label_patterns
from askpoint.judges.gold.residual_totals import totals_of
from askpoint.judges.sketch.vote_sketch import VoteSketch
from judges.labelled_items import sketches
from judges.simulate import simulate


@pytest.mark.no_cover
@settings(deadline=None, max_examples=15)
@given(st.integers(0, 10_000), st.integers(4, 60), st.sampled_from(["at random", "as proposed"]))
def test_turned_round_it_is_the_opposite_and_all_labels_give_the_truth(seed, n_checked, drawn):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, 150)
    votes = np.where(rng.random((150, 3)) < 0.7, truth[:, None], rng.integers(0, 3, (150, 3)))
    votes[rng.random(votes.shape) < 0.1] = -1
    for checked in (rng.permutation(150)[:n_checked], np.arange(150)):
        sketch, gold = sketches(votes, truth, checked, "abc")
        there = compare_judges(sketch, gold, "judge 1", "judge 2", drawn=drawn)
        back = compare_judges(sketch, gold, "judge 2", "judge 1", drawn=drawn)
        assert back.difference == pytest.approx(-there.difference)
        assert back.interval == pytest.approx((-there.interval.upper, -there.interval.lower))
        assert there.interval.lower <= there.difference <= there.interval.upper
        wider = compare_judges(sketch, gold, "judge 1", "judge 2", drawn=drawn, any_time=True)
        assert wider.interval.lower <= there.interval.lower
        assert wider.interval.upper >= there.interval.upper
    both = (votes[:, :2] >= 0).all(axis=1)
    assert there.n_items == both.sum()
    right = (votes[both, :2] == truth[both, None]).mean(axis=0)
    assert there.difference == pytest.approx(right[0] - right[1])
    # all is known: half an item to either side is left, as a difference moves in steps of one
    assert there.interval.upper - there.interval.lower == pytest.approx(1 / both.sum())


@pytest.mark.no_cover
def test_the_interval_holds_where_judges_err_together():
    held, widths = [], []
    for seed in range(25):
        rng = np.random.default_rng(seed)
        truth, votes = simulate(
            rng, 0.4, [(0.8, 0.8), (0.84, 0.82), (0.7, 0.7)], 3000, [(0, 1)], 0.9
        )
        checked = rng.choice(3000, 120, replace=False)
        sketch, gold = sketches(votes, truth, checked, judges=["old", "new", "other"])
        found = compare_judges(sketch, gold, "new", "old", drawn="at random")
        real = np.mean(votes[:, 1] == truth) - np.mean(votes[:, 0] == truth)
        held.append(found.interval.lower <= real <= found.interval.upper)
        widths.append(found.interval.upper - found.interval.lower)
    assert np.mean(held) >= 0.93
    assert np.mean(widths) < 0.12


def test_it_reaches_no_further_than_the_judges_differ():
    votes = np.array([[0, 0]] * 90 + [[0, 1]] * 10)
    sketch, gold = sketches(votes, np.zeros(100, dtype=int), np.arange(80))
    lower, upper = compare_judges(sketch, gold, "judge 1", "judge 2").interval
    assert lower == pytest.approx(-0.1 - 0.005)
    assert upper == pytest.approx(0.1 + 0.005)


def test_what_cannot_be_compared():
    votes = np.array([[0, 0, -1], [0, 1, -1], [1, -1, 0]])
    sketch, gold = sketches(votes, np.array([0, 1, 0]), [0, 1, 2])
    with pytest.raises(InputError, match="no judge 'me'"):
        compare_judges(sketch, gold, "me", "judge 1")
    with pytest.raises(NotEstimableError, match="voted on no item together"):
        compare_judges(sketch, gold, "judge 2", "judge 3")
    with pytest.raises(InputError, match="level"):
        compare_judges(sketch, gold, "judge 1", "judge 2", level=2)


@pytest.mark.no_cover
def test_judges_who_hardly_differ_get_a_narrow_interval():
    """Two good judges of a good panel: residuals are small where they differ, and that counts."""
    held, halves, errors = [], [], []
    for seed in range(25):
        rng = np.random.default_rng(seed)
        truth, votes = simulate(rng, 0.4, [(0.85, 0.85)] * 5, 1000)
        checked = rng.choice(1000, 100, replace=False)
        names = ["a", "b", "c", "d", "e"]
        sketch, gold = sketches(votes, truth, checked, judges=names)
        found = compare_judges(sketch, gold, "a", "b")
        real = np.mean(votes[:, 0] == truth) - np.mean(votes[:, 1] == truth)
        held.append(found.interval.lower <= real <= found.interval.upper)
        halves.append((found.interval.upper - found.interval.lower) / 2)
        errors.append(found.difference - real)
    assert np.mean(held) >= 0.93
    # 2.05 times with two imaginary labels of the greatest spread in each stratum; here 1.76
    assert np.mean(halves) < 1.9 * 1.96 * np.sqrt(np.mean(np.square(errors)))


def test_where_labels_alone_are_used_they_say_nothing_of_where_judges_differ():
    """A rare label that judges hardly find: a share of 3.5% is not the chance where one of two sees it."""
    n, held, alone = 3000, 0, 0
    truth = np.zeros(n, dtype=int)
    truth[:105] = 1
    votes = np.zeros((n, 2), dtype=int)
    votes[:17, 0] = 1  # ann sees 17 of the 105, and 17 that are none; bob sees nothing
    votes[200:217, 0] = 1
    sketch = VoteSketch(["ann", "bob"], ["no", "yes"])
    sketch.update_codes(votes)
    for seed in range(60):
        rows = np.random.default_rng(seed).choice(n, 200, replace=False)
        gold = GoldSketch(sketch.judges, sketch.labels)
        gold.update_codes(votes[rows], truth[rows])
        known = label_patterns(sketch, gold).as_drawn("as proposed")
        totals = totals_of(known)
        if all(of.curve.uses_votes for of in totals):
            continue
        alone += 1
        low, high = compare_labelled(totals, "ann", "bob", 0.95, any_time=False).interval
        held += low <= 0 <= high  # each is wrong on 105
    assert alone >= 20
    assert held >= 0.95 * alone
