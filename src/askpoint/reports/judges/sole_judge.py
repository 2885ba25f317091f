"""What one judge alone says, said with the condition that goes with it."""

from __future__ import annotations

from typing import Any

from askpoint.answers.judges.sole_judge import TakenAsTruth
from askpoint.measures.intervals import Interval
from askpoint.reports.document import Paragraph, Section
from askpoint.reports.words import plural, share, share_range

__all__ = ["sole_judge_object", "sole_judge_section"]


def sole_judge_section(found: TakenAsTruth) -> Section:
    """Return the section on a judge who is taken for the truth."""
    if found.apart is None:
        numbers = f"{share(found.value)} are {found.label}"
        expected = share_range(found.interval)
    else:
        first, second = found.apart
        numbers = (
            f"the difference is {100 * found.value:+.1f} points ({second} only the second system "
            f"passes, {first} only the first)"
        )
        expected = _points(found.interval)
    return Section(
        f"If {found.judge} is always right",
        (
            Paragraph(
                f"Of these {plural(found.n_items, 'item', 'items')} {numbers}; of items to come like "
                f"these expect {expected} (95% interval). A comparison with known answers may be "
                "taken for the truth, a model that judges may not: label some items."
            ),
        ),
    )


def _points(interval: Interval) -> str:
    return f"{100 * interval.lower:+.1f} to {100 * interval.upper:+.1f}"


def sole_judge_object(found: TakenAsTruth) -> dict[str, Any]:
    """Return the same as JSON."""
    return {
        "judge": found.judge,
        "label": found.label,
        "value": found.value,
        "interval": list(found.interval),
        "n_items": found.n_items,
        "apart": None if found.apart is None else list(found.apart),
    }
