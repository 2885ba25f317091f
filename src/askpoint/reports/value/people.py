"""How right people are, and what asking them costs, said."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from askpoint.measures.inputs import FloatArray
from askpoint.reports.document import Block, Grid, Notice, Paragraph
from askpoint.reports.words import amount, share, share_range
from askpoint.value.reviewer_errors import ReviewerErrors

__all__ = ["people_blocks", "people_object", "people_price"]


def people_price(people: ReviewerErrors) -> str:
    """Say in a sentence what asking people costs."""
    rho = _rho(people)
    return (
        f"The work of a check costs {amount(people.check_price)} of a mistake, and people err, too: "
        f"they are right in {_span(people.right, share)} of the cases. So asking costs "
        f"{_span(rho, amount)} of a mistake."
    )


def people_blocks(people: ReviewerErrors) -> Iterator[Block]:
    """Yield how right people are at each confidence of the model, and where asking can pay."""
    rho, ranges = _rho(people), _ranges(people)
    yield Grid(
        "How right people are",
        ("the model's confidence", "people are right", "95%", "asking costs, in mistakes"),
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
            "answers, this measures nothing: ask other people to label some of the cases."
        )
    elif people.intervals:
        yield Paragraph(
            "Measured where a case has a person's answer and a label; the label counts as the truth, "
            "and every such case counts once, whatever its weight."
        )


def people_object(people: ReviewerErrors) -> dict[str, Any]:
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


def _rho(people: ReviewerErrors) -> FloatArray:
    return people.rho(np.append(-np.inf, people.edges))


def _ranges(people: ReviewerErrors) -> list[tuple[float, float]]:
    edges = [-math.inf, *people.edges.tolist(), math.inf]
    return list(itertools.pairwise(edges))


def _range_text(low: float, high: float) -> str:
    if math.isinf(low):
        return "any" if math.isinf(high) else f"below {amount(high)}"
    return f"{amount(low)} and more" if math.isinf(high) else f"{amount(low)} to {amount(high)}"


def _span(values: FloatArray, text: Callable[[float], str]) -> str:
    low, high = text(values.min()), text(values.max())
    return low if low == high else f"{low} to {high}"
