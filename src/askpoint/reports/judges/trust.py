"""Why the judges' answer can be trusted, or cannot, in words."""

from __future__ import annotations

from askpoint.answers.judges.trust import IntervalDoubt, JudgesTrust
from askpoint.judges.evaluator import Doubt
from askpoint.reports.words import count, share

__all__ = ["trust_level", "trust_reasons"]


def trust_level(trust: JudgesTrust) -> str:
    """Return the claim in words."""
    return "trusted" if trust.is_trusted else "not trusted"


def trust_reasons(trust: JudgesTrust) -> tuple[str, ...]:
    """Return each reason as half a sentence."""
    return tuple(map(_said, trust.reasons)) or ("no evaluator has an answer",)


def _said(reason: Doubt | IntervalDoubt) -> str:
    if isinstance(reason, Doubt):
        write = {"share": share, "count": count, "factor": "{:.2f}".format}[reason.unit]
        return reason.words.format(write(reason.number))
    return {
        "missing": f"it has no intervals: {reason.why}",
        "impossible": "the estimates lie outside what is possible, so the judges do not err "
        "independently",
        "wide": f"the widest interval is {share(reason.half_width)} to either side; more items, or "
        "gold labels, would narrow it",
    }[reason.problem]
