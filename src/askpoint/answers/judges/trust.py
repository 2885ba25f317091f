"""Whether to trust the answer: a claim that can be right or wrong, and the reasons for it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from askpoint.answers.judges.answer import JudgesAnswer
from askpoint.answers.judges.estimate import Estimate
from askpoint.judges.families import related_judges
from askpoint.judges.methods.dawid_skene import FEW_VOTES
from askpoint.measures.intervals import Interval
from askpoint.reports.words import plural, share

__all__ = ["TOLERANCE", "JudgesTrust", "judge_trust"]

TOLERANCE = 0.05
_SLIGHT = 0.008  # measured: see the curve in docs/judges.md
_EXCESS = 1.25  # root mean square of residuals, in units of what sampling alone does


@dataclass(frozen=True)
class JudgesTrust:
    """Whether the prevalence and all accuracies err by at most .05, as far as votes can tell.

    Attributes
    ----------
    is_trusted : bool
        The claim.
    reasons : tuple of str
        What speaks against it; or if nothing does, what speaks for it.
    """

    is_trusted: bool
    reasons: tuple[str, ...]

    @property
    def level(self) -> str:
        """The claim in words."""
        return "trusted" if self.is_trusted else "not trusted"


def judge_trust(answer: JudgesAnswer) -> JudgesTrust:
    """Say whether to trust the answer that is told first."""
    best = answer.best
    if best is None:
        return JudgesTrust(is_trusted=False, reasons=("no evaluator has an answer",))
    against = tuple(_against(answer, best))
    if against:
        return JudgesTrust(is_trusted=False, reasons=against)
    because = {
        "with_gold": "the gold labels make every interval narrow",
        "independent": "even slightly correlated errors would move no number by more than .05",
        "ensemble": f"all pairs of judges{_apart(answer)} agree as their accuracies explain, but for "
        "sampling",
    }
    return JudgesTrust(is_trusted=True, reasons=(because[best.name],))


def _against(answer: JudgesAnswer, best: Estimate) -> Iterator[str]:
    if best.name == "majority":
        yield "only the majority vote has an answer, and it gives no sign of its own mistakes"
        return
    if best.name in ("confusions", "dawid_skene"):
        yield "neither this evaluator nor its intervals show where judges err together"
        if answer.families:
            yield "it takes judges of one family for independent ones, too"
        if best.few_votes:
            yield (
                f"{plural(len(best.few_votes), 'judge has', 'judges have')} fewer than {FEW_VOTES} "
                "votes on the items of a label, too few for intervals to be relied on"
            )
    widest = _widest(best)
    if no_intervals := answer.reasons.get(f"{best.name}_interval"):
        yield f"it has no intervals: {no_intervals}"
    elif widest is None:
        yield "the estimates lie outside what is possible, so the judges do not err independently"
    elif widest > TOLERANCE:
        yield (
            f"the widest interval is {share(widest)} to either side; more items, or gold labels, "
            "would narrow it"
        )
    if best.name == "independent" and answer.independent is not None:
        band = answer.independent.sensitivity(_SLIGHT)
        if band is not None:
            off = _half_width(band.prevalence, band.accuracy)
            if off > TOLERANCE:
                yield (
                    f"if the errors of two judges were correlated by {_SLIGHT} only, a number could "
                    f"be off by {share(off)}, and three judges can not show whether they are"
                )
    if best.name == "ensemble" and answer.ensemble is not None:
        kin = answer.families.values()
        if kin and len(answer.sketch.judges) - sum(map(len, kin)) + len(kin) == 3:
            yield "the judges are of three families only, which can not show whether these err together"
        if answer.ensemble.flagged:
            yield f"{len(answer.ensemble.flagged)} pairs of judges err together"
        excess = _excess(answer)
        if excess > _EXCESS:
            yield (
                "pairs of judges agree more unevenly than their accuracies and sampling explain "
                f"({excess:.2f} times)"
            )


def _apart(answer: JudgesAnswer) -> str:
    return " of different families" if answer.families else ""


def _widest(estimate: Estimate) -> float | None:
    """Half the width of the widest interval; None if there are no intervals."""
    if estimate.prevalence_interval is None or estimate.accuracy_interval is None:
        return None
    return _half_width(estimate.prevalence_interval, estimate.accuracy_interval)


def _half_width(
    prevalence: Mapping[str, Interval], accuracy: Mapping[str, Mapping[str, Interval | None]]
) -> float:
    """Half the width of the widest interval."""
    intervals = [*prevalence.values(), *(i for of in accuracy.values() for i in of.values())]
    return max((i.upper - i.lower) / 2 for i in intervals if i is not None)


def _excess(answer: JudgesAnswer) -> float:
    """Residuals of pairs against what sampling does to a correlation: 1 if judges are independent."""
    if answer.ensemble is None:
        return math.inf
    votes, counts = answer.sketch.cells()
    cast = (votes >= 0).astype(float)
    common = (cast * counts[:, None]).T @ cast
    apart = ~related_judges(answer.sketch.judges, answer.question.families)
    upper = np.triu((common > 2) & apart, 1)
    squares = answer.ensemble.residuals[upper] ** 2 * common[upper]
    return float(np.sqrt(squares.mean())) if squares.size else math.inf
