"""Report on a threshold in use."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from askpoint.answers.value.answer import ValueAnswer
from askpoint.answers.value.current_threshold import InUse
from askpoint.reports.document import Block, Notice, Paragraph
from askpoint.reports.value.rules import expected_figures
from askpoint.reports.value.tomorrow import cases_text, chance_text, cost_of_asking
from askpoint.reports.words import count, plural, share

__all__ = ["current_rule", "in_use_blocks"]

_LEADS = {
    "holds": "The threshold {t} is still valid",
    "fails": "The threshold {t} is no longer valid",
    "undecided": "It is not known yet whether the threshold {t} is still valid",
}


def in_use_blocks(used: InUse) -> Iterator[Block]:
    """Yield the verdict and the earlier report's expectation."""
    yield Paragraph(f"{_LEADS[used.judgement].format(t=repr(used.threshold))}.", lead=True)
    expected = used.expected
    yield Paragraph(
        f"Of 1,000 new cases it sends {cases_text(expected.asked)} to review and decides "
        f"{cases_text(expected.mistakes)} wrongly. {_chance(used)}"
    )
    if used.judgement == "undecided":
        yield Notice(
            "No realistic number of labels would settle it: it is right at the limit."
            if used.more_labels is None
            else f"About {plural(_two_digits(used.more_labels), 'more label', 'more labels')} from "
            "new cases would settle it."
        )
    if used.since is not None and used.more_mistakes is not None:
        low, high = (count(1000 * end) for end in used.since.mistakes[1:])
        yield Paragraph(
            f"The report that chose it expected {low} to {high} of 1,000 cases to be decided wrongly. "
            f"Chance that there are more now: {chance_text(used.more_mistakes)}."
        )
        least, most = used.since.asked[1:]
        if not least <= expected.asked.mean <= most:
            yield Notice(
                f"It sends {count(1000 * expected.asked.mean)} of 1,000 cases to review, where that report expected "
                f"{count(1000 * least)} to {count(1000 * most)}: other cases come by now, or this log is of "
                "another model."
            )
    yield Paragraph("From this log alone, the recommendation would be:")


def _chance(used: InUse) -> str:
    chance = chance_text(used.chance)
    if used.limit is not None:
        return f"That at most {share(used.limit)} of its answers are wrong has a probability of {chance}."
    return (
        f"That nothing else (another threshold, sending every case to review, or about none) is cheaper by "
        f"more than a twentieth has a probability of {chance}."
    )


def _two_digits(number: int) -> int:
    digits = len(str(number)) - 2
    return round(number, -digits) if digits > 0 else number


def current_rule(answer: ValueAnswer, used: InUse) -> dict[str, Any]:
    """Return the threshold in use as an object of its own: the rule, its figures and the judgement."""
    reasons = {}
    if used.more_labels is None:
        reasons["more_labels"] = "already decided, or no number of labels would decide it"
    if used.since is None:
        reasons |= dict.fromkeys(("since", "more_mistakes"), "no report was named: --since")
    asking = None if answer.tomorrow is None else cost_of_asking(answer.tomorrow)
    return {
        "rule": {"name": "current", "threshold": used.threshold},
        **expected_figures(answer, used.expected, asking),
        "judgement": used.judgement,
        "chance": used.chance,
        "more_labels": used.more_labels,
        "since": None if used.since is None else dataclasses.asdict(used.since),
        "more_mistakes": used.more_mistakes,
        "reasons": reasons,
    }
