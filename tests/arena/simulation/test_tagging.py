"""The simulated tag challenge plays the game's own rules, and ends with better labels."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from arena.game.small import small_world
from askpoint.arena.game.ledger import Ledger
from askpoint.arena.game.transaction import LedgerAccount
from askpoint.arena.simulation.crowd import Habits
from askpoint.arena.simulation.tagging import play_tags
from askpoint.errors import InputError

WORLD = small_world()
SMALL = Habits(n_players=8, delay=20, n_gold=10, judge_error=0.0, cheaters=0.0)


def played(seed=0, **given):
    return play_tags(WORLD, replace(SMALL, **given), np.random.default_rng(seed), n_items=60)


def test_where_nobody_errs_each_wrong_label_is_challenged_once_and_replaced():
    end = played()
    wrong = end.n_items - end.right_before
    assert wrong > 0
    assert (end.right_after, end.corrected, end.spoiled) == (end.n_items, wrong, 0)
    assert end.n_challenges == end.n_better == wrong  # nobody proposes what is wrong
    assert end.cheat_points == 0


def test_people_who_err_and_cheats_are_held_by_judges_and_the_books_agree():
    end = played(3, judge_error=0.1, cheaters=0.5)
    assert end.n_challenges > end.n_better > 0
    assert end.right_after - end.right_before == end.corrected - end.spoiled
    assert end.honest_points > end.cheat_points > 0
    ledger = end.arena.ledger
    assert Ledger(ledger).balances == ledger.balances
    assert ledger.balance(LedgerAccount("reserved", "simulated")) == 0
    judged = [probe for probe in end.arena.probes.values() if probe.truth is not None]
    assert end.paid == sum(probe.awarded for probe in judged) + 100 * sum(
        len(ruling.votes) for ruling in end.arena.rulings.values()
    )
    assert played(3, judge_error=0.1, cheaters=0.5)[:-1] == end[:-1]


def test_there_must_be_so_many_cases():
    with pytest.raises(InputError, match="were asked for"):
        play_tags(WORLD, SMALL, np.random.default_rng(0), n_items=10**6)


def test_who_challenges_only_what_is_right_is_suspended_and_another_comes():
    perfect = replace(WORLD, proba=np.eye(WORLD.proba.shape[1])[WORLD.truths])
    habits = replace(SMALL, cheaters=1.0)
    end = play_tags(perfect, habits, np.random.default_rng(0), n_items=150)
    assert (end.right_before, end.n_better) == (150, 0)
    assert len(end.arena.players) > SMALL.n_players
    filed = Counter(probe.player for probe in end.arena.probes.values())
    assert (
        max(filed.values()) < 19 + SMALL.delay
    )  # 19 ruled against suspend; some were on their way
