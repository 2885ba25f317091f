"""Which judges to keep: a row a judge, with what leaving that one out would cost in labels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from askpoint.answers.judges.answer import JudgesAnswer
from askpoint.judges.gold.label_worth import LabelWorth
from askpoint.reports.document import Block, Grid, Notice, Paragraph
from askpoint.reports.words import count, plural

__all__ = ["keep_or_drop_blocks", "worth_object"]

_MOST_ROWS = 20
_NOTHING = 1.1  # times as many labels: below, the votes bring nothing, spec J21
_LITTLE = 0.05  # of the labels given


def keep_or_drop_blocks(answer: JudgesAnswer) -> Iterator[Block]:
    """Yield what the panel is worth, and the table of whom to keep."""
    worth = answer.worth
    if worth is not None:
        given = plural(worth.n_gold, "label", "labels")
        if worth.factor < _NOTHING:
            yield Notice(
                f"These votes bring next to nothing: with them {given} tell as much of {answer.label} as "
                f"{count(round(worth.n_plain))} without. Label at random, and save the judges."
            )
        else:
            yield Paragraph(
                f"With these votes {given} tell as much of {answer.label} as {count(round(worth.n_plain))} "
                f"would without ({worth.factor:.1f} times)."
            )
    rows = [_row(answer, judge) for judge in answer.judges]
    if worth is None and all(verdict == "not known" for _, verdict, _, _ in rows):
        return
    shown = sorted(rows, key=lambda row: row[1] != "keep")[:_MOST_ROWS]
    note = "Labels: how many of those that the votes save go if this judge alone is left out."
    if len(rows) > _MOST_ROWS:
        note += f" {_MOST_ROWS} of {count(len(rows))} judges; --json has all."
    yield Grid(
        "Which judges to keep",
        ("judge", "verdict", "why", "worth in labels"),
        tuple(shown),
        note if worth is not None else "Labels by people tell what the others are worth.",
    )


def _row(answer: JudgesAnswer, judge: str) -> tuple[str, str, str, str]:
    redundant = answer.redundant
    if judge in redundant.constant:
        return judge, "drop", f"constant: always {redundant.constant[judge]}", "0"
    if judge in redundant.copies:
        return judge, "drop", f"copy of {redundant.copies[judge]}", "0"
    if judge in redundant.opposites:
        return judge, "drop", f"opposite of {redundant.opposites[judge]}", "0"
    loss = None if answer.worth is None else answer.worth.judges.get(judge)
    if answer.worth is None or loss is None:
        return judge, "not known", "no labels" if answer.worth is None else "not measured", ""
    if loss < _LITTLE * answer.worth.n_gold:
        return judge, "may go", "the others tell as much", count(max(round(loss), 0))
    return judge, "keep", "useful", count(round(loss))


def worth_object(answer: JudgesAnswer) -> dict[str, Any] | None:
    """Return the same as JSON."""
    worth: LabelWorth | None = answer.worth
    if worth is None:
        return None
    rows = (_row(answer, judge) for judge in answer.judges)
    return {
        "label": answer.label,
        "n_gold": worth.n_gold,
        "n_plain": worth.n_plain,
        "factor": worth.factor,
        "judges": [
            {"judge": judge, "verdict": verdict, "why": why, "labels": worth.judges.get(judge)}
            for judge, verdict, why, _ in rows
        ],
    }
