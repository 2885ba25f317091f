"""Test and retest: some questions are put again later, and how often the answer is the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from askpoint.elicitation.particles import LEVEL
from askpoint.elicitation.questionnaire import Question, Questionnaire, QuestionStep, Script
from askpoint.elicitation.respondents import Answer
from askpoint.errors import InputError
from askpoint.measures.intervals import Interval, binomial_interval

__all__ = ["RetestAgreement", "retest_questionnaire"]

_DEFAULT_QUESTIONS = 8


@dataclass(frozen=True)
class RetestAgreement:
    """How often a question that was put again got the same answer.

    Parameters
    ----------
    n : int
        Questions put again and answered.
    agreeing : int
        Of them, those with the same answer; "about equal" agrees with either.
    """

    n: int
    agreeing: int

    @property
    def interval(self) -> Interval:
        """Where the share of same answers lies with 90% confidence (Clopper and Pearson)."""
        return binomial_interval(self.agreeing, self.n, level=LEVEL)


def retest_questionnaire(
    asked: Sequence[tuple[Question, Answer]],
    rng: np.random.Generator,
    *,
    n_questions: int = _DEFAULT_QUESTIONS,
) -> Questionnaire[RetestAgreement]:
    """Questions of an interview, put again in another order, pairs with their sides swapped.

    They tell how steady a person is, not what mistakes cost: the same question twice is no new
    evidence on that. Drawn are questions that were decided, each once, the hard ones among them;
    near indifference everybody wavers, so nobody need reach 100%.

    Parameters
    ----------
    asked : sequence of (Question, answer)
        Of the interview, as `Questionnaire.asked` tells.
    rng : numpy Generator
        Draws the questions and their order.
    n_questions : int, default=8
        How many at most.

    Returns
    -------
    Questionnaire
        Its estimate is an `RetestAgreement`.

    Raises
    ------
    InputError
        If no question was decided, or none is wanted.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.elicitation.mistakes import mistakes_questionnaire
    >>> from askpoint.elicitation.retest import retest_questionnaire
    >>> rng = np.random.default_rng(0)
    >>> first = mistakes_questionnaire([0, 1, 1, 0], [0.2, 0.9, 0.4, 0.5], rng, n_questions=3)
    >>> for _ in range(3):
    ...     first.answer(True)
    >>> again = retest_questionnaire(first.asked, rng)
    >>> while not again.done:  # the sides are swapped: the same outcomes are the second ones
    ...     again.answer(False)
    >>> again.estimate.n == again.estimate.agreeing
    True
    """
    if n_questions < 1:
        raise InputError(f"there must be at least one question; got {n_questions}")
    decided: dict[frozenset[bytes], tuple[Question, bool]] = {}
    for question, answer in asked:
        if answer is not None:
            sides = frozenset((question.first.tobytes(), question.second.tobytes()))
            decided.setdefault(sides, (question, answer))
    if not decided:
        raise InputError("no question was decided for one of its sides: there is none to put again")
    pool = list(decided.values())
    drawn = rng.permutation(len(pool))[:n_questions]
    chosen = [_again(*pool[i]) for i in drawn]
    settings = {"kind": "retest", "n_questions": n_questions, "draw": int(rng.integers(2**31))}
    return Questionnaire(lambda: _put(chosen), settings, "retest")


def _again(question: Question, answer: bool) -> tuple[Question, bool]:
    """The question to put, and the answer that is the same; offers have no sides to swap."""
    if "classes" not in question.details:
        return question, answer
    swapped = Question(question.second, question.first, question.topic, question.details)
    return swapped, not answer


def _put(chosen: Sequence[tuple[Question, bool]]) -> Script[RetestAgreement]:
    n = agreeing = 0
    for i, (question, same) in enumerate(chosen):
        answer = yield QuestionStep(question, RetestAgreement(n, agreeing), len(chosen) - i)
        n, agreeing = n + 1, agreeing + (answer is None or answer == same)
    return RetestAgreement(n, agreeing)
