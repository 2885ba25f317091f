"""A few gold labels: the labelled sketch, what follows from it, and which items to check."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

from askpoint.errors import InputError, NotEstimableError, SketchError
from askpoint.judges.gold.evaluation import compare_judges, evaluate_with_gold
from askpoint.judges.gold.gold_sketch import GoldSketch
from askpoint.judges.gold.pattern_calibration import label_totals
from askpoint.judges.gold.proposal import propose_gold
from askpoint.judges.sketch.tables import table_from_frame
from askpoint.judges.sketch.vote_sketch import VoteSketch
from judges.simulate import simulate, true_shares


def sketches(votes, truth, checked, labels="ab"):
    sketch = VoteSketch(votes.shape[1], list(labels))
    sketch.update_codes(votes)
    gold = GoldSketch(votes.shape[1], list(labels))
    gold.update_codes(votes[checked], truth[checked])
    return sketch, gold


items = st.lists(
    st.tuples(st.integers(-1, 2), st.integers(-1, 2), st.integers(0, 2)), max_size=30
).map(lambda rows: np.array(rows, dtype=int).reshape(-1, 3))


@settings(deadline=None, max_examples=50)
@given(items, items)
def test_a_labelled_sketch_adds_up(first, second):
    def of(rows):
        gold = GoldSketch(["x", "y"], ["a", "b", "c"])
        gold.update_codes(rows[:, :2], rows[:, 2])
        return gold

    both, merged = of(np.concatenate([first, second])), of(first)
    merged.merge(of(second))
    assert merged == both
    assert (merged == of(first)) == (len(second) == 0)
    assert GoldSketch.from_bytes(both.to_bytes()) == both
    assert both.n_items == len(first) + len(second)
    votes, counts = both.cells()
    rows = np.concatenate([first, second])
    for pattern, row in zip(votes, counts, strict=True):
        same = (rows[:, :2] == pattern).all(axis=1)
        assert row.tolist() == np.bincount(rows[same, 2], minlength=3).tolist()


def test_a_labelled_sketch_speaks_in_labels():
    gold = GoldSketch(["x", "y"], [0, 1])
    gold.update([0, None], 1)
    gold.update_many([[0, 1], [0, 1]], [1.0, "0"])
    assert gold.cells().votes.tolist() == [[0, -1], [0, 1]]
    assert gold.cells().counts.tolist() == [[0, 1], [1, 1]]
    assert repr(gold) == "GoldSketch(judges=('x', 'y'), labels=('0', '1'), n_items=3)"
    assert gold != 3


def test_gold_of_a_table():
    frame = pl.DataFrame({"w": ["x", "y", "x"], "t": [1, 1, 2], "l": ["a", "b", "b"]})
    table = table_from_frame(frame, worker="w", task="t", label="l")
    gold = GoldSketch.from_table(table, {1: "a", "2": "b", 3: None})
    assert gold.n_items == 2
    with pytest.raises(InputError, match=r"nobody judged 1 of 2 tasks .* the first '9'"):
        GoldSketch.from_table(table, {1: "a", 9: "b"})
    assert GoldSketch.from_table(table, {1: "a", 9: "b"}, unjudged="leave out").n_items == 1
    with pytest.raises(InputError, match="'c' in row 0 is none of the labels"):
        GoldSketch.from_table(table, {1: "c"})


def test_what_a_labelled_sketch_refuses():
    gold = GoldSketch(["x", "y"], ["a", "b"])
    with pytest.raises(InputError, match="2 items and 1"):
        gold.update_many([["a", "a"], ["a", "b"]], ["a"])
    with pytest.raises(InputError, match="truth of item 1 is missing"):
        gold.update_many([["a", "a"], ["a", "b"]], ["a", None])
    with pytest.raises(SketchError, match="other judges"):
        gold.merge(GoldSketch(["x", "z"], ["a", "b"]))
    with pytest.raises(SketchError, match="without true labels"):
        GoldSketch.from_bytes(VoteSketch(2, ["a", "b"]).to_bytes())
    with pytest.raises(InputError, match="give that one another name"):
        GoldSketch(["the true label"], ["a", "b"])
    with pytest.raises(SketchError):
        GoldSketch.from_bytes(gold.to_bytes()[:-1])


@pytest.mark.parametrize("n_labels", [2, 3])
def test_all_items_checked_is_the_truth(n_labels):
    rng = np.random.default_rng(1)
    truth = rng.integers(0, n_labels, 300)
    votes = np.where(
        rng.random((300, 3)) < 0.7, truth[:, None], rng.integers(0, n_labels, (300, 3))
    )
    votes[rng.random(votes.shape) < 0.2] = -1
    votes = np.column_stack([votes, np.full(300, -1)])
    sketch, gold = sketches(votes, truth, np.arange(300), "abc"[:n_labels])
    found = evaluate_with_gold(sketch, gold)
    assert found.n_gold == 300
    assert list(found.prevalence.values()) == pytest.approx(np.bincount(truth) / 300)
    real = true_shares(truth, votes[:, :3], n_labels)
    rows = [list(row.values()) for row in found.accuracy.values()]
    np.testing.assert_allclose(rows[:3], real)
    assert rows[3] == [None] * n_labels
    assert found.undefined == {"judge 4": "never voted"}
    intervals = found.interval()
    assert intervals.accuracy["judge 4"] == dict.fromkeys("abc"[:n_labels])
    assert all(upper - lower < 1 / 100 for lower, upper in intervals.prevalence.values())
    assert evaluate_with_gold(sketch, gold).prevalence == found.prevalence


@pytest.mark.parametrize("chosen", ["at random", "as proposed"])
def test_intervals_hold_where_judges_err_together(chosen):
    held, errors, blind = [], [], []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        shares = rng.uniform(0.6, 0.95, (3, 2))
        truth, votes = simulate(rng, rng.uniform(0.2, 0.6), shares, 4000, [(0, 1), (1, 2)], 0.5)
        sketch = VoteSketch(3, ["a", "b"])
        sketch.update_codes(votes)
        if chosen == "at random":
            checked = rng.choice(4000, 100, replace=False)
        else:
            checked = propose_gold(sketch, 100).draw(votes, rng)
        assert len(set(checked.tolist())) == 100
        _, gold = sketches(votes, truth, checked)
        found = evaluate_with_gold(sketch, gold)
        intervals = found.interval()
        lower, upper = intervals.prevalence["b"]
        held.append(lower <= truth.mean() <= upper)
        for (judge, row), real in zip(
            intervals.accuracy.items(), true_shares(truth, votes), strict=True
        ):
            held += [low <= t <= up for (low, up), t in zip(row.values(), real, strict=True)]
            errors += [
                abs(found.accuracy[judge][label] - t) for label, t in zip("ab", real, strict=True)
            ]
            own = [
                np.mean(votes[checked][truth[checked] == k, int(judge[-1]) - 1] == k)
                for k in (0, 1)
            ]
            blind += np.abs(own - real).tolist()
    assert np.mean(held) >= 0.93
    if chosen == "at random":
        assert np.mean(errors) < np.mean(blind)  # of the checked items alone


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
        sketch = VoteSketch(30, list("abc"))
        sketch.update_codes(votes)
        checked = propose_gold(sketch, 60).draw(votes, rng)
        _, gold = sketches(votes, truth, checked, "abc")
        intervals = evaluate_with_gold(sketch, gold).interval()
        for k, (lower, upper) in enumerate(intervals.prevalence.values()):
            held.append(lower <= np.mean(truth == k) <= upper)
        for row, real in zip(
            intervals.accuracy.values(), true_shares(truth, votes, 3), strict=True
        ):
            held += [low <= t <= up for (low, up), t in zip(row.values(), real, strict=True)]
    assert np.mean(held) >= 0.93


def test_totals_are_counts_of_whole_patterns():
    counts = np.array([40, 1, 9])
    posterior = np.array([[0.9, 0.1], [0.5, 0.5], [0.2, 0.8]])
    gold = np.array([[5, 1], [1, 0], [0, 0]])
    totals = label_totals(counts, posterior, gold)
    mean = totals.mean()
    np.testing.assert_allclose(mean.sum(axis=1), counts)
    np.testing.assert_allclose(mean[1], [1, 0])
    assert (mean >= gold).all()
    everything = np.ones((3, 2))
    assert totals.total(everything) == pytest.approx((50, 0), abs=1e-6)
    one = np.zeros((3, 2))
    one[:, 0] = 1
    assert totals.total(one) == pytest.approx((mean[:, 0].sum(), totals.total(1 - one)[1]))


def test_two_judges_are_compared_item_by_item():
    held, widths = [], []
    for seed in range(25):
        rng = np.random.default_rng(seed)
        truth, votes = simulate(
            rng, 0.4, [(0.8, 0.8), (0.84, 0.82), (0.7, 0.7)], 3000, [(0, 1)], 0.9
        )
        sketch = VoteSketch(["old", "new", "other"], ["a", "b"])
        sketch.update_codes(votes)
        checked = propose_gold(sketch, 120).draw(votes, rng)
        gold = GoldSketch(sketch.judges, sketch.labels)
        gold.update_codes(votes[checked], truth[checked])
        found = compare_judges(sketch, gold, "new", "old")
        real = np.mean(votes[:, 1] == truth) - np.mean(votes[:, 0] == truth)
        held.append(found.interval.lower <= real <= found.interval.upper)
        widths.append(found.interval.upper - found.interval.lower)
    back = compare_judges(sketch, gold, "old", "new")
    assert back.difference == pytest.approx(-found.difference)
    assert found.n_items == 3000
    assert np.mean(held) >= 0.85  # .92 of 100 runs: shrinking towards the others biases a little
    assert np.mean(widths) < 0.12


def test_what_can_not_be_compared_or_evaluated():
    votes = np.array([[0, 0, -1], [0, 1, -1], [1, -1, 0]])
    sketch, gold = sketches(votes, np.array([0, 1, 0]), [0, 1, 2])
    with pytest.raises(InputError, match="no judge 'me'"):
        compare_judges(sketch, gold, "me", "judge 1")
    with pytest.raises(NotEstimableError, match="voted on no item together"):
        compare_judges(sketch, gold, "judge 2", "judge 3")
    with pytest.raises(NotEstimableError, match="no item was checked yet"):
        evaluate_with_gold(sketch, GoldSketch(3, ["a", "b"]))
    with pytest.raises(InputError, match="other judges"):
        evaluate_with_gold(sketch, GoldSketch(2, ["a", "b"]))
    strange = GoldSketch(3, ["a", "b"])
    strange.update_codes([[1, 1, -1]], [0])
    with pytest.raises(InputError, match=r"1 items with the votes \(b, b, no vote\) .* but 0 were"):
        evaluate_with_gold(sketch, strange)
    twice = GoldSketch(3, ["a", "b"])
    twice.update_codes([[0, 0, -1]] * 2, [0, 0])
    with pytest.raises(InputError, match=r"2 items .* but 1 were"):
        evaluate_with_gold(sketch, twice)


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10_000), st.integers(1, 60), st.integers(0, 20))
def test_a_proposal_draws_unchecked_items_of_each_stratum(seed, n, n_checked):
    rng = np.random.default_rng(seed)
    truth, votes = simulate(rng, 0.4, rng.uniform(0.6, 0.95, (int(rng.integers(2, 7)), 2)), 90)
    checked = rng.permutation(90)[:n_checked]
    sketch, gold = sketches(votes, truth, checked)
    proposal = propose_gold(sketch, n, gold=gold)
    assert proposal.n == n == sum(stratum.n_check for stratum in proposal.strata)
    assert sum(stratum.n_items for stratum in proposal.strata) == 90 - n_checked
    known = np.isin(np.arange(90), checked)
    drawn = proposal.draw(votes, rng, known)
    assert len(set(drawn.tolist())) == n
    assert not known[drawn].any()
    for stratum in proposal.strata:
        inside = [(stratum.votes == votes[row]).all(axis=1).any() for row in drawn]
        assert sum(inside) == stratum.n_check


def test_disputed_patterns_are_checked_more_often():
    rng = np.random.default_rng(2)
    truth, votes = simulate(rng, 0.5, [(0.95, 0.95)] * 3, 20_000)
    sketch, _ = sketches(votes, truth, [])
    for stratum in propose_gold(sketch, 200).strata:
        unanimous = np.ptp(stratum.votes) == 0
        fair = 200 * stratum.n_items / 20_000
        assert (stratum.n_check < fair) == unanimous


def test_what_can_not_be_proposed_or_drawn():
    votes = np.array([[0, 0, 0]] * 5 + [[1, 1, 0]] * 5)
    sketch, _ = sketches(votes, np.zeros(10, int), [])
    for n in (0, 11, True):
        with pytest.raises(InputError, match="between 1 and 10"):
            propose_gold(sketch, n)
    proposal = propose_gold(sketch, 10)
    with pytest.raises(InputError, match="only 4 are left"):
        proposal.draw(votes[:9], np.random.default_rng(0))
