"""Simulated panels have the accuracies, the prevalence and the common errors they are asked for."""

import numpy as np
import pytest
from simulated_panels import PANEL_WORLDS, PanelWorld, simulate_panel
from simulated_systems import SYSTEM_WORLDS, SystemWorld, simulate_systems

MANY = 40_000


def error_correlation(panel, label):
    wrong = panel.votes[panel.truth == label] != label
    return np.corrcoef(wrong.T.astype(float))


@pytest.mark.parametrize("name", PANEL_WORLDS)
def test_every_world_has_what_it_says(name):
    world = PANEL_WORLDS[name]
    panel = simulate_panel(world, np.random.default_rng(1))
    n, k = world.n_items, sum(world.families)
    assert panel.votes.shape == (n, k)
    assert panel.truth.shape == (n,)
    low, high = world.prevalence
    assert low - 0.05 < panel.truth.mean() < high + 0.05
    for label, given in enumerate(world.accuracy):
        mine = panel.truth == label
        for judge in range(k if world.last is None else k - 1):
            voted = mine & (panel.votes[:, judge] >= 0)
            share = (panel.votes[voted, judge] == label).mean()
            asked = (given[judge],) * 2 if len(given) == k else given
            margin = 4 * 0.5 / np.sqrt(voted.sum())
            assert asked[0] - margin < share < asked[1] + margin
    gaps = (panel.votes < 0).mean(axis=0)
    assert gaps == pytest.approx(world.missing or [0] * k, abs=0.05)
    again = simulate_panel(world, np.random.default_rng(1))
    assert np.array_equal(again.votes, panel.votes)


def test_families_and_difficulty_make_errors_common():
    own = (0.8,) * 5
    world = PanelWorld((3, 1, 1), (own, own), (0.5, 0.5), kinship=0.4, n_items=MANY)
    rho = error_correlation(simulate_panel(world, np.random.default_rng(2)), 1)
    assert rho[0, 1] > 0.15
    assert rho[0, 3] == pytest.approx(0, abs=0.03)
    hard = PanelWorld((1,) * 5, (own, own), (0.5, 0.5), difficulty=0.4, n_items=MANY)
    rho = error_correlation(simulate_panel(hard, np.random.default_rng(2)), 0)
    assert rho[0, 1] > 0.15
    assert rho[0, 3] > 0.15


def test_the_last_judge_may_be_a_rogue_or_a_constant():
    rogue = simulate_panel(PANEL_WORLDS["rogue5"], np.random.default_rng(3))
    assert (rogue.votes[:, -1] == 1 - rogue.truth).all()
    const = simulate_panel(PANEL_WORLDS["const5"], np.random.default_rng(3))
    assert (const.votes[:, -1] == 1).all()


@pytest.mark.parametrize("name", SYSTEM_WORLDS)
def test_two_systems_are_judged_by_one_panel(name):
    world = SYSTEM_WORLDS[name]
    world = SystemWorld(world.passes, world.difficulty, world.favour, MANY)
    first, second = simulate_systems(world, np.random.default_rng(4))
    for panel, passes in zip((first, second), world.passes, strict=True):
        assert panel.votes.shape == (MANY, 5)
        assert panel.truth.mean() == pytest.approx(passes, abs=0.015)
    assert np.corrcoef(first.truth, second.truth)[0, 1] > 0.25
    passed = [
        [(p.votes[p.truth == label] == 1).mean() for p in (first, second)] for label in (0, 1)
    ]
    for (on_a, on_b), favour in zip(passed, (world.favour, world.favour / 3), strict=True):
        assert on_b - on_a == pytest.approx(favour, abs=0.025)
