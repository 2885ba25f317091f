"""The people who are asked err, too: how right they are, and what asking then costs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from askpoint.answers.value.baselines import Baseline
from askpoint.errors import InputError, LogError
from askpoint.measures.inputs import FloatArray
from askpoint.records.predictions import PredictionLog
from askpoint.value.curve import ValueCurve
from askpoint.value.objectives import Objective
from askpoint.value.reviewer_errors import CheckWork, ReviewerErrors, reviewer_errors_by_confidence

__all__ = ["charge_baselines", "people_of"]

_CASES_IN_A_BIN = 50
_MOST_BINS = 5


def people_of(
    log: PredictionLog, confidence: FloatArray, objective: Objective
) -> ReviewerErrors | None:
    """Return how often people are right, as stated or as the log shows; None if they never err."""
    if isinstance(objective, ReviewerErrors):
        return objective
    if not isinstance(objective, CheckWork):
        return None
    if objective.people_right is not None:
        return ReviewerErrors([], [objective.people_right], objective.check_price)
    if log.people is None:
        raise LogError(
            "a check price alone does not say how right people are: name the column of their "
            "answers (--people COLUMN) or state their share (--people-right SHARE)"
        )
    both = log.labelled & log.people.given
    if not both.any():
        raise LogError(
            "no row has both a label and a person's answer: ask another person to label some of the cases that people "
            "looked at"
        )
    agreed = log.people.codes[both[log.people.given]] == log.label[both[log.labelled]]
    bins = int(np.clip(both.sum() // _CASES_IN_A_BIN, 1, _MOST_BINS))
    return reviewer_errors_by_confidence(
        agreed, confidence[both], check_price=objective.check_price, n_bins=bins
    )


def charge_baselines(
    baselines: tuple[Baseline, ...],
    people: ReviewerErrors,
    log: PredictionLog,
    curve: ValueCurve,
    confidence: FloatArray,
    threshold: float,
) -> tuple[Baseline, ...]:
    """Charge policies for the mistakes and the work of the people whom they ask."""
    cases, total = curve.cases, curve.total
    if cases is None:
        raise InputError("people's mistakes are counted on cases: the curve does not know them")
    weight = np.ones(log.n_items) if log.weight is None else log.weight
    everybody = weight * (total / weight.sum())
    mistaken = np.zeros(log.n_items)
    mistaken[log.labelled] = (1.0 if cases.weight is None else cases.weight) * (
        cases.truth != cases.predicted
    )
    asked = {
        "threshold": everybody * (confidence < threshold),
        "ask_all": everybody,
        "upper_limit": mistaken,
    }
    nobody = np.zeros(log.n_items)
    charged = []
    for baseline in baselines:
        who = asked.get(baseline.name, nobody)
        errors = float(who @ people.wrong(confidence))
        cost = baseline.outcomes.wrong + errors + people.check_price * float(who.sum())
        charged.append(replace(baseline, cost=1000 * cost / total, people_wrong=errors))
    return tuple(charged)
