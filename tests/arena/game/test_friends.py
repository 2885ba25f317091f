"""Judges who call too many of one player's cases finds: who is named, who is not, what it does to an award."""

from __future__ import annotations

import numpy as np
import pytest

from arena.game.scene import NOW, arena, submitted
from askpoint.arena.game.friends import suspects, suspicious_judges
from askpoint.arena.game.held_pay import LONGEST_HOLD
from askpoint.arena.game.terms import campaign_protocol
from askpoint.arena.simulation.visits import PLAYERS, player_visit

JUDGES = ("bob", "beth", "bill", "ben", "bea", "brian", "bess")


def cases_of(rng, *, finds, wrong, n=100, friends=()):
    """Votes on a player's cases by judges drawn by the queue; the first two who agree rule."""
    cases = []
    for _ in range(n):
        is_find, votes = rng.random() < finds, []
        for judge in rng.permutation(JUDGES)[:3]:
            votes.append((str(judge), judge in friends or bool(is_find != (rng.random() < wrong))))
            if len(votes) == 2 and votes[0][1] == votes[1][1]:
                break
        cases.append(votes)
    return cases


@pytest.mark.parametrize("wrong", [0.08, 0.2])
def test_who_judges_honestly_is_not_named(wrong):
    rng = np.random.default_rng(5)
    named = [suspects(cases_of(rng, finds=0.35, wrong=wrong), len(JUDGES)) for _ in range(300)]
    assert sum(map(bool, named)) <= 2  # one in a thousand each, alone and in pairs


def test_a_friend_is_named_alone_where_no_second_one_helps():
    rng = np.random.default_rng(6)
    for _ in range(30):
        cases = cases_of(rng, finds=0.0, wrong=0.08, friends=("bob",))
        assert suspicious_judges(cases, len(JUDGES)) == {"bob"}
    few = cases_of(rng, finds=0.0, wrong=0.08, friends=("bob",), n=8)
    assert suspicious_judges(few, len(JUDGES)) == frozenset()  # of so few nobody can tell


def test_where_two_judge_or_nobody_else_voted_no_judge_is_named():
    alone = [[("bob", True), ("beth", False)]] * 20
    assert suspicious_judges(alone, 2) == frozenset()
    assert suspicious_judges(alone, 3) == {"bob"}
    assert suspicious_judges([[("bob", True)]] * 20, 3) == frozenset()


def test_what_a_friend_and_anothers_error_decided_is_judged_by_others():
    game = arena(
        judges=JUDGES[:4],
        protocol=campaign_protocol(gold_first=0, gold_share=1e-9),
        precision_floor=0,
    )
    game.next_case = lambda *_, **__: game.rulings[at]

    def vote(judge, choice, now=NOW):
        game.claim(judge, now)
        game.vote(judge, at, choice, now)

    for number in range(12):
        at = submitted(game, f"no find {number}").id
        other, third = JUDGES[1 + number % 3], JUDGES[1 + (number + 1) % 3]
        vote("bob", "hate")
        if number == 11:
            vote("beth", "hate")  # by error
        else:
            vote(other, "normal")
            vote(third, "normal")
    game.finish(NOW + LONGEST_HOLD)
    assert game.rulings[at].state == "open"
    assert game.rulings[at].counted[0].reviewer == "beth"  # bob's vote alone is set aside
    for judge in ("bill", "ben"):
        vote(judge, "normal", NOW + LONGEST_HOLD)
    game.finish(NOW + 2 * LONGEST_HOLD)
    assert game.withdrawable("alice") == 12 * 10


def test_friends_who_judge_bring_less_than_an_honest_hour():
    who = next(one for one in PLAYERS if one.friends)
    honest = PLAYERS[0]  # at 30 s a case
    visits = [player_visit(who, np.random.default_rng(seed)) for seed in range(40)]
    usual = [player_visit(honest, np.random.default_rng(seed)) for seed in range(40)]

    def an_hour(played):
        return sum(one.points for one in played) / sum(one.seconds for one in played)

    assert an_hour(visits) < an_hour(usual) / 2
