"""Items of two systems that were labelled because of their votes: found, and random draws are not."""

from __future__ import annotations

import numpy as np
import pytest
from simulated_systems import SystemWorld, simulate_systems

from askpoint.errors import InputError
from askpoint.judges.gold.system_pairs import pair_systems
from askpoint.judges.gold.system_proposal import propose_for_systems
from askpoint.judges.gold.system_selection import find_system_selection
from askpoint.judges.sketch.tables import VoteTable


@pytest.fixture(scope="module")
def tables():
    panels = simulate_systems(SystemWorld(difficulty=0.3, n_items=600), np.random.default_rng(4))
    names = tuple(f"i{k}" for k in range(600))
    judges = tuple("abcde")
    return [VoteTable(names, judges, ("fail", "pass"), panel.votes) for panel in panels]


@pytest.fixture(scope="module")
def pairs(tables):
    return pair_systems(*tables, "pass")


def seen(rows):
    found = np.zeros(600, dtype=bool)
    found[rows] = True
    return found


def shares(pairs):
    first, second = pairs.vote_share.reshape(2, -1)
    return first, second


def test_random_draws_are_not_refused(pairs):
    refused = 0
    for seed in range(25):
        rng = np.random.default_rng(seed)
        found = find_system_selection(
            pairs, seen(rng.choice(600, 60, replace=False)), rng, n_draws=1999
        )
        refused += found.is_uneven
        assert found.is_odd == (found.p_random < 0.05)
    assert refused <= 1  # at .005 more come once in 150 series


def test_proposed_items_are_not_refused(tables, pairs):
    for seed in range(5):
        rng = np.random.default_rng(seed)
        rows = [int(task[1:]) for task in propose_for_systems(*tables, 60, rng, passing="pass")]
        assert not find_system_selection(pairs, seen(rows), rng, n_draws=1999).is_selected


@pytest.mark.parametrize("how", ["new wins", "new loses", "both fail", "both alike"])
def test_items_chosen_by_their_votes_are_refused(pairs, how):
    first, second = shares(pairs)
    score = {
        "new wins": second - first,
        "new loses": first - second,
        "both fail": -(first + second),
        "both alike": -np.abs(first - second),
    }[how]
    refused = 0
    for seed in range(4):
        rng = np.random.default_rng(seed)
        third = np.argsort(-(score + 1e-9 * rng.random(600)))[:200]
        found = find_system_selection(
            pairs, seen(rng.choice(third, 60, replace=False)), rng, n_draws=1999
        )
        refused += found.is_selected
        assert sum(one.n_items for one in found.strata) == 600
        assert sum(one.n_labelled for one in found.strata) == 60
    assert refused == 4


def test_nothing_labelled_is_an_error(pairs):
    with pytest.raises(InputError, match="nothing to test"):
        find_system_selection(pairs, seen([]), np.random.default_rng(0))
