"""Constants, copies and opposites are found, and honest judges are never taken for them."""

from __future__ import annotations

import numpy as np
import pytest

from askpoint.judges.checks.redundant_judges import RedundantJudges, find_redundant_judges
from askpoint.judges.sketch.vote_sketch import VoteSketch
from judges.simulate import simulate


def sketch_of(votes, names=None, labels=("fail", "pass")):
    names = [f"j{i}" for i in range(votes.shape[1])] if names is None else names
    sketch = VoteSketch(names, list(labels))
    sketch.update_codes(votes)
    return sketch


@pytest.mark.parametrize("seed", range(20))
def test_honest_judges_are_never_redundant(seed):
    rng = np.random.default_rng(seed)
    p = rng.choice([0.02, 0.3, 0.5, 0.9])
    _, votes = simulate(rng, p, rng.uniform(0.6, 0.97, (5, 2)), 2000)
    votes[rng.random(votes.shape) < 0.2] = -1
    assert find_redundant_judges(sketch_of(votes)) == RedundantJudges()


def test_rare_labels_make_nobody_constant():
    """Who says the rare label as rarely as it occurs is no constant judge."""
    _, votes = simulate(np.random.default_rng(0), 0.004, [[0.9, 0.9995]] * 4, 5000)
    assert (votes == 1).mean() > 0.995
    assert find_redundant_judges(sketch_of(votes)).constant == {}


def test_a_constant_judge_with_a_few_slips_is_found():
    _, votes = simulate(np.random.default_rng(1), 0.4, [[0.8, 0.8]] * 3, 1000)
    constant = np.ones(1000, int)
    constant[:4] = 0  # .4% of the votes
    found = find_redundant_judges(sketch_of(np.column_stack([votes, constant])))
    assert found.constant == {"j3": "pass"}
    constant[:6] = 0  # .6%
    assert not find_redundant_judges(sketch_of(np.column_stack([votes, constant]))).constant


def test_a_judge_with_few_votes_of_one_kind_is_not_constant():
    _, votes = simulate(np.random.default_rng(2), 0.4, [[0.8, 0.8]] * 4, 500)
    votes[5:, 3] = -1
    votes[:5, 3] = 1
    assert find_redundant_judges(sketch_of(votes)) == RedundantJudges()


@pytest.mark.parametrize("labels", [("fail", "pass"), ("bad", "fair", "good")])
def test_copies_are_those_of_the_judge_with_the_most_votes(labels):
    rng = np.random.default_rng(3)
    truth = rng.integers(0, len(labels), 800)
    votes = np.where(
        rng.random((800, 4)) < 0.75, truth[:, None], rng.integers(0, len(labels), (800, 4))
    )
    twin = votes[:, 0].copy()
    twin[rng.random(800) < 0.2] = -1
    near = votes[:, 1].copy()
    near[:5] = (near[:5] + 1) % len(labels)  # still 99%
    found = find_redundant_judges(sketch_of(np.column_stack([twin, votes, near]), labels=labels))
    assert found.copies == {"j0": "j1", "j5": "j2"}
    assert found.opposites == {}


def test_good_judges_who_agree_nearly_always_are_no_copies():
    """Two who are right on 97% agree on 94% of all items; three equal columns on all."""
    _, votes = simulate(np.random.default_rng(4), 0.5, [[0.97, 0.97]] * 2 + [[0.7, 0.7]] * 3, 3000)
    assert find_redundant_judges(sketch_of(votes)) == RedundantJudges()


def test_a_panel_that_is_nearly_always_right_holds_no_copies():
    """Any two agree on 99% of all items, and on little more than half of those that are contested."""
    _, votes = simulate(np.random.default_rng(7), 0.5, [[0.995, 0.995]] * 5, 6000)
    assert (votes[:, 0] == votes[:, 1]).mean() > 0.985
    assert find_redundant_judges(sketch_of(votes)) == RedundantJudges()


def test_opposites_are_found_and_of_two_labels_only():
    _, votes = simulate(np.random.default_rng(5), 0.5, [[0.8, 0.8]] * 3, 400)
    both = np.column_stack([votes, 1 - votes[:, 1]])
    assert find_redundant_judges(sketch_of(both)).opposites == {"j3": "j1"}
    assert not find_redundant_judges(sketch_of(both, labels=("a", "b", "c"))).opposites


def test_whoever_names_families_keeps_copies():
    _, votes = simulate(np.random.default_rng(6), 0.5, [[0.8, 0.8]] * 3, 400)
    sketch = sketch_of(votes[:, [0, 0, 1, 2]])
    assert find_redundant_judges(sketch).copies == {"j1": "j0"}
    assert find_redundant_judges(sketch, join_copies=False).copies == {}


def test_all_stay_where_nobody_is_left():
    assert RedundantJudges({"a": "x", "b": "y"}).keep(("a", "b")) == ("a", "b")
    assert RedundantJudges({"a": "x"}).keep(("a", "b")) == ("b",)


def by_hand(votes, n_labels):
    """Copies and opposites counted pair by pair, as the docstring says, where nobody is constant."""
    n = votes.shape[1]
    copies, opposites, kept = {}, {}, []
    for i in sorted(range(n), key=lambda i: -(votes[:, i] >= 0).sum()):
        for j in kept:
            both = [row for row in votes if row[i] >= 0 and row[j] >= 0]
            contested = [row for row in both if len(set(row[row >= 0].tolist())) > 1]
            if len(contested) >= 30 and sum(r[i] == r[j] for r in contested) >= 0.98 * len(
                contested
            ):
                copies.setdefault(f"j{i}", f"j{j}")
        if f"j{i}" in copies:
            continue
        for j in kept:
            both = [row for row in votes if row[i] >= 0 and row[j] >= 0]
            if (
                n_labels == 2
                and len(both) >= 30
                and sum(r[i] == r[j] for r in both) <= 0.02 * len(both)
            ):
                opposites.setdefault(f"j{i}", f"j{j}")
        if f"j{i}" not in opposites:
            kept.append(i)
    return copies, opposites


@pytest.mark.parametrize("seed", range(8))
def test_in_a_crowd_pairs_are_those_that_are_counted_by_hand(seed):
    """Of workers with few votes and with many, some of whom hand in the votes of others."""
    rng = np.random.default_rng(seed)
    n_labels = 2 + seed % 2
    truth = rng.integers(0, n_labels, 250)
    votes = np.where(
        rng.random((250, 14)) < 0.7, truth[:, None], rng.integers(0, n_labels, (250, 14))
    )
    votes[:, 5] = votes[:, 1]
    votes[:, 6] = votes[:, 2]
    votes[:, 7] = (votes[:, 3] + 1) % n_labels
    votes[:, 8] = votes[:, 4]
    share = np.array([1, 0.9, 0.5, 0.8, 0.2, 0.6, 0.4, 0.7, 0.5, *[0.12, 0.1, 0.08, 0.05, 0.9]])
    votes[rng.random((250, 14)) >= share] = -1
    votes = votes[(votes >= 0).any(axis=1)]
    names = [f"j{i}" for i in range(14)]
    found = find_redundant_judges(sketch_of(votes, names, ["a", "b", "c"][:n_labels]))
    assert found.constant == {}
    assert (found.copies, found.opposites) == by_hand(votes, n_labels)
    assert found.copies["j5"] == "j1"
    assert bool(found.opposites) == (n_labels == 2)
