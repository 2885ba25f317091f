"""What cheats earn for certain, by the hour and by the visit, beside honest people.

A judge's visit is played by the very rules of the queue: which claims are gold cases, what the test says, and which
votes are final in the end. A player's visit is played by the pay of families. How often a spelling is told, and how
often judges tell a paraphrase, are numbers of the docs; all else follows from the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import numpy as np

from askpoint.arena.game.friends import suspects
from askpoint.arena.game.pay import PAPER_PAY, Pay
from askpoint.arena.game.same_finds import NEW, is_surely_repeating, settle_comparison
from askpoint.arena.game.terms import LEAST_LOOK, campaign_protocol
from askpoint.labelling.gold import gold_is_due
from askpoint.labelling.gold_test import speaks_against
from askpoint.labelling.protocol import Protocol
from askpoint.labelling.reviewer import Reviewer, see_gold

__all__ = [
    "HONEST_JUDGE",
    "HONEST_PLAYER",
    "JUDGES",
    "PLAYERS",
    "JudgeCheat",
    "PlayerCheat",
    "Visit",
    "judge_visit",
    "player_visit",
]

_Vote = tuple[str, bool]

_START = datetime(2026, 1, 1, tzinfo=UTC)
_SIGN_UP = 60.0  # seconds, with the training
_COMMON = 0.65  # of cases have the common answer
_SKILL = 0.08  # of the votes of who looks are wrong
_CASE = 60.0  # seconds of a search
_FINDS = 0.35  # of an honest player's cases are finds
_REWARD = 800  # points of a find
_N_JUDGES = 8
_CASES = 100  # of a player's visit
_SAID_SAME = 0.9  # of the same finds that are shown: a judge says so
_SAID_OTHER = 0.02  # of new finds: a judge says that one is the same as an own earlier one
_OWN_FINDS = (1, 5, 10, 20, 50, 100)
_SHOWN = (
    1.0,
    0.94,
    0.71,
    0.62,
    0.44,
    0.31,
)  # benchmarks/bench_paraphrases.py, among so many own finds


@dataclass(frozen=True)
class Visit:
    """Points that are final in the end, the seconds that they took, and whether a judge was stopped."""

    points: float
    seconds: float
    stopped: bool = False


@dataclass(frozen=True)
class JudgeCheat:
    """How somebody judges.

    Parameters
    ----------
    name : str
    seconds : float
        For a vote that is looked at.
    wrong : float
        Of the votes that are looked at.
    looks : callable
        From the number of votes so far, and a draw, to whether this case is looked at.
    knows : float
        Of the gold cases that the organiser gave, whose answers a friend has told.
    coin : bool
        Whether a case that is not looked at is answered by a coin's toss; else by what is common.
    """

    name: str
    seconds: float
    wrong: float = _SKILL
    looks: Callable[[int, float], bool] = lambda done, draw: True  # noqa: ARG005
    knows: float = 0.0
    coin: bool = False


def _never(done: int, draw: float) -> bool:
    del done, draw
    return False


def _first(n: int) -> Callable[[int, float], bool]:
    return lambda done, draw: done < n  # noqa: ARG005


def _half(done: int, draw: float) -> bool:
    del done
    return draw < 0.5


HONEST_JUDGE = JudgeCheat("honest, 8% wrong, 15 s a vote", 15)

JUDGES = (
    JudgeCheat("honest, 4% wrong, 8 s", 8, 0.04),
    JudgeCheat("honest, 15% wrong, 15 s", 15, 0.15),
    JudgeCheat("honest, 8% wrong, slow: 40 s", 40),
    JudgeCheat("poor, 20% wrong, 15 s", 15, 0.2),
    JudgeCheat("clicks the common answer", 2, looks=_never),
    JudgeCheat("tosses a coin", 2, looks=_never, coin=True),
    JudgeCheat("careful for 20 votes, then clicks", 15, looks=_first(20)),
    JudgeCheat("careful for 60 votes, then clicks", 15, looks=_first(60)),
    JudgeCheat("looks at every second case", 15, looks=_half),
    JudgeCheat("knows half of the given gold, clicks the rest", 2, looks=_never, knows=0.5),
    JudgeCheat("knows 90% of the given gold, clicks the rest", 2, looks=_never, knows=0.9),
)
"""Honest people of other habits, and cheats."""


def judge_visit(
    who: JudgeCheat,
    rng: np.random.Generator,
    *,
    votes: int = 240,
    pay: Pay = PAPER_PAY,
    protocol: Protocol | None = None,
) -> Visit:
    """Play one judge's visit to a campaign that ends after so many votes.

    Gold beyond the first claims is made of cases that others have ruled on, and so nobody was told its answer.
    """
    rules = protocol or campaign_protocol(least_look=LEAST_LOOK)
    judge = Reviewer("judge", "campaign", _START)
    seconds, final, n_gold = _SIGN_UP, 0, [0, 0]
    for done in range(votes):
        draw, look, right, toss, known, truth = rng.random(6)
        gold = gold_is_due(rules, judge, draw)
        rare = bool(n_gold[1] < n_gold[0]) if gold else bool(truth > _COMMON)
        given = gold and judge.gold_seen < rules.gold_first
        looked = who.looks(done, look)
        told = given and known < who.knows
        if looked:
            is_right = bool(right >= who.wrong)
        elif told:
            is_right = True
        else:
            is_right = bool(toss < 0.5) if who.coin else not rare
        hurried = max(2.0, rules.least_look.total_seconds())
        seconds += max(who.seconds, hurried) if looked else hurried
        judge = replace(judge, held=judge.held + 1, voted=judge.voted + (not gold))
        if gold:
            n_gold[rare] += 1
            judge = see_gold(judge, right=is_right, protocol=rules, now=_START)
            final, judge = final + judge.due, replace(judge, due=0)
            if judge.stopped:
                return Visit(final * pay.vote, seconds, stopped=True)
    if not speaks_against(judge.evidence):
        final += judge.held
    return Visit(final * pay.vote, seconds)


@dataclass(frozen=True)
class PlayerCheat:
    """How somebody plays, once a find is made.

    Parameters
    ----------
    name : str
    again : int
        Variants of each find that are submitted, too.
    seconds : float
        For each of them.
    told : float
        Share of them that prints tell as a repeat of the own find; the rest judges compare.
    of_finds : float
        Share of the finds that are submitted again.
    friends : int
        Of eight judges, those who find an error wherever this player says so.
    search : float
        Seconds of a search.
    """

    name: str
    again: int = 0
    seconds: float = 10.0
    told: float = 1.0
    of_finds: float = 1.0
    friends: int = 0
    search: float = _CASE


HONEST_PLAYER = PlayerCheat("honest, 60 s a case")

PLAYERS = (
    PlayerCheat("honest, 30 s a case", search=30),
    PlayerCheat("honest, 180 s a case", search=180),
    PlayerCheat("25 spellings of each find", 25, told=0.99),
    PlayerCheat("the spelling that is least like a duplicate, of each find", 1, told=0.95),
    PlayerCheat("own paraphrases of each find, one a minute", 4, seconds=60, told=0.0),
    PlayerCheat("own paraphrases of each find, six a minute", 4, seconds=10, told=0.0),
    PlayerCheat("a paraphrase of each tenth find, six a minute", 1, 10, told=0.0, of_finds=0.1),
    PlayerCheat("two of eight judges are friends, 10 s a text", friends=2, search=10),
)
"""Honest players of other speeds, and cheats."""


def player_visit(
    who: PlayerCheat, rng: np.random.Generator, *, cases: int = _CASES, pay: Pay = PAPER_PAY
) -> Visit:
    """Play a player's visit of so many searches; texts that are no finds win where friends and errors decide.

    All of it is held when the visit ends, so that others judge again what suspects decided, and the finds of who
    surely repeats own ones are not paid.
    """
    points, seconds, finds, same = 0.0, _SIGN_UP, 0, 0
    bought: list[tuple[list[_Vote], list[int]]] = []
    for _ in range(cases):
        seconds += who.search
        points += pay.base
        if who.friends:
            order = rng.permutation(_N_JUDGES).tolist()
            bought.append((_votes(order, who.friends, rng), order))
            continue
        if rng.random() >= _FINDS:
            continue
        finds += 1
        same += _draw_same(0.0 if finds == 1 else _SAID_OTHER, rng)
        again = who.again if rng.random() < who.of_finds else 0
        for _ in range(again):
            seconds += who.seconds
            if rng.random() < who.told:
                continue
            points += pay.base
            finds += 1
            shown = rng.random() < np.interp(finds, _OWN_FINDS, _SHOWN)
            same += _draw_same(_SAID_SAME if shown else 0.0, rng)
    seen = is_surely_repeating(same, finds)
    points += _REWARD * (finds - same) * (not seen) - pay.base * same
    return Visit(points + _REWARD * _count_bought(bought, who.friends, rng), seconds)


def _draw_same(chance: float, rng: np.random.Generator) -> bool:
    """Tell whether judges settle that a find is the same as an earlier one, each saying so with a chance."""
    answers: list[str] = []
    while (settled := settle_comparison(answers)) is None:
        answers.append("same" if rng.random() < chance else NEW)
    return settled != NEW


def _votes(judges: Sequence[int], n_friends: int, rng: np.random.Generator) -> list[_Vote]:
    """Return the votes on a text that is no find until two agree: friends call it one, others by error."""
    votes: list[_Vote] = []
    for judge in judges[:3]:
        votes.append((str(judge), judge < n_friends or bool(rng.random() < _SKILL)))
        if len(votes) == 2 and votes[0][1] == votes[1][1]:
            break
    return votes


def _count_bought(
    cases: Sequence[tuple[list[_Vote], list[int]]], n_friends: int, rng: np.random.Generator
) -> int:
    """Return how many texts that are no finds are paid as finds, when others were asked in place of suspects."""
    named, count = suspects([votes for votes, _ in cases], _N_JUDGES), 0
    for votes, order in cases:
        finders = {judge for judge, found in votes if found}
        aside = {judge for some in named if some <= finders for judge in some}
        if len(finders) == 2 and aside:
            out = dict(votes).keys() | {judge for some in named for judge in some}
            others = [judge for judge in order if str(judge) not in out]
            left = [found for judge, found in votes if judge not in aside]
            while left.count(True) < 2 > left.count(False):
                judge = others.pop(0)
                left.append(judge < n_friends or bool(rng.random() < _SKILL))
            count += left.count(True) == 2
        else:
            count += len(finders) == 2
    return count
