"""Posterior bisection: chords at the median of what is believed, for answers that are turned at random.

Halving forgets: one wrong answer sends it into the wrong half for good, so each question must be put
several times. Here every answer reweighs the whole simplex, and the next chord is the one that is
expected to move the weights most.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from askpoint.elicitation.acquisition import Exchange, next_exchange
from askpoint.elicitation.algorithms.trade_offs import Staircase, TradeOff
from askpoint.elicitation.elicited_weights import ElicitedWeights
from askpoint.elicitation.manners import FlippingManner
from askpoint.elicitation.posterior import DirichletPrior, Posterior
from askpoint.elicitation.questionnaire import Question, QuestionStep, Script
from askpoint.elicitation.samples import Sample
from askpoint.errors import InputError

__all__ = ["posterior_diagonal"]

# a walk in more dimensions takes more steps: with 8 of them 71% of the intervals of ten classes held the truth,
# of 90% each, and 75% of the weights were found after 193 answers (docs/evidence/elicitation.md)
_LEAST_MOVES = 8


def posterior_diagonal(
    sample: Sample,
    tolerance: float,
    *,
    rng: np.random.Generator,
    flips: float = 0.0,
    n_questions: int = 60,
) -> Script[ElicitedWeights]:
    """Elicit class weights from answers that are turned round with a known probability.

    References
    ----------
    Horstein, IEEE Transactions on Information Theory 9 (1963), for one unknown; the choice among pairs
    by the expected shift of the posterior mean is this project's.
    """
    if n_questions < 1:
        raise InputError(
            f"posterior bisection must ask once at least; got n_questions={n_questions}"
        )
    posterior = Posterior(
        DirichletPrior(sample.k),
        rng,
        n_moves=max(_LEAST_MOVES, 4 * sample.k - 8),
        manner=FlippingManner(flips),
    )

    @cache
    def trade_off(first: int, second: int) -> TradeOff:
        return TradeOff.of(Staircase.of(sample, first, second), sample.classes)

    def question(exchange: Exchange) -> Question:
        first, second, m = exchange.first, exchange.second, exchange.m
        p, q = trade_off(first, second).pair(m)
        names = f"{sample.classes[first]} and {sample.classes[second]}"
        details = {"pivot": first, "other": second, "m": round(m, 9)}
        return Question(p.confusion, q.confusion, f"classes {names}", details, (p.rule, q.rule))

    def estimate() -> ElicitedWeights:
        cloud = posterior.cloud
        return ElicitedWeights(
            "diagonal",
            sample.classes,
            cloud.weights,
            cloud.interval(),
            details={"radius": cloud.radius(), "flips": flips},
        )

    for asked in range(n_questions):
        found = estimate()
        if found.details["radius"] < tolerance:
            return found
        step = QuestionStep(
            question(next_exchange(posterior, "shares")), found, n_questions - asked
        )
        answer = yield step
        posterior.update(np.diagonal(step.question.first - step.question.second), answer)
    return estimate()
