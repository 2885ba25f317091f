"""Questions for people: the next one by expected gain, weights and manner inferred jointly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from askpoint.elicitation.acquisition import Aim, Exchange, next_exchange
from askpoint.elicitation.particles import Particles
from askpoint.elicitation.posterior import Posterior, Prior
from askpoint.elicitation.preferences import log_ratio
from askpoint.elicitation.questionnaire import Question, QuestionStep, Script
from askpoint.elicitation.reliability import PairReply, Reliability, judge_replies
from askpoint.measures.inputs import FloatArray

__all__ = ["PairMaker", "WeightBelief", "bayesian_script"]

PairMaker = Callable[[Exchange], Question]
"""Makes the question of an exchange: the first outcome has more of the first weight."""

_CLEAR = np.log(4.0)
_REMEMBERED = 3  # questions
_REPEAT_EVERY = 10  # questions, of which one is an earlier one with its sides swapped


class WeightBelief(NamedTuple):
    """What answers say of weights, and how far they can be relied on.

    Attributes
    ----------
    cloud : Particles
        The weights.
    reliability : Reliability
        Of the answers.
    """

    cloud: Particles
    reliability: Reliability


def bayesian_script(
    pairs: PairMaker,
    features: FloatArray,
    prior: Prior,
    rng: np.random.Generator,
    *,
    budget: int = 20,
    radius: float = 0.0,
    repeat: bool = True,
    n_checks: int = 0,
    aim: Aim = "ratios",
) -> Script[WeightBelief]:
    """Ask a person until the weights are known well enough, or the questions are used up.

    Every tenth question is an earlier one with its sides swapped; it tells of the person, and
    is not counted as new evidence on the weights.
    """
    posterior = Posterior(prior, rng)
    replies: list[PairReply] = []
    asked: list[Question] = []
    for i in range(budget):
        belief = _belief(posterior, replies)
        if belief.cloud.radius() < radius:
            break
        again = None
        if repeat and i % _REPEAT_EVERY == _REPEAT_EVERY - 1:
            again = _clearest(belief.cloud, features, asked, replies)
            question = _swap_sides(asked[again])
            sides = replies[again].second, replies[again].first
        else:
            exchange = next_exchange(posterior, aim)
            question, sides = pairs(exchange), (exchange.first, exchange.second)
            if rng.random() < 0.5:
                question, sides = _swap_sides(question), (sides[1], sides[0])
        answer = yield QuestionStep(question, belief, budget - i + n_checks)
        asked.append(question)
        replies.append(PairReply(*sides, answer, again))
        if again is None:
            posterior.update(_difference(features, question), answer)
    for i in range(n_checks):
        question, reply = _clear_choice(posterior, pairs, rng)
        answer = yield QuestionStep(question, _belief(posterior, replies), n_checks - i)
        replies.append(replace(reply, answer=answer))
        posterior.update(_difference(features, question), answer)
    return _belief(posterior, replies)


def _clearest(
    cloud: Particles, features: FloatArray, asked: list[Question], replies: list[PairReply]
) -> int:
    """The question whose answer is plainest by now, of those not put twice and not just asked.

    Near indifference everybody contradicts themselves, and that would tell nothing.
    """
    repeats = {j: reply.repeats for j, reply in enumerate(replies) if reply.repeats is not None}
    twice = {*repeats, *repeats.values()}
    old = [i for i in range(len(asked) - _REMEMBERED) if i not in twice]
    weights = np.exp(cloud.mass @ np.log(np.maximum(cloud.shares, 1e-300)))
    changes = [weights * _difference(features, asked[i]) for i in old]
    clear = [
        abs(log_ratio(change.clip(min=0).sum(), (-change).clip(min=0).sum())) for change in changes
    ]
    return old[int(np.argmax(clear))]


def _clear_choice(
    posterior: Posterior, pairs: PairMaker, rng: np.random.Generator
) -> tuple[Question, PairReply]:
    """Two weights at random, well away from what they are worth to each other."""
    first, second = rng.choice(posterior.n_weights, 2, replace=False).tolist()
    prefers_first = bool(rng.random() < 0.5)
    middle = np.log(posterior.cloud.ratio(first, second)[0])
    away = -_CLEAR if prefers_first else _CLEAR
    question = pairs(Exchange(first, second, float(middle + away)))
    return question, PairReply(first, second, None, expected=prefers_first)


def _belief(posterior: Posterior, replies: list[PairReply]) -> WeightBelief:
    reliability = judge_replies(posterior, replies)
    return WeightBelief(posterior.cloud.widen(reliability.widening), reliability)


def _difference(features: FloatArray, question: Question) -> FloatArray:
    """What the first outcome has over the second, in units that the weights weigh."""
    return np.asarray(np.tensordot(features, question.first - question.second, 2))


def _swap_sides(question: Question) -> Question:
    classifiers = None if question.classifiers is None else question.classifiers[::-1]
    return Question(question.second, question.first, question.topic, question.details, classifiers)
