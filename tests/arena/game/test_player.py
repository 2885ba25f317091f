from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from arena.game.scene import NOW, SURE, arena
from askpoint.arena.game.player import (
    PlayerState,
    bar_player,
    check_player,
    is_suspended,
    readmit_player,
)
from askpoint.errors import RuleError


def player(judged: int, found: int) -> PlayerState:
    return PlayerState("eve", "hate", NOW, judged, found)


@pytest.mark.parametrize("judged", [0, 1, 5, 18, 19, 40, 100, 400])
def test_suspension_is_the_exact_binomial_test(judged):
    for found in range(judged + 1):
        exact = stats.binomtest(found, judged, 0.15, alternative="less").pvalue if judged else 1
        assert is_suspended(player(judged, found), 0.15) == (exact < 0.05)


def test_nothing_found_in_19_suspends_and_in_18_does_not():
    assert [is_suspended(player(n, 0), 0.15) for n in (18, 19)] == [False, True]
    assert not is_suspended(player(1000, 0), 0.0)


def test_an_honest_player_is_hardly_ever_suspended():
    """However often it is looked at: the exact chance within 100 cases at the paper's 27%."""
    limits = [
        max((found for found in range(n + 1) if is_suspended(player(n, found), 0.15)), default=-1)
        for n in range(101)
    ]

    def ever_suspended(precision: float) -> float:
        alive, gone = np.zeros(102), 0.0
        alive[0] = 1.0
        for n in range(1, 101):
            alive[1:] = alive[1:] * (1 - precision) + alive[:-1] * precision
            alive[0] *= 1 - precision
            gone += alive[: limits[n] + 1].sum()
            alive[: limits[n] + 1] = 0
        return gone

    assert ever_suspended(0.27) < 0.005
    assert ever_suspended(0.02) > 0.9


def test_who_may_play():
    check_player(player(0, 0), "hate", 0.15)
    for eve, rule in (
        (player(19, 0), "suspended"),
        (bar_player(player(0, 0), NOW), "barred"),
        (PlayerState("eve", "spam", NOW), "other-campaign"),
    ):
        with pytest.raises(RuleError) as caught:
            check_player(eve, "hate", 0.15)
        assert caught.value.rule == rule
    again = readmit_player(bar_player(player(19, 0), NOW), NOW)
    assert again == player(0, 0)


def test_a_suspended_player_neither_tries_nor_submits():
    game = arena()
    probe = game.try_case("eve", "one", SURE, NOW)
    game.players["eve"] = player(19, 0)
    with pytest.raises(RuleError, match="0 of 19 judged cases"):
        game.try_case("eve", "two", SURE, NOW)
    with pytest.raises(RuleError, match="the organiser can readmit"):
        game.submit(probe.id, NOW)
