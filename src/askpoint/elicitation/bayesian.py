"""Questions for people: the next one by expected gain, weights and manner inferred jointly."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from askpoint.elicitation.choosing import Aim, Exchange, next_exchange
from askpoint.elicitation.cloud import Cloud
from askpoint.elicitation.posterior import Posterior, Prior
from askpoint.elicitation.questionnaire import Question, Script, Step
from askpoint.elicitation.reliability import Reliability, Reply, judge_replies
from askpoint.measures.inputs import FloatArray

__all__ = ["PairMaker", "WeightBelief", "bayesian_script"]

PairMaker = Callable[[Exchange], Question]
"""Makes the question of an exchange: the first outcome has more of the first weight."""

_REPEAT_EVERY = 10  # questions, of which one is an earlier one with its sides swapped


class WeightBelief(NamedTuple):
    """What answers say of weights, and how far they can be relied on.

    Attributes
    ----------
    cloud : Cloud
        The weights.
    reliability : Reliability
        Of the answers.
    """

    cloud: Cloud
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
    aim: Aim = "ratios",
) -> Script[WeightBelief]:
    """Ask a person until the weights are known well enough, or the questions are used up.

    Every tenth question is an earlier one with its sides swapped; it tells of the person, and
    is not counted as new evidence on the weights.

    Parameters
    ----------
    pairs : callable
        Makes a question of an exchange.
    features : ndarray of shape (n_weights, k, k) or (n_weights, k, k + 1)
        How much of what each weight weighs there is in each cell of a confusion matrix.
    prior : Prior
        What is thought of the weights before.
    rng : numpy Generator
        Draws particles and sides.
    budget : int, default=20
        Greatest number of questions.
    radius : float, default=0
        Stop when the belief's radius is smaller.
    repeat : bool, default=True
        Whether to put questions twice.
    aim : {"ratios", "shares"}
        What is to become certain.

    Yields
    ------
    Step
        A question, what is believed so far, and how many questions remain at most.

    Returns
    -------
    WeightBelief

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.elicitation.bayesian import bayesian_script
    >>> from askpoint.elicitation.oracles import ExactOracle
    >>> from askpoint.elicitation.posterior import DirichletPrior
    >>> from askpoint.elicitation.questionnaire import Question, Questionnaire, ask
    >>> def pair(exchange):
    ...     m = exchange.m
    ...     return Question(np.diag([1 - m, 0]), np.diag([0, m]), "classes 0 and 1")
    >>> features = np.array([np.diag([1, 0]), np.diag([0, 1])])
    >>> rng = np.random.default_rng(0)
    >>> script = lambda: bayesian_script(pair, features, DirichletPrior(2), rng)
    >>> belief = ask(Questionnaire(script, {}, ""), ExactOracle(lambda c: c @ [3, 1] @ [1, 1]))
    >>> bool(abs(belief.cloud.weights[0] - 0.75) < 0.05)
    True
    """
    posterior = Posterior(prior, rng)
    replies: list[Reply] = []
    asked: list[Question] = []
    for i in range(budget):
        belief = _belief(posterior, replies)
        if belief.cloud.radius() < radius:
            return belief
        again = None
        if repeat and i % _REPEAT_EVERY == _REPEAT_EVERY - 1:
            # not the last ones, which are remembered; never a repeat of a repeat
            old = [j for j, reply in enumerate(replies[: i - 3]) if reply.repeats is None]
            again = old[int(rng.integers(len(old)))]
            question = _swapped(asked[again])
            sides = replies[again].second, replies[again].first
        else:
            exchange = next_exchange(posterior, aim)
            question, sides = pairs(exchange), (exchange.first, exchange.second)
            if rng.random() < 0.5:
                question, sides = _swapped(question), (sides[1], sides[0])
        answer = yield Step(question, belief, budget - i)
        asked.append(question)
        replies.append(Reply(*sides, answer, again))
        if again is None:
            difference = np.tensordot(features, question.first - question.second, 2)
            posterior.update(difference, answer)
    return _belief(posterior, replies)


def _belief(posterior: Posterior, replies: list[Reply]) -> WeightBelief:
    return WeightBelief(posterior.cloud, judge_replies(posterior, replies))


def _swapped(question: Question) -> Question:
    classifiers = None if question.classifiers is None else question.classifiers[::-1]
    return Question(question.second, question.first, question.topic, question.details, classifiers)
