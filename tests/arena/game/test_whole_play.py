"""The whole game at random: a state machine, and 100,000 moves with a replay of the ledger."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from arena.game.play import N_CALLS, Play
from arena.game.scene import HATE, terms
from askpoint.arena.game.pay import Pay, hourly_pay
from askpoint.arena.game.terms import Sought
from askpoint.labelling.protocol import Protocol
from askpoint.measures.cost_matrix import CostMatrix

JOBS = CostMatrix.zero_one(["design", "statistics", "writing"])
DEAR = CostMatrix(["normal", "hate"], [[0, 1], [9, 0]])
TERMS = [
    terms(**given)
    for given in (
        {},
        {"designs": [1], "tries_per_hour": 4},
        {"designs": [1, 2], "protocol": Protocol(skips_free=0)},
        {"designs": [1, 2, 3], "precision_floor": 0.9},
        {"designs": [1, 2, 3, 4]},
        {"costs": DEAR, "sought": HATE},
        {"costs": JOBS, "sought": Sought("design", "statistics")},
        {"costs": JOBS, "designs": [1, 4], "protocol": Protocol(votes=3)},
        {
            "costs": JOBS,
            "designs": [1, 2, 5],
            "protocol": Protocol(votes=1, gold_least=4, gold_accuracy=0.9),
        },
        {"pay": hourly_pay(1200, seconds_per_case=60, seconds_per_vote=15)},
        {"pay": Pay(base=0, vote=0)},
    )
]
REFUSED = [
    "already-open",
    "appeal-late",
    "appealed-before",
    "barred",
    "budget",
    "clock",
    "exact-duplicate",
    "no-claim",
    "not-open",
    "not-own-case",
    "not-referred",
    "not-ruled",
    "other-pool",
    "overdrawn",
    "paused",
    "second-vote",
    "still-open",
    "submitted-before",
    "suspended",
    "too-little",
    "too-many-skips",
    "too-many-tries",
    "turned-away",
    "unknown",
    "untrained",
]
UNIT = st.floats(0, 1, exclude_max=True)


class Game(RuleBasedStateMachine):
    @initialize(which=st.sampled_from(TERMS), points=st.integers(1, 20_000))
    def begin(self, which, points):
        self.play = Play(which, points)

    @rule(which=st.integers(0, N_CALLS - 1), a=UNIT, b=UNIT, c=UNIT)
    def move(self, which, a, b, c):
        self.play.call(which, a, b, c)

    @rule(judge=UNIT, case=UNIT, choice=UNIT)
    def train_claim_vote(self, judge, case, choice):
        for which, b, c in ((10, 0.0, 0.0), (3, case, 0.0), (5, case, choice)):
            self.play.call(which, judge, b, c)

    @rule(player=UNIT, sure=UNIT, c=UNIT)
    def try_and_submit(self, player, sure, c):
        for which, b in ((0, sure), (1, 0.0)):
            self.play.call(which, player, b, c)

    @invariant()
    def laws(self):
        if hasattr(self, "play"):
            self.play.check()


Game.TestCase.settings = settings(deadline=None, max_examples=50, stateful_step_count=60)
test_state_machine = Game.TestCase


def random_play(seed: int, n_calls: int) -> Play:
    """Play at random; the laws hold at the start and after each move, so before the next one."""
    rng = np.random.default_rng(seed)
    play = Play(TERMS[seed % len(TERMS)], int(rng.integers(1_310, 60_000)))
    play.check()
    for i, (which, a, b, c) in enumerate(rng.random((n_calls, 4)).tolist()):
        play.call(int(which * N_CALLS), a, b, c)
        play.check_money()
        if i % 100 == 0:
            play.check()
    play.check()
    return play


def go_everywhere(seeds: range, n_calls: int) -> None:
    """Play from each seed; together the plays must meet every state and every refusal."""
    refused: Counter[str] = Counter()
    states: Counter[str] = Counter()
    made = 0
    for seed in seeds:
        play = random_play(seed, n_calls)
        refused += play.refused
        made += play.made
        states += play.states
        states["void"] += sum(
            vote.void for item in play.game.rulings.values() for vote in item.votes
        )
        states["corrected"] += sum(item.reverses is not None for item in play.game.ledger)
    assert made > 0.4 * len(seeds) * n_calls
    assert set(states) >= {"open", "ruled", "referred", "appealed", "final", "void", "corrected"}
    assert set(states) >= {"drawn open", "drawn ruled", "drawn referred", "drawn final"}
    assert set(states) >= {"planned", "sending", "lookup", "unknown", "sent", "cancelled"}
    assert set(refused) == set(REFUSED), set(refused) ^ set(REFUSED)


@pytest.mark.no_cover
@pytest.mark.soak
def test_fifteen_thousand_moves():
    go_everywhere(range(15), 1000)


def test_campaigns_never_exceed_their_budget():
    for seed in range(1000, 1000 + 5 * len(TERMS)):
        random_play(seed, 60)


@pytest.mark.soak
def test_a_hundred_thousand_moves():
    go_everywhere(range(100), 1000)


@pytest.mark.soak
def test_a_thousand_campaigns_never_exceed_their_budget():
    for seed in range(1000, 2000):
        random_play(seed, 60)


@pytest.mark.soak
def test_a_million_moves():
    for seed in range(2000, 3000):
        random_play(seed, 1000)
