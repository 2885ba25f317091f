"""Why the judges' answer can be trusted, or cannot, in words."""

from __future__ import annotations

from askpoint.answers.judges.answer import JudgesAnswer
from askpoint.answers.judges.trust import SLIGHT, JudgesTrust, TrustReason
from askpoint.judges.methods.dawid_skene import FEW_VOTES
from askpoint.reports.words import plural, share

__all__ = ["trust_level", "trust_reasons"]


def trust_level(trust: JudgesTrust) -> str:
    """Return the claim in words."""
    return "trusted" if trust.is_trusted else "not trusted"


def trust_reasons(answer: JudgesAnswer, trust: JudgesTrust) -> tuple[str, ...]:
    """Return each reason as half a sentence."""
    return tuple(_said(reason, answer) for reason in trust.reasons)


def _said(reason: TrustReason, answer: JudgesAnswer) -> str:
    number = reason.number or 0
    apart = " of different families" if answer.families else ""
    return {
        "no_answer": "no evaluator has an answer",
        "for_with_gold": "the gold labels make every interval narrow",
        "for_independent": "even slightly correlated errors would move no number by more than .05",
        "for_ensemble": f"all pairs of judges{apart} agree as their accuracies explain, but for "
        "sampling",
        "only_majority": "only the majority vote has an answer, and it gives no sign of its own "
        "mistakes",
        "blind_to_dependence": "neither this evaluator nor its intervals show where judges err "
        "together",
        "families_as_independent": "it takes judges of one family for independent ones, too",
        "few_votes": f"{plural(number, 'judge has', 'judges have')} fewer than {FEW_VOTES} votes on "
        "the items of a label, too few for intervals to be relied on",
        "no_intervals": f"it has no intervals: {reason.detail}",
        "outside": "the estimates lie outside what is possible, so the judges do not err "
        "independently",
        "wide_interval": f"the widest interval is {share(number)} to either side; more items, or "
        "gold labels, would narrow it",
        "slight_correlation": f"if the errors of two judges were correlated by {SLIGHT} only, a "
        f"number could be off by {share(number)}, and three judges cannot show whether they are",
        "three_families": "the judges are of three families only, which cannot show whether these "
        "err together",
        "flagged_pairs": f"{plural(number, 'pair of judges errs', 'pairs of judges err')} together",
        "uneven_agreement": "pairs of judges agree more unevenly than their accuracies and sampling "
        f"explain ({number:.2f} times)",
    }[reason.name]
