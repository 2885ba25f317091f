"""A promise about the recall of a class, said."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from askpoint.answers.value.answer import ValueAnswer
from askpoint.answers.value.recall_promise import RecallPromise
from askpoint.reports.document import Block, Notice, Paragraph
from askpoint.reports.value.thresholds import format_threshold, threshold_number
from askpoint.reports.words import count, plural, round_share

__all__ = ["recall_promise_blocks", "recall_promise_object"]


def recall_promise_blocks(answer: ValueAnswer) -> Iterator[Block]:
    """Yield what is promised of the recall of a class."""
    promise = answer.recall_promise
    if promise is None:
        return
    if math.isinf(promise.threshold):
        yield Notice(_why_not(promise))
        return
    yield Paragraph(
        f"Of the new cases {promise.label!r} at least {round_share(promise.level)} are found if the model decides alone "
        f"from {format_threshold(answer, promise.threshold)} up: it says {promise.label!r}, or a person sees them. "
        f"(Chance that this fails: {round_share(promise.delta)}.)",
        lead=True,
    )
    yield Paragraph(
        f"It rests on {plural(promise.n_labelled, 'labelled case', 'labelled cases')} {promise.label!r} drawn at random: "
        f"{count(promise.accepted)} of them may be lost, and {count(promise.n_lost)} are. It holds as long as new cases look "
        "like these, whatever the confidences are worth, and is looked at once."
    )


def _why_not(promise: RecallPromise) -> str:
    if promise.accepted < 0:
        return (
            f"Nothing can be promised from {plural(promise.n_labelled, 'labelled case', 'labelled cases')} "
            f"{promise.label!r}. The least that would do: {count(promise.n_needed)}, with none of them lost."
        )
    return (
        f"No threshold keeps it: of the {count(promise.n_labelled)} labelled cases {promise.label!r} more than "
        f"{count(promise.accepted)} are lost among the surest. Send every case to review."
    )


def recall_promise_object(answer: ValueAnswer, promise: RecallPromise) -> dict[str, Any]:
    """Return the promise as part of a JSON object."""
    is_given = math.isfinite(promise.threshold)
    return {
        "class": promise.label,
        "level": promise.level,
        "delta": promise.delta,
        "threshold": threshold_number(answer, promise.threshold),
        "n_labelled": promise.n_labelled,
        "acceptance_number": promise.accepted,
        "lost": promise.n_lost,
        "n_needed": promise.n_needed,
        "reasons": {} if is_given else {"threshold": _why_not(promise)},
    }
