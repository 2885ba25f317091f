"""Whether to trust the answer: a claim that can be right or wrong, and the reasons for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from askpoint.answers.judges.answer import JudgesAnswer
from askpoint.answers.judges.estimate import Estimate
from askpoint.judges.evaluator import Doubt

__all__ = ["TOLERANCE", "IntervalDoubt", "JudgesTrust", "judge_trust"]

TOLERANCE = 0.05


@dataclass(frozen=True)
class IntervalDoubt:
    """What intervals, or their lack, say against an answer.

    Attributes
    ----------
    problem : {"missing", "impossible", "wide"}
        They could not be computed; the estimates lie outside what is possible; they are wide.
    half_width : float
        Of the widest.
    why : str
        What an error said.
    """

    problem: Literal["missing", "impossible", "wide"]
    half_width: float = 0.0
    why: str = ""


@dataclass(frozen=True)
class JudgesTrust:
    """Whether the prevalence and all accuracies err by at most .05, as far as votes can tell.

    Attributes
    ----------
    is_trusted : bool
        The claim.
    reasons : tuple of Doubt or IntervalDoubt
        What speaks against it; or if nothing does, what speaks for it. None if there is no answer.
    """

    is_trusted: bool
    reasons: tuple[Doubt | IntervalDoubt, ...]


def judge_trust(answer: JudgesAnswer) -> JudgesTrust:
    """Say whether to trust the answer that is told first."""
    best = answer.best
    if best is None:
        return JudgesTrust(is_trusted=False, reasons=())
    against = tuple(_against(answer, best))
    if against:
        return JudgesTrust(is_trusted=False, reasons=against)
    if best.evaluator.support is None:
        unknown = Doubt("this evaluator gives no sign of its own mistakes")
        return JudgesTrust(is_trusted=False, reasons=(unknown,))
    return JudgesTrust(is_trusted=True, reasons=(Doubt(best.evaluator.support(best.evaluation)),))


def _against(answer: JudgesAnswer, best: Estimate) -> Iterator[Doubt | IntervalDoubt]:
    yield from best.evaluator.limits(answer.evidence, best.evaluation)
    if why := answer.reasons.get(f"{best.name}_interval"):
        yield IntervalDoubt("missing", why=why)
    elif best.intervals is not None and best.intervals.half_width > TOLERANCE:
        yield IntervalDoubt("wide", best.intervals.half_width)
    elif best.intervals is None and best.evaluator.intervals is not None:
        yield IntervalDoubt("impossible")
    yield from best.evaluator.doubts(answer.evidence, best.evaluation, TOLERANCE)
