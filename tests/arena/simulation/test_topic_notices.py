"""A topic is searched by nobody until it is told; and the notice is read off the rulings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena.game.small import small_world
from askpoint.arena.simulation.crowd import Habits
from askpoint.arena.simulation.experiment import terms_of
from askpoint.arena.simulation.topic_notices import notices_of, play_with_notice, tellable
from askpoint.errors import InputError

WORLD = small_world()
SMALL = Habits(n_players=8, delay=10, n_gold=10, cheaters=0.0)


def told(after, seed=1, n_cases=90):
    rng = np.random.default_rng(seed)
    return play_with_notice(WORLD, terms_of(WORLD, 3), SMALL, rng, n_cases=n_cases, after=after)


def test_nobody_searches_a_topic_before_it_is_told_and_all_may_after():
    end, topic = told(40)
    assert topic in tellable(WORLD)
    mine = [filed.activity == topic for filed in end.filed.values()]
    assert not any(mine[:40])
    assert any(mine[40:])
    silent, topic = told(None)
    assert not any(filed.activity == topic for filed in silent.filed.values())


def test_notices_are_counted_from_the_first_judged_case_of_the_topic():
    end, topic = told(40, n_cases=150)

    def words(row, _):
        return "something" + ("else" if WORLD.topics[row] == topic else "")

    found = notices_of(end, topic, words)
    assert found.n_judged == 150
    assert found.told is not None
    assert found.told > 30
    assert found.early + (found.first is not None) <= (150 - 50) // 10
    assert found.n_quiet == max(0, (found.told - 1 - 50) // 10)
    if found.first is not None:
        assert found.first >= found.told
    quiet, other = told(None, n_cases=90)
    nothing = notices_of(quiet, other, words)
    assert (nothing.told, nothing.first, nothing.n_quiet) == (None, None, 4)


def test_when_it_is_told_lies_within_the_campaign():
    for after in (0, 90):
        with pytest.raises(InputError, match="announced after 1 to 89"):
            told(after)


def test_without_an_island_of_the_sought_class_nothing_can_be_told():
    bare = replace(WORLD, islands=np.zeros_like(WORLD.islands))
    assert tellable(bare) == []
    with pytest.raises(InputError, match="the model has no island with the sought class"):
        play_with_notice(bare, terms_of(WORLD, 3), SMALL, np.random.default_rng(1), n_cases=90)


@pytest.mark.parametrize("seed", [16, 34])
def test_who_comes_after_a_topic_was_told_knows_it(seed):
    """Besides the one ground that each draws, and from the beginning on."""
    habits, rng = replace(SMALL, topics_known=1), np.random.default_rng(seed)
    end, topic = play_with_notice(WORLD, terms_of(WORLD, 3), habits, rng, n_cases=60, after=5)
    newcomers = end.people[SMALL.n_players :]
    assert newcomers
    assert all(one.activities[1] == topic != one.activities[0] for one in newcomers)
