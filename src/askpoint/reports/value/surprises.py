"""Where confidence misleads, in sentences: falls, misfits, and answering one stretch alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from askpoint.answers.value.answer import ValueAnswer
from askpoint.answers.value.tomorrow import Tomorrow
from askpoint.reports.document import Block, Notice, Paragraph
from askpoint.reports.words import amount, count, threshold_text
from askpoint.value.posterior.interval_rule import IntervalRule
from askpoint.value.posterior.misfit import Fall, Misfit

__all__ = ["SURPRISES", "surprise_blocks", "surprise_object"]

SURPRISES = {
    "undecided": "it is decided",
    "fall": "the surest cases are not shown to be right less often than the next",
    "misfit": "no stretch of confidence is shown to depart from the others",
    "interval_rule": "no stretch is likely to cost less than the threshold",
}
"""Keys of a JSON object, and why each may be null."""


def surprise_blocks(tomorrow: Tomorrow) -> Iterator[Block]:
    """Yield what the reader should know of where the model is sure and wrong."""
    if tomorrow.fall is not None:
        yield Notice(_fall(tomorrow.fall))
    if tomorrow.misfit is not None:
        yield Notice(_misfit(tomorrow.misfit))
    if tomorrow.interval_rule is not None:
        yield Paragraph(_interval_rule(tomorrow.interval_rule))


def _fall(fall: Fall) -> str:
    (right, right_next), (labels, labels_next) = fall.right, fall.labels
    return (
        f"Your surest {_percent(fall.surest)} are right less often than the next "
        f"{_percent(fall.following)} ({count(right)} of {count(labels)} against {count(right_next)} of "
        f"{count(labels_next)} labels)."
    )


def _misfit(misfit: Misfit) -> str:
    low = _confidence(misfit.low)
    where = (
        f"From {low} up" if misfit.high is None else f"Between {low} and {_confidence(misfit.high)}"
    )
    return (
        f"{where} the model is right in {_percent(misfit.right)} of the cases, where the other "
        f"confidences would make one expect {_percent(misfit.expected)}."
    )


def _interval_rule(rule: IntervalRule) -> str:
    return (
        f"Deciding alone only between {_confidence(rule.low)} and {_confidence(rule.high)} would cost "
        f"{count(rule.cost_per_1000.mean)} checks per 1,000 cases, {count(rule.saving_per_1000)} fewer "
        f"than the threshold (sure to {_percent(rule.cheaper)}). A policy holds one threshold; find out "
        "first why the surest cases are wrong."
    )


def _percent(share: float) -> str:
    rounded = 100 * share
    text = f"{rounded:.0f}" if rounded >= 10 else amount(round(rounded, 1))
    return f"{text}%"


def _confidence(threshold: float) -> str:
    return threshold_text(threshold, threshold - abs(threshold) / 1000 - 1e-9)


def surprise_object(answer: ValueAnswer) -> dict[str, Any]:
    """Return the same, and why nothing is decided, as parts of a JSON object; null where absent."""
    tomorrow = answer.tomorrow
    if tomorrow is None:
        return dict.fromkeys(SURPRISES)
    fall, misfit, rule = tomorrow.fall, tomorrow.misfit, tomorrow.interval_rule
    parts = (
        tomorrow.best.reason,
        None if fall is None else fall._asdict(),
        None if misfit is None else misfit._asdict(),
        None if rule is None else asdict(rule),
    )
    return dict(zip(SURPRISES, parts, strict=True))
