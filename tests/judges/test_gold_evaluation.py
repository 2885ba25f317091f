"""Prevalence and accuracies from a few gold labels: exact where all is known, right on average."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from simulated_panels import PANEL_WORLDS, simulate_panel

from askpoint.errors import InputError, NotEstimableError
from askpoint.judges.gold.evaluation import evaluate_with_gold
from askpoint.judges.gold.gold_sketch import GoldSketch
from askpoint.judges.gold.proposal import propose_gold
from askpoint.judges.sketch.vote_sketch import VoteSketch
from judges.labelled_items import sketches
from judges.simulate import simulate, true_shares


@pytest.mark.parametrize("drawn", ["at random", "as proposed"])
@pytest.mark.parametrize("n_labels", [2, 3])
def test_all_items_checked_is_the_truth(n_labels, drawn):
    rng = np.random.default_rng(1)
    truth = rng.integers(0, n_labels, 300)
    votes = np.where(
        rng.random((300, 3)) < 0.7, truth[:, None], rng.integers(0, n_labels, (300, 3))
    )
    votes[rng.random(votes.shape) < 0.2] = -1
    votes = np.column_stack([votes, np.full(300, -1)])
    sketch, gold = sketches(votes, truth, np.arange(300), "abc"[:n_labels])
    found = evaluate_with_gold(sketch, gold, drawn=drawn)
    assert found.n_gold == 300
    assert list(found.prevalence.values()) == pytest.approx(np.bincount(truth) / 300)
    real = true_shares(truth, votes[:, :3], n_labels)
    rows = [list(row.values()) for row in found.accuracy.values()]
    np.testing.assert_allclose(rows[:3], real)
    assert rows[3] == [None] * n_labels
    assert found.undefined == {"judge 4": "never voted"}
    for any_time in (False, True):
        intervals = found.interval(any_time=any_time)
        assert intervals.accuracy["judge 4"] == dict.fromkeys("abc"[:n_labels])
        for (lower, upper), share in zip(
            intervals.prevalence.values(), found.prevalence.values(), strict=True
        ):
            assert lower == pytest.approx(share)
            assert upper == pytest.approx(share)


@pytest.mark.no_cover
def test_judges_who_tell_nothing_leave_the_labels_alone():
    """One pattern: over all samples the mean of the estimate is the truth, exactly."""
    truth = np.array([1, 1, 1, 0, 0, 0, 0])
    votes = np.ones((7, 2), dtype=int)
    found = []
    for rows in combinations(range(7), 3):
        sketch, gold = sketches(votes, truth, list(rows))
        found.append(evaluate_with_gold(sketch, gold, drawn="at random").prevalence["b"])
        assert found[-1] == pytest.approx(truth[list(rows)].mean())
    assert np.mean(found) == pytest.approx(3 / 7)


def test_over_all_samples_the_estimate_is_nearly_unbiased():
    """Judges wrong on one label of two; every sample of 5 of 12 items is drawn once."""
    truth = np.array([1] * 5 + [0] * 7)
    votes = np.array([[1, 1]] * 3 + [[0, 1]] * 2 + [[0, 0]] * 2 + [[1, 1]] * 5)
    estimate = {}  # only counts matter, so most samples are alike
    for rows in combinations(range(12), 5):
        kind = tuple(sorted((*votes[row], truth[row]) for row in rows))
        if kind not in estimate:
            known = sketches(votes, truth, list(rows))
            estimate[kind] = evaluate_with_gold(*known, drawn="at random").prevalence["b"]
    found = [
        estimate[tuple(sorted((*votes[row], truth[row]) for row in rows))]
        for rows in combinations(range(12), 5)
    ]
    labels_only = [truth[list(rows)].mean() for rows in combinations(range(12), 5)]
    assert np.mean(labels_only) == pytest.approx(5 / 12)
    assert np.mean(found) == pytest.approx(5 / 12, abs=0.04)  # votes alone say .83


panels = st.tuples(st.integers(0, 10_000), st.integers(2, 5), st.integers(5, 40))


@pytest.mark.no_cover
@settings(deadline=None, max_examples=15)
@given(panels, st.sampled_from(["at random", "as proposed"]))
def test_names_of_judges_and_labels_do_not_matter(panel, drawn):
    seed, k, n_checked = panel
    rng = np.random.default_rng(seed)
    truth, votes = simulate(rng, 0.4, rng.uniform(0.6, 0.95, (k, 2)), 120)
    checked = rng.permutation(120)[:n_checked]
    found = evaluate_with_gold(*sketches(votes, truth, checked), drawn=drawn)
    around = found.interval()

    order = rng.permutation(k)
    judges = [found.judges[i] for i in order]
    other = evaluate_with_gold(
        *sketches(votes[:, order], truth, checked, judges=judges), drawn="at random"
    )
    if drawn == "at random":
        assert other.prevalence == pytest.approx(found.prevalence, abs=1e-6)
        for judge in judges:
            assert other.accuracy[judge] == pytest.approx(found.accuracy[judge], abs=1e-6)
            for label in "ab":
                if around.accuracy[judge][label] is None:
                    assert other.interval().accuracy[judge][label] is None
                    continue
                assert other.interval().accuracy[judge][label] == pytest.approx(
                    around.accuracy[judge][label], abs=1e-5
                )

    turned = evaluate_with_gold(*sketches(1 - votes, 1 - truth, checked, "ba"), drawn="at random")
    if drawn == "at random":
        assert turned.prevalence == pytest.approx(found.prevalence, abs=1e-6)
        for judge in judges:
            assert turned.accuracy[judge] == pytest.approx(found.accuracy[judge], abs=1e-6)
    for label, (lower, upper) in around.prevalence.items():
        assert 0 <= lower <= found.prevalence[label] <= upper <= 1
    wider = found.interval(any_time=True)
    for judge, row in around.accuracy.items():
        for code, (label, interval) in enumerate(row.items()):
            assert (interval is None) == (code not in truth[checked])  # never labelled: not told
            if interval is None:
                continue
            lower, upper = interval
            assert 0 <= lower <= found.accuracy[judge][label] <= upper <= 1
            assert wider.accuracy[judge][label].lower <= lower
            assert wider.accuracy[judge][label].upper >= upper


@pytest.mark.no_cover
@pytest.mark.parametrize("drawn", ["at random", "as proposed"])
@pytest.mark.parametrize("world", ["hard5", "abstain5", "rogue5"])
def test_intervals_hold_where_votes_alone_do_not(world, drawn):
    held, errors, blind = [], [], []
    panel = simulate_panel(PANEL_WORLDS[world], np.random.default_rng(3))
    votes, truth = panel.votes.astype(int), panel.truth.astype(int)
    real = true_shares(truth, votes)
    sketch, _ = sketches(votes, truth, [])
    for seed in range(25):
        rng = np.random.default_rng(seed)
        checked = rng.choice(2000, 100, replace=False)
        if drawn == "as proposed":
            checked = propose_gold(sketch, 100).draw(votes, rng)
            _, gold = sketches(votes, truth, checked)
            known = np.isin(np.arange(2000), checked)
            more = propose_gold(sketch, 60, gold=gold).draw(votes, rng, known)
            checked = np.concatenate([checked, more])
        assert len(set(checked.tolist())) == 100
        _, gold = sketches(votes, truth, checked)
        found = evaluate_with_gold(sketch, gold, drawn=drawn)
        intervals = found.interval()
        lower, upper = intervals.prevalence["b"]
        held.append(lower <= truth.mean() <= upper)
        for row, shares in zip(intervals.accuracy.values(), real, strict=True):
            held += [low <= t <= up for (low, up), t in zip(row.values(), shares, strict=True)]
        errors.append(found.prevalence["b"] - truth.mean())
        blind.append(truth[rng.choice(2000, 100, replace=False)].mean() - truth.mean())
    assert np.mean(held) >= 0.93
    assert np.mean(np.square(errors)) < np.mean(np.square(blind))


def test_many_judges_with_few_votes_and_more_labels():
    held = []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        truth = rng.choice(3, 400, p=[0.5, 0.3, 0.2])
        skill = rng.uniform(0.4, 0.95, 30)
        votes = np.where(
            rng.random((400, 30)) < skill, truth[:, None], rng.integers(0, 3, (400, 30))
        )
        votes[rng.random(votes.shape) < 0.85] = -1
        checked = rng.choice(400, 60, replace=False)
        intervals = evaluate_with_gold(*sketches(votes, truth, checked, "abc")).interval()
        for k, (lower, upper) in enumerate(intervals.prevalence.values()):
            held.append(lower <= np.mean(truth == k) <= upper)
        for row, real in zip(
            intervals.accuracy.values(), true_shares(truth, votes, 3), strict=True
        ):
            held += [
                span.lower <= t <= span.upper
                for span, t in zip(row.values(), real, strict=True)
                if span is not None
            ]
    assert np.mean(held) >= 0.93


def test_two_judges_and_one_of_ten_votes():
    rng = np.random.default_rng(5)
    truth, votes = simulate(rng, 0.5, [(0.9, 0.9), (0.8, 0.8)], 500)
    votes[10:, 1] = -1
    for drawn in ("at random", "as proposed"):
        found = evaluate_with_gold(*sketches(votes, truth, np.arange(400, 460)), drawn=drawn)
        around = found.interval()
        real = true_shares(truth, votes)
        for k, label in enumerate("ab"):
            lower, upper = around.accuracy["judge 2"][label]
            assert lower <= real[1, k] <= upper
            assert upper - lower > 0.3  # nobody looked at any of the ten


def test_all_votes_equal_and_labels_of_one_kind():
    votes, truth = np.zeros((200, 3), dtype=int), np.zeros(200, dtype=int)
    found = evaluate_with_gold(*sketches(votes, truth, np.arange(50)))
    assert found.prevalence["a"] == 1
    lower, upper = found.interval().prevalence["a"]
    assert upper == 1
    assert 0.85 < lower < 0.99
    assert found.accuracy["judge 1"]["a"] == 1
    assert found.accuracy["judge 1"]["b"] is None or found.interval().accuracy["judge 1"]["b"] == (
        0,
        1,
    )


def test_a_label_that_no_item_has_leaves_accuracies_undefined():
    votes = np.column_stack([np.zeros(40, dtype=int), [0] * 20 + [-1] * 20])
    sketch, gold = sketches(votes, np.array([0] * 20 + [1] * 20), np.arange(40))
    found = evaluate_with_gold(sketch, gold)
    assert found.accuracy["judge 2"] == {"a": 1.0, "b": None}
    assert found.undefined == {"judge 2": "no vote on an item that seems 'b'"}
    assert found.interval().accuracy["judge 2"]["b"] is None


def test_where_no_label_speaks_against_an_end_it_is_open():
    rng = np.random.default_rng(6)
    truth, votes = simulate(rng, 0.5, [(0.97, 0.97)] * 3, 1000)
    found = evaluate_with_gold(*sketches(votes, truth, np.arange(12)), drawn="at random")
    for label in "ab":
        assert found.interval().accuracy["judge 1"][label].upper == pytest.approx(1, abs=0.01)


@pytest.mark.no_cover
def test_ten_thousand_workers_of_three_votes():
    rng = np.random.default_rng(7)
    n, k = 2000, 10_000
    truth = rng.integers(0, 2, n)
    votes = np.full((n, k), -1, dtype=np.int16)
    items = rng.permutation(np.repeat(np.arange(n), 15))
    workers = np.tile(np.arange(k), 3)
    votes[items, workers] = np.where(rng.random(3 * k) < 0.8, truth[items], 1 - truth[items])
    sketch, gold = sketches(votes, truth, rng.choice(n, 80, replace=False))
    found = evaluate_with_gold(sketch, gold, drawn="at random")
    lower, upper = found.interval().prevalence["b"]
    assert lower < truth.mean() < upper
    assert upper - lower < 0.1
    assert all(x is None or 0 <= x <= 1 for row in found.accuracy.values() for x in row.values())


def test_what_cannot_be_evaluated():
    votes = np.array([[0, 0, -1], [0, 1, -1], [1, -1, 0]])
    sketch, gold = sketches(votes, np.array([0, 1, 0]), [0, 1, 2])
    with pytest.raises(InputError, match=r"drawn must be one of as proposed, at random; got 'odd'"):
        evaluate_with_gold(sketch, gold, drawn="odd")
    with pytest.raises(NotEstimableError, match="no item was checked yet"):
        evaluate_with_gold(sketch, GoldSketch(3, ["a", "b"]))
    with pytest.raises(InputError, match="other judges"):
        evaluate_with_gold(sketch, GoldSketch(2, ["a", "b"]))
    with pytest.raises(InputError, match="other labels"):
        evaluate_with_gold(sketch, GoldSketch(3, ["a", "c"]))
    strange = GoldSketch(3, ["a", "b"])
    strange.update_codes([[1, 1, -1]], [0])
    with pytest.raises(InputError, match=r"1 items with the votes \(b, b, no vote\) .* but 0 were"):
        evaluate_with_gold(sketch, strange)
    twice = GoldSketch(3, ["a", "b"])
    twice.update_codes([[0, 0, -1]] * 2, [0, 1])  # one item, said to be both
    with pytest.raises(InputError, match=r"2 items .* but 1 were"):
        evaluate_with_gold(sketch, twice)
    with pytest.raises(InputError, match="level"):
        evaluate_with_gold(VoteSketch.from_bytes(sketch.to_bytes()), gold).interval(1.0)
