"""What became of a threshold in use, said."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from askpoint.answers.value.in_use import InUse
from askpoint.reports.document import Block, Notice, Paragraph
from askpoint.reports.words import amount, count, plural, round_share

__all__ = ["in_use_blocks", "in_use_object"]

_LEADS = {
    "holds": "The threshold {t} holds",
    "holds not": "The threshold {t} holds no longer",
    "cannot be told": "Whether the threshold {t} holds cannot be told yet",
}


def in_use_blocks(used: InUse) -> Iterator[Block]:
    """Yield the judgement, and what was stated before."""
    yield Paragraph(f"{_LEADS[used.judgement].format(t=amount(used.threshold))}.", lead=True)
    asked, wrong = used.expected.asked.mean, used.expected.mistakes.mean
    yield Paragraph(
        f"Of 1,000 new cases it sends about {count(1000 * asked)} to people and decides about "
        f"{amount(round(1000 * wrong, 1))} wrongly. With a probability of {round_share(round(used.chance, 2))} it "
        "is as good as anything else, to a twentieth of its cost, or keeps your limit."
    )
    if used.judgement == "cannot be told":
        yield Notice(
            "No number of labels that people can give would tell: it lies at the limit."
            if used.more_labels is None
            else f"About {plural(used.more_labels, 'more label', 'more labels')} of fresh cases would tell."
        )
    if used.since is not None and used.more_mistakes is not None:
        low, high = (count(1000 * end) for end in used.since.mistakes[1:])
        yield Paragraph(
            f"The report that chose it expected {low} to {high} of 1,000 cases to be decided wrongly. "
            f"That there are more by now has a probability of {round_share(round(used.more_mistakes, 2))}."
        )


def in_use_object(used: InUse) -> dict[str, Any]:
    """Return the same as part of a JSON object."""
    expected = used.expected
    reasons = {}
    if used.more_labels is None:
        reasons["more_labels"] = "told already, or no number of labels would tell"
    if used.since is None:
        reasons |= dict.fromkeys(("since", "more_mistakes"), "no report was named: --since")
    return {
        "threshold": used.threshold,
        "judgement": used.judgement,
        "chance": used.chance,
        "asked": expected.asked._asdict(),
        "mistakes": expected.mistakes._asdict(),
        "more_labels": used.more_labels,
        "since": None if used.since is None else dataclasses.asdict(used.since),
        "more_mistakes": used.more_mistakes,
        "reasons": reasons,
    }
