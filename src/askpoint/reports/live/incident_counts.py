"""How many wrong answers an incident let out, and why the mistake budget counts more."""

from __future__ import annotations

from askpoint.live.incident_span import SpanMistakes
from askpoint.reports.words import count, estimate_text, plural

__all__ = ["budget_count_text", "incident_count_text", "incident_range_text"]


def incident_range_text(out: SpanMistakes) -> str:
    """Return the interval of the wrong answers, as it stands below their number."""
    return f"{estimate_text(out.interval.lower)} to {estimate_text(out.interval.upper)}"


def incident_count_text(out: SpanMistakes, answers: int) -> str:
    """Return how many answers were wrong since the incident began, in a sentence."""
    lower, upper = map(estimate_text, out.interval)
    return (
        f"About {estimate_text(out.estimate)} of the {plural(answers, 'answer', 'answers')} since the incident began "
        f"were wrong (between {lower} and {upper})."
    )


def budget_count_text(out: SpanMistakes, at_most: float, answers: float, allowed: float) -> str:
    """Return why the mistake budget closed on a count above that of the incident, in two sentences.

    Parameters
    ----------
    out : SpanMistakes
        What the incident let out.
    at_most, answers, allowed : float
        The most that may be wrong of so many answers since it opened, and how many were allowed of them.
    """
    return (
        f"The mistake budget counts more: of all {count(answers)} answers since it opened up to {count(at_most)} may be "
        f"wrong, and {count(allowed)} were allowed. It counts as wrong what too few audits cannot rule out; "
        f"{estimate_text(out.estimate)} is the best guess since the incident began."
    )
