"""Whether to trust the answer: a claim that can be right or wrong, and the reasons for it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from askpoint.answers.judges.answer import JudgesAnswer
from askpoint.answers.judges.estimate import Estimate
from askpoint.judges.families import related_judges
from askpoint.measures.intervals import Interval

__all__ = ["SLIGHT", "TOLERANCE", "JudgesTrust", "TrustReason", "judge_trust"]

TOLERANCE = 0.05
SLIGHT = 0.008
"""A correlation of errors that no three judges can show; measured: see docs/judges.md."""

_EXCESS = 1.25  # root mean square of residuals, in units of what sampling alone does


@dataclass(frozen=True)
class TrustReason:
    """One thing that speaks for or against the answer, with the number behind it.

    Attributes
    ----------
    name : str
        What it is; `askpoint.reports.judges.trust` says it.
    number : float or None
        How much, or how many.
    detail : str
        What an error said.
    """

    name: str
    number: float | None = None
    detail: str = ""


@dataclass(frozen=True)
class JudgesTrust:
    """Whether the prevalence and all accuracies err by at most .05, as far as votes can tell.

    Attributes
    ----------
    is_trusted : bool
        The claim.
    reasons : tuple of TrustReason
        What speaks against it; or if nothing does, what speaks for it.
    """

    is_trusted: bool
    reasons: tuple[TrustReason, ...]


def judge_trust(answer: JudgesAnswer) -> JudgesTrust:
    """Say whether to trust the answer that is told first."""
    best = answer.best
    if best is None:
        return JudgesTrust(is_trusted=False, reasons=(TrustReason("no_answer"),))
    against = tuple(_against(answer, best))
    if against:
        return JudgesTrust(is_trusted=False, reasons=against)
    return JudgesTrust(is_trusted=True, reasons=(TrustReason(f"for_{best.name}"),))


def _against(answer: JudgesAnswer, best: Estimate) -> Iterator[TrustReason]:
    if best.name == "majority":
        yield TrustReason("only_majority")
        return
    if best.name in ("confusions", "dawid_skene"):
        yield TrustReason("blind_to_dependence")
        if answer.families:
            yield TrustReason("families_as_independent")
        if best.few_votes:
            yield TrustReason("few_votes", len(best.few_votes))
    widest = _widest(best)
    if no_intervals := answer.reasons.get(f"{best.name}_interval"):
        yield TrustReason("no_intervals", detail=no_intervals)
    elif widest is None:
        yield TrustReason("outside")
    elif widest > TOLERANCE:
        yield TrustReason("wide_interval", widest)
    if best.name == "independent" and answer.independent is not None:
        band = answer.independent.sensitivity(SLIGHT)
        if band is not None:
            off = _half_width(band.prevalence, band.accuracy)
            if off > TOLERANCE:
                yield TrustReason("slight_correlation", off)
    if best.name == "ensemble" and answer.ensemble is not None:
        kin = answer.families.values()
        if kin and len(answer.sketch.judges) - sum(map(len, kin)) + len(kin) == 3:
            yield TrustReason("three_families")
        if answer.ensemble.flagged:
            yield TrustReason("flagged_pairs", len(answer.ensemble.flagged))
        excess = _excess(answer)
        if excess > _EXCESS:
            yield TrustReason("uneven_agreement", excess)


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
