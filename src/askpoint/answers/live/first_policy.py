"""What a policy opens with: from a log or from nothing, with audits that detect what they must."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from askpoint.answers.live.learned_groups import LearnedGroups, learn_groups
from askpoint.errors import InputError, NotEstimableError, UnmetError
from askpoint.live.audits import ENOUGH_AUDITS, audits_to_detect, rate_from_changes, rate_to_detect
from askpoint.live.documents import PolicyDocument
from askpoint.live.first_log import learn_from_log
from askpoint.live.state import State, fresh_state
from askpoint.live.terms import Terms, surely_unseen
from askpoint.measures.inputs import FloatArray, as_level
from askpoint.records.predictions import PredictionLog
from askpoint.value.selection import label_selection

__all__ = ["AUDIT_RATE", "DetectedRise", "Opening", "OpeningQuestion", "answer_opening"]

AUDIT_RATE = 0.05
"""Share of the decisions that are audited where nobody says how many."""

_COVERAGE = 0.6  # assumed while nothing is known
_WORST = 0.5  # a model that errs so often must be detected within the planned decisions
_RISES = (2, 3, 10)


@dataclass(frozen=True)
class OpeningQuestion:
    """What is wanted of a policy.

    Parameters
    ----------
    aim : {"money", "promise", "capacity"}
        Least cost, a limit on the share of its decisions that are wrong, or what people can check: of that, who asks finds the price before
        a policy opens.
    limit : float
        Price of a check in mistakes, the greatest risk, or the share of the cases that people can check.
    delta : float
        Probability with which a promise may fail.
    rate : float, optional
        Share of the answers that are audited.
    detect, within : float, optional
        Or: the risk that must be detected, within so many decisions.
    changes : float, optional
        Or: how many changes the planned decisions see; then audits cost least together with what they detect.
    mistake_budget : float, optional
        Mistakes that may pass beyond the limit before it closes.
    planned_decisions : int
        Decisions until a new policy comes.
    max_label_delay : int
        Decisions for which it answers while no labels come.
    assumed : bool
        Whether nobody stated an objective.
    of_all_cases : bool
        Whether the limit of a promise is one on all cases, people's part included.
    people_right : float or None
        How often people are right, as far as such a promise goes; None: always.
    mistake_in_money, check_in_money : float or None
        What a mistake and a check cost in money, if the price was stated in it.
    currency : str or None
        What that is in, such as EUR; only said.
    """

    aim: str = "money"
    limit: float = 0.05
    delta: float = 0.05
    rate: float | None = None
    detect: float | None = None
    within: float | None = None
    changes: float | None = None
    mistake_budget: float | None = None
    planned_decisions: int = 40_000
    max_label_delay: int = 2000
    assumed: bool = False
    of_all_cases: bool = False
    people_right: float | None = None
    mistake_in_money: float | None = None
    check_in_money: float | None = None
    currency: str | None = None

    def __post_init__(self) -> None:
        right = self.people_right
        if right is None or not self.of_all_cases:
            return
        if not 0 < right <= 1:
            raise InputError(f"--people-right must be above 0 and at most 1; got {right:g}")
        if 1 - right > self.limit:
            raise UnmetError(
                f"people get {1 - right:.3g} of the cases wrong, more than the {self.limit:g} of --max-mistakes: what is "
                "asked alone exceeds it, and no policy can keep it. Label each case twice, or allow more mistakes"
            )


@dataclass(frozen=True)
class DetectedRise:
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
    detected : tuple of DetectedRise
        Which rises the audits detect, by risk; without those that outlast the planned decisions.
    is_blind : bool
        Whether the planned decisions have fewer audits than detecting drift takes.
    mistakes_before_first_audit : float
        Mistakes that no method can rule out before its first audit.
    labels_by_group : dict
        Labels of each group; empty without groups.
    """

    question: OpeningQuestion
    document: PolicyDocument
    coverage: float
    is_assumed: bool
    n_rows: int
    n_labelled: int
    detected: tuple[DetectedRise, ...]
    is_blind: bool
    mistakes_before_first_audit: float
    labels_by_group: dict[str | None, int] = field(default_factory=dict)

    @property
    def audits_per_thousand(self) -> float:
        """Audits in 1,000 decisions."""
        return 1000 * self.document.terms.rate * self.coverage

    @property
    def planned_audits(self) -> float:
        """Audits of all planned decisions."""
        return self.audits_per_thousand * self.document.terms.planned_decisions / 1000


def answer_opening(
    log: PredictionLog | None,
    question: OpeningQuestion,
    *,
    name: str,
    model: dict[str, Any],
    secret_hash: str,
    labels_are_random: bool = False,
    by: str | None = None,
) -> Opening:
    """Open a policy from a log of randomly labelled cases, in order of time, or from nothing.

    With `by`, the column of the log's groups, it learns how often the model is right in each, and decides by that.
    A model that had groups learns them again where the log has them, and else opens without.
    """
    if by is not None and log is None:
        raise InputError("--by learns from labels how groups differ: name a log")
    earlier = model.get("groups")
    if earlier is not None:
        model = {name: part for name, part in model.items() if name != "groups"}
        if by is None and log is not None and log.group is not None:
            by = earlier["column"]
    if log is not None and not labels_are_random:
        _check_labels(log, model["measure"])
    groups = None
    if log is not None and by is not None:
        groups = learn_groups(
            log, _confidence(log, model["measure"]), by, labels_are_random=labels_are_random
        )
        model = model | {"groups": groups.scale.to_dict()}
    first = _state(log, _terms(question, AUDIT_RATE), model, groups)
    coverage = _coverage(log, first, model, groups)
    known = _COVERAGE if coverage is None else coverage
    terms = _terms(question, _rate(question, known), question.mistake_budget)
    document = PolicyDocument(
        name, terms, _state(log, terms, model, groups), model, secret_hash, _evidence(log, model)
    )
    audits = terms.rate * known * terms.planned_decisions
    if audits < _audits_needed(terms, _WORST):
        least = int(np.ceil(_audits_needed(terms, _WORST) / (terms.rate * known)))
        raise UnmetError(
            f"{terms.planned_decisions:,} planned decisions have {audits:.0f} audits, which cannot detect even that "
            f"half of the answers have become wrong, which takes {_audits_needed(terms, _WORST):.0f}; allow "
            f"--planned-decisions {least} or more, or audit more"
        )
    return Opening(
        question=question,
        document=document,
        coverage=known,
        is_assumed=coverage is None,
        n_rows=0 if log is None else log.n_items,
        n_labelled=0 if log is None else log.n_labelled,
        detected=_find_rises(terms, known, question),
        is_blind=audits < ENOUGH_AUDITS,
        mistakes_before_first_audit=surely_unseen(terms.answer_below, terms.rate, terms.delta),
        labels_by_group={} if groups is None else groups.n_labelled,
    )


def _check_labels(log: PredictionLog, measure: str) -> None:
    found = label_selection(_confidence(log, measure), log.labelled, rng=np.random.default_rng(0))
    if log.propensity is not None or (found is not None and found.is_selective):
        why = "with different probabilities"
        if found is not None and found.is_selective:
            why = f"where a person looked ({found.extremes})"
        raise NotEstimableError(
            f"the labels of this log came {why}; a policy opens with a random sample of the cases "
            "only: deploy without a log (every case goes to review first), or add "
            "--labels-are-random if you know that they are"
        )


def _confidence(log: PredictionLog, measure: str) -> FloatArray:
    measure = "max_probability" if log.proba is None else measure
    return log.scores(measure).astype(np.float64)


def _terms(question: OpeningQuestion, rate: float, budget: float | None = None) -> Terms:
    return Terms(
        question.aim,
        question.limit,
        rate=rate,
        mistake_budget=budget,
        delta=question.delta,
        planned_decisions=question.planned_decisions,
        max_label_delay=question.max_label_delay,
    )


def _state(
    log: PredictionLog | None, terms: Terms, model: dict[str, Any], groups: LearnedGroups | None
) -> State:
    if log is None:
        return fresh_state(terms)
    if groups is not None:
        return learn_from_log(groups.held_out, ~log.right, terms)
    score = _confidence(log, model["measure"])[log.labelled]
    return learn_from_log(score, ~log.right, terms)


def _coverage(
    log: PredictionLog | None, state: State, model: dict[str, Any], groups: LearnedGroups | None
) -> float | None:
    if log is None or state.threshold is None:
        return None
    score = _confidence(log, model["measure"]) if groups is None else groups.of_rows
    return float((score >= state.threshold).mean())


def _evidence(log: PredictionLog | None, model: dict[str, Any]) -> dict[str, Any]:
    if log is None:
        return {"rows": 0, "labelled": 0}
    score = _confidence(log, model["measure"])
    return {
        "rows": log.n_items,
        "labelled": log.n_labelled,
        "log": log.digest(),
        "confidence": [float(score.min()), float(score.max())],
    }


def _rate(question: OpeningQuestion, coverage: float) -> float:
    """The share of the answers to audit: as stated, or as what is to be detected takes."""
    stated = [question.rate, question.detect, question.changes]
    together = (question.within is None) == (question.detect is None)
    if sum(value is not None for value in stated) > 1 or not together:
        raise InputError(
            "audits follow from --audit RATE, from --detect RISK --within DECISIONS, or from "
            "--changes-per-year N: add one of them"
        )
    limit = _terms(question, AUDIT_RATE).answer_below
    if question.rate is not None:
        return question.rate
    if question.detect is not None and question.within is not None:
        risk = as_level(question.detect, "--detect")
        return rate_to_detect(
            limit,
            risk,
            question.within,
            coverage=coverage,
            planned_decisions=question.planned_decisions,
        ).rate
    if question.changes is not None:
        rise = min(3 * limit, (1 + limit) / 2)
        audits = audits_to_detect(
            limit, rise, horizon=max(1.0, AUDIT_RATE * question.planned_decisions)
        )
        per_answer = question.changes / (question.planned_decisions * coverage)
        return rate_from_changes(per_answer, rise - limit, audits, question.limit)
    return AUDIT_RATE


def _audits_needed(terms: Terms, risk: float) -> float:
    """Audits until a rise to `risk` is detected."""
    if risk <= terms.answer_below:
        return terms.planned_audits
    return audits_to_detect(
        terms.answer_below, risk, horizon=terms.planned_audits, delta=terms.watch_delta
    )


def _find_rises(
    terms: Terms, coverage: float, question: OpeningQuestion
) -> tuple[DetectedRise, ...]:
    limit = terms.answer_below
    risks = {factor * limit for factor in _RISES if factor * limit < _WORST} | {_WORST}
    if question.detect is not None:
        risks |= {question.detect}
    found = []
    for risk in sorted(risk for risk in risks if risk > limit):
        audits = _audits_needed(terms, risk)
        decisions = audits / (terms.rate * coverage)
        if decisions <= terms.planned_decisions:
            found.append(DetectedRise(risk, audits, decisions))
    return tuple(found)
