"""What a policy opens with: from a log or from nothing, with audits that notice what they must."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from askpoint.errors import InputError, NotEstimableError, UnmetError
from askpoint.live.audits import ENOUGH_AUDITS, audits_to_notice, rate_from_changes, rate_to_notice
from askpoint.live.documents import PolicyDocument
from askpoint.live.first_log import learned_from
from askpoint.live.state import State, fresh_state
from askpoint.live.terms import Terms, surely_unseen
from askpoint.measures.inputs import FloatArray, as_level
from askpoint.records.predictions import PredictionLog
from askpoint.value.selection import label_selection

__all__ = ["Noticed", "Opening", "OpeningQuestion", "answer_opening"]

_RATE = 0.05
_COVERAGE = 0.6  # assumed while nothing is known
_WORST = 0.5  # a model that errs so often must be noticed within the life
_RISES = (2, 3, 10)


@dataclass(frozen=True)
class OpeningQuestion:
    """What is wanted of a policy.

    Parameters
    ----------
    aim : {"money", "promise"}
        Least cost, or a limit on the risk of its answers.
    limit : float
        Price of a check in mistakes, or the greatest risk.
    delta : float
        Probability with which a promise may fail.
    rate : float, optional
        Share of the answers that are audited.
    notice, within : float, optional
        Or: the risk that must be noticed, within so many decisions.
    changes : float, optional
        Or: how many changes a life sees; then audits cost least together with what they notice.
    allowance : float, optional
        Mistakes that may be lost beyond the limit.
    life : int
        Decisions until a new policy comes.
    patience : int
        Decisions for which it answers while no labels come.
    assumed : bool
        Whether nobody stated an objective.
    """

    aim: str = "money"
    limit: float = 0.05
    delta: float = 0.05
    rate: float | None = None
    notice: float | None = None
    within: float | None = None
    changes: float | None = None
    allowance: float | None = None
    life: int = 40_000
    patience: int = 2000
    assumed: bool = False


@dataclass(frozen=True)
class Noticed:
    """A rise of the risk, and after how many decisions nine alarms of ten have come.

    Parameters
    ----------
    risk : float
        What it rises to.
    audits, decisions : float
        Until the alarm.
    """

    risk: float
    audits: float
    decisions: float


@dataclass(frozen=True, eq=False)
class Opening:
    """A policy before its first decision, and what is known of it.

    Parameters
    ----------
    question : OpeningQuestion
        What was wanted.
    document : PolicyDocument
        The policy.
    coverage : float
        Share of the cases of the log that it would answer; or what is assumed.
    is_assumed : bool
        Whether the coverage is.
    n_rows, n_labelled : int
        Of the log.
    noticed : tuple of Noticed
        What the audits notice, by risk; without rises that outlast the life.
    is_blind : bool
        Whether the life has fewer audits than drift needs to be noticed with.
    unseen : float
        Mistakes that no method can rule out before its first audit.
    """

    question: OpeningQuestion
    document: PolicyDocument
    coverage: float
    is_assumed: bool
    n_rows: int
    n_labelled: int
    noticed: tuple[Noticed, ...]
    is_blind: bool
    unseen: float

    @property
    def audits_per_thousand(self) -> float:
        """Audits in 1,000 decisions."""
        return 1000 * self.document.terms.rate * self.coverage

    @property
    def audits_of_life(self) -> float:
        """Audits of the whole life."""
        return self.audits_per_thousand * self.document.terms.life / 1000


def answer_opening(
    log: PredictionLog | None,
    question: OpeningQuestion,
    *,
    name: str,
    model: dict[str, Any],
    secret_hash: str,
    labels_are_random: bool = False,
) -> Opening:
    """Open a policy from a log of randomly labelled cases, in order of time, or from nothing."""
    if log is not None and not labels_are_random:
        _check_labels(log, model["measure"])
    first = _state(log, _terms(question, _RATE), model)
    coverage = _coverage(log, first, model)
    known = _COVERAGE if coverage is None else coverage
    terms = _terms(question, _rate(question, known), question.allowance)
    document = PolicyDocument(
        name, terms, _state(log, terms, model), model, secret_hash, _evidence(log)
    )
    audits = terms.rate * known * terms.life
    if audits < _needed(terms, _WORST):
        least = int(np.ceil(_needed(terms, _WORST) / (terms.rate * known)))
        raise UnmetError(
            f"a life of {terms.life:,} decisions has {audits:.0f} audits and cannot notice even that "
            f"half of the answers have become wrong, which takes {_needed(terms, _WORST):.0f}; allow "
            f"--life {least} or more, or audit more"
        )
    return Opening(
        question,
        document,
        known,
        coverage is None,
        0 if log is None else log.n_items,
        0 if log is None else log.n_labelled,
        _noticed(terms, known, question),
        audits < ENOUGH_AUDITS,
        surely_unseen(terms.answer_below, terms.rate, terms.delta),
    )


def _check_labels(log: PredictionLog, measure: str) -> None:
    found = label_selection(_confidence(log, measure), log.labelled)
    if log.propensity is not None or (found is not None and found.is_selective):
        why = "with different probabilities"
        if found is not None and found.is_selective:
            why = (
                f"where somebody looked ({found.shares[0]:.1%} of the least sure cases have one, "
                f"{found.shares[-1]:.1%} of the surest)"
            )
        raise NotEstimableError(
            f"the labels of this log came {why}; a policy opens with a random sample of the cases "
            "only: deploy without a log (everything is asked first), or state --labels-are-random "
            "if you know that they are"
        )


def _confidence(log: PredictionLog, measure: str) -> FloatArray:
    measure = "max_probability" if log.proba is None else measure
    return log.scores(measure).astype(np.float64)


def _terms(question: OpeningQuestion, rate: float, allowance: float | None = None) -> Terms:
    return Terms(
        question.aim,
        question.limit,
        rate=rate,
        allowance=allowance,
        delta=question.delta,
        life=question.life,
        patience=question.patience,
    )


def _state(log: PredictionLog | None, terms: Terms, model: dict[str, Any]) -> State:
    if log is None:
        return fresh_state(terms)
    score = _confidence(log, model["measure"])[log.labelled]
    return learned_from(score, ~log.right, terms)


def _coverage(log: PredictionLog | None, state: State, model: dict[str, Any]) -> float | None:
    if log is None or state.threshold is None:
        return None
    return float((_confidence(log, model["measure"]) >= state.threshold).mean())


def _evidence(log: PredictionLog | None) -> dict[str, Any]:
    if log is None:
        return {"rows": 0, "labelled": 0}
    return {"rows": log.n_items, "labelled": log.n_labelled, "log": log.digest()}


def _rate(question: OpeningQuestion, coverage: float) -> float:
    """The share of the answers to audit: as stated, or as what is to be noticed takes."""
    stated = [question.rate, question.notice, question.changes]
    together = (question.within is None) == (question.notice is None)
    if sum(value is not None for value in stated) > 1 or not together:
        raise InputError(
            "audits follow from --audit RATE, from --notice RISK --within DECISIONS, or from "
            "--changes-per-year N: state one of them"
        )
    limit = _terms(question, _RATE).answer_below
    if question.rate is not None:
        return question.rate
    if question.notice is not None and question.within is not None:
        risk = as_level(question.notice, "--notice")
        return rate_to_notice(
            limit, risk, question.within, coverage=coverage, life=question.life
        ).rate
    if question.changes is not None:
        rise = min(3 * limit, (1 + limit) / 2)
        audits = audits_to_notice(limit, rise, horizon=max(1.0, _RATE * question.life))
        per_answer = question.changes / (question.life * coverage)
        return rate_from_changes(per_answer, rise - limit, audits, question.limit)
    return _RATE


def _needed(terms: Terms, risk: float) -> float:
    """Audits until a rise to `risk` is noticed."""
    if risk <= terms.answer_below:
        return terms.audits
    return audits_to_notice(terms.answer_below, risk, horizon=terms.audits, delta=terms.watch_delta)


def _noticed(terms: Terms, coverage: float, question: OpeningQuestion) -> tuple[Noticed, ...]:
    limit = terms.answer_below
    risks = {factor * limit for factor in _RISES if factor * limit < _WORST} | {_WORST}
    if question.notice is not None:
        risks |= {question.notice}
    found = []
    for risk in sorted(risk for risk in risks if risk > limit):
        audits = _needed(terms, risk)
        decisions = audits / (terms.rate * coverage)
        if decisions <= terms.life:
            found.append(Noticed(risk, audits, decisions))
    return tuple(found)
