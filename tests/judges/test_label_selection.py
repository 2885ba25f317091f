"""Whether labels can be a random draw: level, power, exact permutations of small panels, bounds."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from askpoint.errors import InputError
from askpoint.judges.gold.label_selection import (
    _test,
    bound_share,
    compare_truth,
    find_selection,
)
from askpoint.judges.gold.labelled_patterns import patterns_of
from askpoint.judges.gold.proposal import propose_labelled
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.measures.seals import count_sealed, order_by_seal, seal_of
from judges.simulate import simulate

DRAWS = 999


def panel(seed, n=600, k=5):
    """All patterns of a panel, and of each item its pattern and truth."""
    rng = np.random.default_rng(seed)
    truth, votes = simulate(rng, 0.45, rng.uniform(0.65, 0.9, (k, 2)), n)
    sketch = VoteSketch(k, ["fail", "pass"])
    sketch.update_codes(votes)
    patterns = patterns_of(sketch)
    place = {row.tobytes(): i for i, row in enumerate(patterns.cells.votes.astype(np.int16))}
    at = np.array([place[row.tobytes()] for row in votes.astype(np.int16)])
    return patterns, at, truth, votes


def labelled(patterns, at, truth, items):
    counts = np.zeros_like(patterns.labelled)
    np.add.at(counts, (at[items], truth[items]), 1)
    return replace(patterns, labelled=counts)


def proposed(patterns, at, truth, n, rng):
    chosen: list[int] = []
    while len(chosen) < n:
        known = labelled(patterns, at, truth, np.array(chosen, int))
        done = np.isin(np.arange(len(at)), chosen)
        now = propose_labelled(known, n - len(chosen))
        chosen += now.draw(patterns.cells.votes[at], rng, done).tolist()
    return np.array(chosen)


def test_random_and_proposed_labels_are_hardly_ever_refused():
    uneven = refused = 0
    for seed in range(60):
        patterns, at, truth, _ = panel(seed % 6)
        rng = np.random.default_rng(seed)
        drawn = rng.choice(len(at), 60, replace=False)
        found = find_selection(labelled(patterns, at, truth, drawn), rng, n_draws=DRAWS)
        uneven += found.is_uneven
        of = labelled(patterns, at, truth, proposed(patterns, at, truth, 60, rng))
        refused += find_selection(of, rng, n_draws=DRAWS).is_selected
    assert uneven <= 2  # of 60 at .005, twice with chance .04
    assert refused <= 2


@pytest.mark.parametrize("kind", ["unanimous", "failures"])
def test_selected_labels_are_refused_and_bounded(kind):
    for seed in range(6):
        patterns, at, truth, votes = panel(seed)
        share, rng = votes.mean(axis=1), np.random.default_rng(seed)
        where = (
            np.isin(share, (0, 1)) if kind == "unanimous" else share <= np.quantile(share, 1 / 3)
        )
        of = labelled(patterns, at, truth, rng.choice(np.flatnonzero(where), 60, replace=False))
        assert find_selection(of, rng, n_draws=DRAWS).is_selected
        low, high = bound_share(of, 1)
        assert low <= truth.mean() <= high
        assert high - low > 0.3
        for code in (0, 1):  # of two labels one is the rest
            other = bound_share(of, 1 - code)
            assert bound_share(of, code) == pytest.approx((1 - other.upper, 1 - other.lower))


def test_labels_in_every_stratum_are_weighted_not_refused():
    """Chances that fall with the share of votes alone: found, and the stratified estimate stays."""
    patterns, at, truth, votes = panel(3)
    chance = np.exp(-2 * votes.mean(axis=1))
    rng = np.random.default_rng(1)
    items = rng.choice(len(at), 200, replace=False, p=chance / chance.sum())
    of = labelled(patterns, at, truth, items)
    found = find_selection(of, rng, n_draws=DRAWS)
    assert found.is_uneven
    assert found.is_odd
    assert not found.is_selected
    low, high = bound_share(of, 1)
    assert low <= truth.mean() <= high
    assert high - low < 0.2


def test_a_small_stratum_may_stay_without_labels_by_chance():
    patterns, at, truth, _ = panel(4)
    rng = np.random.default_rng(2)
    missed = int(patterns.sizes.argmin())
    others = np.flatnonzero(patterns.stratum[at] != missed)
    few, many = (
        find_selection(labelled(patterns, at, truth, rng.choice(others, n, replace=False)), rng)
        for n in (20, 300)
    )
    assert few.p_proposed > 0.005
    assert many.p_proposed == 0


def test_permutations_come_to_the_exact_chance():
    """All subsets of a small panel, with the largest statistic's chance counted one by one."""
    sketch = VoteSketch(2, ["fail", "pass"])
    votes = np.array([[0, 0]] * 6 + [[0, 1]] * 3 + [[1, 1]] * 3)
    sketch.update_codes(votes)
    patterns = patterns_of(sketch)
    place = {row.tobytes(): i for i, row in enumerate(patterns.cells.votes.astype(np.int16))}
    at = np.array([place[row.tobytes()] for row in votes.astype(np.int16)])
    items = [6, 7, 8, 9]
    common = np.mean(votes == 0, axis=1)  # share of the commonest label

    def statistics(rows):
        off = np.array(
            [
                (common[list(rows)] == s).sum() - len(rows) * (common == s).mean()
                for s in (0, 0.5, 1)
            ]
        )
        expected = np.array([len(rows) * (common == s).mean() for s in (0, 0.5, 1)])
        return [
            (off**2 / expected).sum(),
            abs(common[list(rows)].sum() - len(rows) * common.mean()),
            abs(np.abs(common[list(rows)] - 0.5).sum() - len(rows) * np.abs(common - 0.5).mean()),
            0.0,
        ]  # fmt: skip

    own = statistics(items)
    every = np.array([statistics(rows) for rows in combinations(range(12), 4)])
    exact = min(1, 4 * min(np.mean(every[:, k] >= own[k] - 1e-9) for k in range(4)))
    of = labelled(patterns, at, np.zeros(12, int), np.array(items))
    size = np.full(len(patterns.cells.counts), 2.0)
    share = (patterns.cells.votes == 0).mean(axis=1)
    one = np.zeros_like(patterns.stratum)
    found = _test(of, one, share, size, np.random.default_rng(0), 40_000)
    assert found == pytest.approx(exact, rel=0.1)


def test_without_labels_there_is_nothing_to_test():
    patterns, *_ = panel(0)
    with pytest.raises(InputError, match="no item is labelled"):
        find_selection(patterns, np.random.default_rng(0))


def test_the_sealed_order_follows_from_the_names_alone():
    names = [f"item {i}" for i in range(200)]
    order = order_by_seal(names)
    assert sorted(order) == sorted(names)
    assert order_by_seal(names[::-1]) == order
    with_another = [name for name in order_by_seal([*names, "one more"]) if name != "one more"]
    assert with_another != list(order)
    assert seal_of(["ab", "c"]) != seal_of(["a", "bc"])
    assert count_sealed(names, order[:50]) == 50
    assert count_sealed(names, order[:50] + order[60:]) == 50
    assert count_sealed(names, order[1:]) == 0
    places = [order.index(name) for name in names]
    assert abs(np.corrcoef(places, range(200))[0, 1]) < 0.2


def test_complaints_are_not_like_labels_drawn_at_random():
    """Items on which the votes are wrong, taken as often as their votes occur: only the truth shows it."""
    found, random = 0, 0
    for seed in range(20):
        patterns, at, truth, votes = panel(seed % 4, n=1000)
        rng = np.random.default_rng(seed)
        drawn = rng.choice(len(at), 160, replace=False)
        one, other = (labelled(patterns, at, truth, half) for half in (drawn[:80], drawn[80:]))
        random += compare_truth(one, other) < 0.05
        said = votes.mean(axis=1) > 0.5
        chance = np.where(said & (truth == 0), 20.0, 1.0)
        complained = rng.choice(len(at), 80, replace=False, p=chance / chance.sum())
        found += compare_truth(one, labelled(patterns, at, truth, complained)) < 0.05
    assert random <= 4
    assert found >= 14


def test_the_test_of_the_truth_is_welchs():
    patterns, at, truth, _ = panel(1)
    one, other = (labelled(patterns, at, truth, np.arange(k, 600, 9)) for k in (0, 1))
    residual = (truth == 1) - patterns.posterior[at, 1]
    a, b = residual[0::9], residual[1::9]
    z = (a.mean() - b.mean()) / np.sqrt(a.var(ddof=1) / len(a) + b.var(ddof=1) / len(b))
    assert compare_truth(one, other) == pytest.approx(2 * stats.norm.sf(abs(z)))


def test_of_three_labels_the_least_p_counts_three_times():
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 3, 300)
    votes = np.where(rng.random((300, 4)) < 0.8, truth[:, None], rng.integers(0, 3, (300, 4)))
    sketch = VoteSketch(4, list("abc"))
    sketch.update_codes(votes)
    patterns = patterns_of(sketch)
    place = {row.tobytes(): i for i, row in enumerate(patterns.cells.votes.astype(np.int16))}
    at = np.array([place[row.tobytes()] for row in votes.astype(np.int16)])
    one, other = (labelled(patterns, at, truth, np.arange(k, 300, 5)) for k in (0, 1))
    p = []
    for label in range(3):
        residual = (truth == label) - patterns.posterior[at, label]
        a, b = residual[0::5], residual[1::5]
        z = (a.mean() - b.mean()) / np.sqrt(a.var(ddof=1) / len(a) + b.var(ddof=1) / len(b))
        p.append(2 * stats.norm.sf(abs(z)))
    assert compare_truth(one, other) == pytest.approx(min(1, 3 * min(p)))
    alone = labelled(patterns, at, truth, np.array([0]))
    assert compare_truth(alone, alone) == 1  # one item has no spread
