"""The people who are asked err, too: how right they are, and what asking then costs."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from askpoint.answers.value.baselines import Baseline
from askpoint.errors import InputError, LogError
from askpoint.measures.inputs import FloatArray
from askpoint.records.predictions import PredictionLog
from askpoint.reports.document import Block, Grid, Notice, Paragraph
from askpoint.reports.words import amount, share, share_range
from askpoint.value.curve import ValueCurve
from askpoint.value.people import ErringPeople, people_by_confidence

__all__ = ["charged_baselines", "people_blocks", "people_object", "people_of", "people_price"]

_CASES_IN_A_BIN = 50
_MOST_BINS = 5


def people_of(
    log: PredictionLog, confidence: FloatArray, check_price: float, right: float | None
) -> ErringPeople:
    """Return how often people are right: as stated, or as the log shows."""
    if right is not None:
        return ErringPeople([], [right], check_price)
    if log.people is None:
        raise LogError(
            "a check price alone does not say how right people are: name the column of their "
            "answers (--people COLUMN) or state their share (--people-right SHARE)"
        )
    both = log.labelled & log.people.given
    if not both.any():
        raise LogError(
            "no row has both a label and a person's answer: give some of the cases that people "
            "looked at a label from somebody else"
        )
    agreed = log.people.codes[both[log.people.given]] == log.label[both[log.labelled]]
    bins = int(np.clip(both.sum() // _CASES_IN_A_BIN, 1, _MOST_BINS))
    return people_by_confidence(agreed, confidence[both], check_price=check_price, n_bins=bins)


def charged_baselines(
    baselines: tuple[Baseline, ...],
    people: ErringPeople,
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


def people_price(people: ErringPeople) -> str:
    """Say in a sentence what asking people costs."""
    rho = _rho(people)
    return (
        f"The work of a check costs {amount(people.check_price)} of a mistake, and people err, too: "
        f"they are right in {_span(people.right, share)} of the cases. So asking costs "
        f"{_span(rho, amount)} of a mistake."
    )


def people_blocks(people: ErringPeople) -> Iterator[Block]:
    """Yield how right people are at each confidence of the model, and where asking can pay."""
    rho, ranges = _rho(people), _ranges(people)
    yield Grid(
        "How right people are",
        ("the model's confidence", "people are right", "95 %", "asking costs, in mistakes"),
        tuple(
            (
                _range_text(low, high),
                share(right),
                share_range(people.intervals[i]) if people.intervals else "as you stated",
                amount(rho[i]),
            )
            for i, ((low, high), right) in enumerate(zip(ranges, people.right, strict=True))
        ),
        "Asking costs 1 - h + r: the share of cases that people get wrong, and the work.",
    )
    never = [_range_text(*ranges[i]) for i in np.flatnonzero(rho >= 1)]
    if never:
        yield Notice(
            f"Where asking costs 1 mistake or more it never pays, however unsure the model is: "
            f"at confidence {' and '.join(never)}."
        )
    if people.intervals and (people.right == 1).all():
        yield Notice(
            "People's answers and the labels agree everywhere. If the labels are those people's own "
            "answers, this measures nothing: let somebody else label some of the cases."
        )
    elif people.intervals:
        yield Paragraph(
            "Measured where a case has a person's answer and a label; the label counts as the truth, "
            "and every such case counts once, whatever its weight."
        )


def people_object(people: ErringPeople) -> dict[str, Any]:
    """Return the same as part of a JSON object."""
    return {
        "check_price": people.check_price,
        "measured": bool(people.intervals),
        "bins": [
            {
                "from_confidence": low if math.isfinite(low) else None,
                "to_below_confidence": high if math.isfinite(high) else None,
                "right": right,
                "interval": list(people.intervals[i]) if people.intervals else None,
                "rho": rho,
                "asking_can_pay": rho < 1,
            }
            for i, ((low, high), right, rho) in enumerate(
                zip(_ranges(people), people.right.tolist(), _rho(people).tolist(), strict=True)
            )
        ],
    }


def _rho(people: ErringPeople) -> FloatArray:
    return people.rho(np.append(-np.inf, people.edges))


def _ranges(people: ErringPeople) -> list[tuple[float, float]]:
    edges = [-math.inf, *people.edges.tolist(), math.inf]
    return list(itertools.pairwise(edges))


def _range_text(low: float, high: float) -> str:
    if math.isinf(low):
        return "any" if math.isinf(high) else f"below {amount(high)}"
    return f"{amount(low)} and more" if math.isinf(high) else f"{amount(low)} to {amount(high)}"


def _span(values: FloatArray, text: Any) -> str:
    low, high = text(values.min()), text(values.max())
    return str(low) if low == high else f"{low} to {high}"
