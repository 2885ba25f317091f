"""Which cases of a log to label next."""

from __future__ import annotations

import math

import numpy as np

from askpoint.answers.value.by_group import group_regret
from askpoint.answers.value.label_gaps import in_holes
from askpoint.answers.value.posteriors import posterior_of
from askpoint.answers.value.question import ASSUMED_CHECKS, ValueQuestion
from askpoint.answers.value.row_case import RowCase
from askpoint.answers.value.whole_output import audit_rows, whole_output_of
from askpoint.errors import InputError, NotEstimableError, UnmetError
from askpoint.measures.inputs import BoolArray, FloatArray
from askpoint.measures.seals import order_by_seal, seal_of
from askpoint.records.predictions import PredictionLog
from askpoint.value.objectives import Objective
from askpoint.value.posterior.proposals import Proposal, propose_cases

__all__ = ["propose_at_random", "propose_labels"]

_ANYWHERE = 0.2


def propose_labels(log: PredictionLog, question: ValueQuestion, n: int) -> Proposal:
    """Choose rows without a label: where labels are lacking first, else near the boundary."""
    if log.model is not None:
        raise InputError("name one model's rows to propose cases: the log has several models")
    if n < 1:
        raise InputError(f"propose at least 1 case; got {n}")
    free = np.flatnonzero(~log.labelled)
    if not free.size:
        raise NotEstimableError("every case has a label, so there is none to propose")
    case = RowCase(log, question)
    if question.audit_share is not None:
        return _next_audits(case, question.audit_share, n)
    if question.objective.output_limit is not None:
        raise InputError(
            "--propose chooses cases by the model's confidence, and --max-mistakes takes labels of cases drawn "
            "at random: label those, or add --audit-share 0.1 to audit from the surest case down"
        )
    rng = np.random.default_rng(question.seed)
    confidence = case.places.lowest
    lacking = in_holes(case)[free]
    if log.n_labelled and lacking.any():
        rows, chances = _in_holes_first(confidence[free], lacking, min(n, free.size), rng)
        return Proposal(free[rows], chances)
    by_costs = question.objective.costs is not None
    posterior = posterior_of(case.places, is_weighted=False, is_score=by_costs)
    checks, regret = _checks(question.objective), None
    if log.group is not None:
        regret = group_regret(case, posterior, 1 / checks)[free]
    found = propose_cases(posterior, confidence[free], n, rng, checks=checks, regret=regret)
    return Proposal(free[found.rows], found.chances)


def _next_audits(case: RowCase, chance: float, n: int) -> Proposal:
    """The next audits on the way down from the surest case, the same coins each time."""
    log, confidence = case.log, case.places.lowest
    output = whole_output_of(case)
    if output is not None and output.kept.accepted is not None and output.kept.accepted < 0:
        raise UnmetError(str(output.kept.reason))
    if output is not None and log.n_labelled and not output.next_audit:
        raise NotEstimableError(
            "the audits are finished: they have found as many mistakes as may be passed and one more, or reached "
            "the last case"
        )
    rows = np.flatnonzero(audit_rows(case, chance, case.question.seed) & ~log.labelled)
    rows = rows[np.argsort(-confidence[rows], kind="stable")][:n]
    if not rows.size:
        raise NotEstimableError("every audit has a label, so there is none to propose")
    return Proposal(rows, np.full(len(rows), chance))


def propose_at_random(log: PredictionLog, n: int) -> tuple[Proposal, str]:
    """Choose rows without a label, in a random order that follows from the cases' names; and its seal."""
    if log.model is not None:
        raise InputError("name one model's rows to propose cases: the log has several models")
    if n < 1:
        raise InputError(f"propose at least 1 case; got {n}")
    names = [str(name) for name in log.ids.tolist()]
    if len(set(names)) < len(names):
        raise InputError(
            "a sealed order needs a name of its own for each case: the column id names one twice"
        )
    where = {name: row for row, name in enumerate(names)}
    rows = np.array([where[name] for name in order_by_seal(names)])
    free = rows[~log.labelled[rows]]
    if not free.size:
        raise NotEstimableError("every case has a label, so there is none to propose")
    chosen = free[:n]
    return Proposal(chosen, np.full(len(chosen), len(chosen) / len(free))), seal_of(names)


def _in_holes_first(
    confidence: FloatArray, lacking: BoolArray, n: int, rng: np.random.Generator
) -> Proposal:
    """Four fifths spread evenly over the cases that lack labels, the others over all."""
    chance = _ANYWHERE * n / len(lacking) + (1 - _ANYWHERE) * n * lacking / lacking.sum()
    chance = chance.clip(max=1)
    order = np.argsort(confidence, kind="stable")
    steps = np.arange(math.ceil(chance.sum())) + rng.random()
    picks = np.unique(np.searchsorted(np.cumsum(chance[order]), steps))
    rows = order[picks[picks < len(order)]]
    return Proposal(rows, chance[rows])


def _checks(objective: Objective) -> float:
    if objective.rate is not None:
        return objective.rate.checks_per_mistake
    if objective.error_limit:
        return max(1 / objective.error_limit, 1.0)
    return ASSUMED_CHECKS
