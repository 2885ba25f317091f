"""Reasons to trust or distrust a judges' report."""

from __future__ import annotations

from askpoint.answers.judges.trust import IntervalDoubt, JudgesTrust
from askpoint.judges.evaluator import MethodDoubt
from askpoint.reports.words import count, share

__all__ = ["doubt_words", "trust_level", "trust_reasons"]


def trust_level(trust: JudgesTrust) -> str:
    """Return the claim in words."""
    return "trusted" if trust.is_trusted else "not trusted"


def trust_reasons(trust: JudgesTrust) -> tuple[str, ...]:
    """Return each reason as half a sentence."""
    return tuple(map(_reason_text, trust.reasons)) or ("no evaluator has an answer",)


def doubt_words(doubt: MethodDoubt) -> str:
    """Return half a sentence with its number."""
    write = {"share": share, "count": count, "factor": "{:.2f}".format}[doubt.unit]
    return doubt.words.format(write(doubt.number))


def _reason_text(reason: MethodDoubt | IntervalDoubt) -> str:
    if isinstance(reason, MethodDoubt):
        return doubt_words(reason)
    return {
        "missing": f"it has no intervals: {reason.why}",
        "wide": f"the widest interval ({reason.what}) goes {100 * reason.reach:.0f} percentage points to one side",
    }[reason.problem]
