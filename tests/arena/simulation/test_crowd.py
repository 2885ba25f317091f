from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import special

from askpoint.arena.simulation.crowd import COPY, SPAM, Habits, Person, moment
from askpoint.errors import InputError


def person(**given) -> Person:
    return Person("p", True, ["reds", "blues"], **given)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"cheaters": 1.1}, "cheaters is a share"),
        ({"search_precision": -0.1}, "search_precision is a share"),
        ({"n_players": 0}, "n_players must be at least 1"),
        ({"retrain": 0}, "retrain must be at least 1"),
        ({"n_judges": 2}, "a third judge"),
    ],
)
def test_habits_outside_their_range(changes, message):
    with pytest.raises(InputError, match=message):
        Habits(**changes)


def test_a_player_comes_to_do_what_pays_for_its_effort():
    rng, habits = np.random.default_rng(0), Habits(effort={"blues": 2.0})
    player = person()
    for _ in range(200):
        activity = player.choose(habits, rng)
        player.work(activity, habits)
        player.learn(activity, 500.0, first=True)  # the same points, at twice the effort
    assert player.tried["reds"] > 150
    assert player.effort == player.tried["reds"] + 2 * player.tried.get("blues", 0)


def test_a_cheater_spams():
    player = Person("p", False, ["reds"])
    assert player.choose(Habits(), np.random.default_rng(0)) == SPAM


def test_a_correction_changes_the_points_and_not_the_count():
    player = person()
    player.learn("reds", 800.0, first=True)
    player.learn("reds", -790.0, first=False)
    assert (player.points["reds"], player.tried["reds"], player.known_points) == (10.0, 1, 10.0)


def test_only_copiers_learn_to_copy():
    for copies in (False, True):
        player = person(copies=copies)
        player.succeed(3, "a find")
        player.succeed(4, "another")
        assert player.activities.count(COPY) == copies
        assert player.last == (4, "another")


def test_topics_are_discovered_at_the_stated_rate():
    rng, habits = np.random.default_rng(0), Habits(learning=0.25)
    players = [person() for _ in range(2000)]
    for player in players:
        player.discover(["reds", "blues", "greens"], habits, rng)
        player.discover(["reds", "blues"], habits, rng)  # nothing more to know
    found = sum("greens" in player.activities for player in players)
    assert 0.22 < found / 2000 < 0.28


@pytest.mark.parametrize("points", [0.0, 40.0, 60.0, 100.0, 1e9, -1e9])
def test_leaving_falls_with_known_points_per_effort(points):
    rng, habits = np.random.default_rng(0), Habits(leaving=0.5)
    player = person(known_points=points, effort=1.0)
    expected = 0.5 * special.expit((60 - points) / 20)
    left = np.mean([player.leaves(habits, rng) for _ in range(4000)])
    assert left == pytest.approx(expected, abs=4 * math.sqrt(0.25 / 4000))
    assert person().leaves(Habits(leaving=1.0, content=1e6), rng)


def test_time_passes_by_ticks():
    assert (moment(6) - moment(0)).total_seconds() == 60


def test_who_floods_files_variants_of_a_find_and_then_goes_on():
    player, rng = person(floods=True), np.random.default_rng(0)
    assert player.choose(Habits(), rng) != COPY
    player.flood(7, "a find")
    assert player.last == (7, "a find")
    n = player.left
    assert n > 1
    assert [player.choose(Habits(), rng) for _ in range(n)] == [COPY] * n
    assert player.choose(Habits(), rng) != COPY
