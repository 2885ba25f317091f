"""The reject option: what a wrong answer costs, beside what a right one gains, against asking.

First the direct exchange rate, "how many cases would you have a person check to catch one
mistake?", then choices: of some cases that now go to a person, the system would decide so many
right and so many wrong. Let it?
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from askpoint.elicitation.acquisition import expected_gain
from askpoint.elicitation.particles import LEVEL, Particles
from askpoint.elicitation.posterior import Posterior, SeverityPrior
from askpoint.elicitation.questionnaire import Question, Questionnaire, QuestionStep, Script
from askpoint.elicitation.reliability import PairReply, Reliability, judge_replies
from askpoint.errors import InputError
from askpoint.measures.exchange import ExchangeRate
from askpoint.measures.inputs import FloatArray, as_choice, as_level
from askpoint.measures.intervals import Interval

__all__ = ["AbstentionOffer", "OmegaBelief", "omega_questionnaire", "omega_worth"]

_NO_GUESS = math.log(10)
_SPREAD_OF_GUESS = 1.0  # a stated rate is off by a factor e in one case of three
_SPREAD_WITHOUT = 2.2
_NEARLY_BEST = 0.95
_DEFAULT_QUESTIONS = 10


class AbstentionOffer(NamedTuple):
    """Of some cases that now go to a person, the system would decide so many right.

    Attributes
    ----------
    n : int
        Cases.
    right : int
        How many of them it would decide right.
    """

    n: int
    right: int

    @property
    def wrong(self) -> int:
        """How many of them it would decide wrong."""
        return self.n - self.right

    def question(self) -> Question:
        """Return it as two confusion matrices of two classes: the system decides for class 0."""
        right, wrong = self.right / self.n, self.wrong / self.n
        decide: FloatArray = np.array([[right, 0, 0], [wrong, 0, 0]])
        ask_person: FloatArray = np.array([[0, 0, right], [0, 0, wrong]])
        details = {"n": self.n, "right": self.right}
        return Question(decide, ask_person, "letting the system decide", details)


# few cases are pictured more easily: more only for shares that fewer cannot show
_OFFERS = tuple(
    {
        Fraction(right, n): AbstentionOffer(n, right)
        for n, least in ((5000, 4975), (1000, 950), (100, 40), (20, 1))
        for right in range(least, n)
    }.values()
)


def omega_worth(omega: float) -> FloatArray:
    """Worth of each cell of the matrices that are compared."""
    return np.array([[1.0, -omega, 0.0], [-omega, 1.0, 0.0]])


@dataclass(frozen=True, eq=False)
class OmegaBelief:
    """What answers say of omega.

    Parameters
    ----------
    cloud : Particles
        Weights of a right and of a wrong answer; of chords only bounds are known.
    reliability : Reliability or None
        Of the answers; None where a single answer was taken as the truth.
    warnings : tuple of str
        What to know before omega is used.
    """

    cloud: Particles
    reliability: Reliability | None
    warnings: tuple[str, ...] = ()

    @property
    def omega(self) -> float:
        """The estimate: the median."""
        return self.cloud.ratio(1, 0)[0]

    @property
    def interval(self) -> Interval:
        """Where omega lies with a probability of 90%."""
        return self.cloud.ratio(1, 0, LEVEL)[1]

    @property
    def rate(self) -> ExchangeRate:
        """The estimate as an exchange rate."""
        return ExchangeRate(self.omega)


def omega_questionnaire(
    rng: np.random.Generator,
    *,
    guess: float | None = None,
    method: str = "bayesian",
    n_questions: int | None = None,
    tolerance: float = 0.01,
) -> Questionnaire[OmegaBelief]:
    """Questions that find out omega; True lets the system decide.

    Parameters
    ----------
    rng : numpy Generator
        Draws particles.
    guess : float, optional
        The direct answer: checks per mistake, at least 1. It is where the questions start,
        and taken to be off by a factor of three or so.
    method : {"bayesian", "chord"}
        For people, or for a respondent that makes no mistakes.
    n_questions : int, optional
        How many at most: 10 for people, and for "chord" as many as the tolerance takes.
    tolerance : float, default=0.01
        Chord: width of the last interval of t = omega / (1 + omega).

    Returns
    -------
    Questionnaire
        Its estimate is an `OmegaBelief`.

    Raises
    ------
    InputError
        If the guess is below 1, or a setting lies outside its range.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.elicitation.abstention import omega_questionnaire
    >>> questionnaire = omega_questionnaire(np.random.default_rng(0), guess=3)
    >>> questionnaire.question.details
    {'n': 20, 'right': 12}
    """
    as_choice(method, ["bayesian", "chord"], "method")
    as_level(tolerance, "tolerance")
    if guess is not None and not 1 <= guess < math.inf:
        raise InputError(
            f"checks per mistake must be at least 1; got {guess}: who would have fewer than "
            "one case checked for a mistake"
        )
    if n_questions is not None and n_questions < 1:
        raise InputError(f"there must be at least one question; got {n_questions}")
    settings = {
        "kind": "omega",
        "method": method,
        "guess": guess,
        "n_questions": n_questions,
        "tolerance": tolerance,
        "draw": int(rng.integers(2**31)),
    }
    if method == "chord":
        steps = math.ceil(math.log2(1 / tolerance)) if n_questions is None else n_questions
        return Questionnaire(lambda: _bisection(steps), settings, "omega")
    budget = _DEFAULT_QUESTIONS if n_questions is None else n_questions
    return Questionnaire(lambda: _choices(rng, guess, budget), settings, "omega")


def _choices(rng: np.random.Generator, guess: float | None, budget: int) -> Script[OmegaBelief]:
    if guess is None:
        centre, spread = _NO_GUESS, _SPREAD_WITHOUT
    else:
        centre, spread = math.log(max(guess - 1, 0.1)), _SPREAD_OF_GUESS
    posterior = Posterior(SeverityPrior((0.0, centre), spread / math.sqrt(2)), rng)
    rest, replies = list(_OFFERS), list[PairReply]()
    for i in range(budget):
        offer = _best_offer(posterior, rest)
        rest.remove(offer)  # the same question twice is no new evidence
        belief = OmegaBelief(posterior.cloud, _judge_offers(posterior, replies))
        answer = yield QuestionStep(offer.question(), belief, budget - i)
        replies.append(PairReply(0, 1, answer))
        posterior.update([offer.right / offer.n, -offer.wrong / offer.n], answer)
    interval = posterior.cloud.ratio(1, 0)[1]
    warnings = []
    if interval.upper > 1000:
        warnings.append(
            f"omega may be as high as {interval.upper:,.0f}: the choices tell it up to about 1,000"
        )
    return OmegaBelief(posterior.cloud, _judge_offers(posterior, replies), tuple(warnings))


_SIDES = {"first": "lets", "one-sided:0": "lets", "second": "keeps", "one-sided:1": "keeps"}


def _judge_offers(posterior: Posterior, replies: list[PairReply]) -> Reliability:
    """Judge the replies; offers have no sides, and no class of theirs decides alone."""
    reliability = judge_replies(posterior, replies)
    signals = dict.fromkeys(_SIDES.get(signal, signal) for signal in reliability.signals)
    return replace(reliability, signals=tuple(signals))


def _best_offer(posterior: Posterior, offers: list[AbstentionOffer]) -> AbstentionOffer:
    """The offer that tells most; among nearly equal ones the one with the fewest cases."""
    odds = np.log([offer.right / offer.wrong for offer in offers])
    logs = posterior.cloud.log_weights
    gain = expected_gain(posterior, (logs[:, 0] - logs[:, 1])[:, None] + odds)
    best = np.flatnonzero(gain >= _NEARLY_BEST * gain.max())
    return min((offers[i] for i in best), key=lambda offer: offer.n)


def _bisection(steps: int) -> Script[OmegaBelief]:
    """Halve the interval of t, the share of right answers from which the system may decide."""
    low, high = 0.0, 1.0
    n = 2**steps  # so that each middle is a whole number of cases
    for i in range(steps):
        middle = (low + high) / 2
        offer = AbstentionOffer(n, round(n * middle))
        answer = yield QuestionStep(offer.question(), _between(low, high), steps - i)
        if answer is None:
            low, high = middle - 0.5 / n, middle + 0.5 / n
            break
        low, high = (low, middle) if answer else (middle, high)
    return _between(low, high)


def _between(low: float, high: float) -> OmegaBelief:
    """Bounds of t as a cloud: nothing is known between them."""
    share = low + (high - low) * (np.arange(101) + 0.5) / 101
    logs = np.log(np.column_stack([1 - share, share]))
    return OmegaBelief(Particles(logs, np.full(101, 1 / 101)), None)
