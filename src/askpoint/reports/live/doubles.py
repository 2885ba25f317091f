"""Cases that two people labelled, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from askpoint.answers.live.doubles import Doubles
from askpoint.live.terms import Terms
from askpoint.reports.document import Block, Notice, Paragraph
from askpoint.reports.objects import as_json
from askpoint.reports.words import amount, plural, share

__all__ = ["doubles_blocks", "doubles_object"]

_FEW = 30  # settled cases below which a share says little


def doubles_blocks(doubles: Doubles | None, terms: Terms) -> Iterator[Block]:
    """Say how often people differ, what was settled, and what no second person can show."""
    if doubles is None:
        return
    text = (
        f"Two people labelled {plural(doubles.cases, 'case', 'cases')}, and differ on {doubles.differ}. "
        f"As settled, the first label blamed {plural(doubles.blamed, 'right answer', 'right answers')} and "
        f"missed {plural(doubles.missed, 'mistake', 'mistakes')}"
    )
    text += f"; {doubles.open} wait for a third person." if doubles.open else "."
    if doubles.mistakes is not None:
        low, high = doubles.mistakes
        text += (
            " With these errors taken out, the answers hold "
            f"{amount(low)} to {amount(high)} mistakes (at all times)."
        )
    yield Paragraph(
        f"{text} Errors that all people share, a second person who saw the first label and a third who "
        "copies show nowhere here: only gold cases show them."
    )
    settled = doubles.cases - doubles.open
    if settled >= _FEW and doubles.errors > terms.reviewer_error_limit * settled:
        yield Notice(
            f"People err in {share(doubles.errors / settled)} of the cases that two of them labelled; "
            f"{share(terms.reviewer_error)} was stated. The mistakes counted here are partly theirs."
        )


def doubles_object(doubles: Doubles | None) -> Any:
    """Return the same for programs."""
    if doubles is None:
        return None
    return {
        "cases": doubles.cases,
        "differ": doubles.differ,
        "open": doubles.open,
        "blamed": doubles.blamed,
        "missed": doubles.missed,
        "audits": doubles.audits,
        "mistakes": None if doubles.mistakes is None else as_json(doubles.mistakes),
    }
