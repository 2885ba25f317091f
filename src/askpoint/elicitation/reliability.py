"""How far answers can be relied on: contradictions are a signal, not an error to fix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from askpoint.elicitation.posterior import Posterior
from askpoint.elicitation.respondents import Answer

__all__ = ["PairReply", "Reliability", "judge_replies"]

_CLEAR = np.log(5.0)  # five to one is a clear choice
_SCORE_LIMIT = 0.83  # before the first answer the score is .845
_STEADY, _FEWEST_TESTS, _CHANCE = 0.93, 3, 0.07  # what steady people confirm of plain questions
_SIDE_LIMIT = 0.02
_ONE_SIDED = 7
_WIDER = 0.2  # for each plain question answered otherwise, beyond those of steady people


@dataclass(frozen=True)
class PairReply:
    """An answer and where its question came from.

    Parameters
    ----------
    first, second : int
        The weight that the first outcome has more of, and the one that the second has more of.
    answer : bool or None
        True: the first, False: the second, None: about equal.
    repeats : int, optional
        Position of the reply whose question was put again with the sides swapped.
    expected : bool, optional
        What the weights say, for a clear choice put at the end as a check.
    """

    first: int
    second: int
    answer: Answer
    repeats: int | None = None
    expected: bool | None = None


@dataclass(frozen=True)
class Reliability:
    """How far the answers can be relied on.

    Parameters
    ----------
    score : float
        Chance that a clear choice, five to one, is answered as the weights say; 1/2 is a coin.
    n_repeats, n_agreeing : int
        Questions put twice with the sides swapped, and how many got the same answer.
    n_checks, n_confirmed : int
        Clear choices put at the end, and how many were answered as the weights say.
    signals : tuple of str
        What looks wrong: "careless" (the score is low), "contradicts" (more repeats and checks
        came out otherwise than steady people let happen), "first" or "second" (one side is
        taken whatever stands there), "one-sided:i" (weight i alone decides); of offers "lets" or
        "keeps" (nearly all were taken, or none, whatever they were).
    """

    score: float
    n_repeats: int
    n_agreeing: int
    n_checks: int
    n_confirmed: int
    signals: tuple[str, ...]

    @property
    def is_good(self) -> bool:
        """Whether nothing looks wrong."""
        return not self.signals

    @property
    def widening(self) -> float:
        """How many times as wide regions are as the answers alone would make them."""
        n = self.n_repeats + self.n_checks
        failed = n - self.n_agreeing - self.n_confirmed
        return 1 + _WIDER * max(0.0, failed - (1 - _STEADY) * n)


def judge_replies(posterior: Posterior, replies: Sequence[PairReply]) -> Reliability:
    """Judge how far answers can be relied on."""
    mass = posterior.cloud.mass
    chances = posterior.chances(np.full((len(mass), 1), _CLEAR))
    score = float(mass @ (chances.first + chances.equal / 2)[:, 0])
    repeats = [reply for reply in replies if reply.repeats is not None]
    agreeing = sum(_agree(reply, replies[reply.repeats or 0]) for reply in repeats)
    checks = [reply for reply in replies if reply.expected is not None]
    confirmed = sum(reply.answer == reply.expected for reply in checks)
    signals = []
    if len(replies) >= _ONE_SIDED and score < _SCORE_LIMIT:
        signals.append("careless")
    n_tests = len(repeats) + len(checks)
    if n_tests >= _FEWEST_TESTS and _is_unlikely(agreeing + confirmed, n_tests):
        signals.append("contradicts")
    decided = [reply.answer for reply in replies if reply.answer is not None]
    if decided and _two_sided(sum(decided), len(decided)) < _SIDE_LIMIT:
        signals.append("first" if 2 * sum(decided) > len(decided) else "second")
    signals += [f"one-sided:{i}" for i in range(posterior.n_weights) if _decides_alone(i, replies)]
    return Reliability(score, len(repeats), agreeing, len(checks), confirmed, tuple(signals))


def _is_unlikely(confirmed: int, n: int) -> bool:
    """Whether steady people would seldom confirm so few of n plain questions."""
    return bool(special.bdtr(confirmed, n, _STEADY) < _CHANCE)


def _two_sided(first: int, n: int) -> float:
    """Chance of so uneven a split of n fair coins, or a more uneven one (the exact binomial test)."""
    return min(1.0, 2 * float(special.bdtr(min(first, n - first), n, 0.5)))


def _agree(again: PairReply, before: PairReply) -> bool:
    """Whether swapped sides got the same answer; "about equal" agrees with either."""
    return again.answer is None or before.answer is None or again.answer != before.answer


def _decides_alone(weight: int, replies: Sequence[PairReply]) -> bool:
    """Whether what has more of a weight was taken in many questions, but for a lapse or so."""
    taken = [
        (reply.first == weight) == reply.answer
        for reply in replies
        if weight in (reply.first, reply.second) and reply.answer is not None
    ]
    return len(taken) >= _ONE_SIDED and taken.count(False) <= len(taken) / 10
