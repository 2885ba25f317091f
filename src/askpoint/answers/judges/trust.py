"""Whether to trust the answer: a claim that can be right or wrong, and the reasons for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from askpoint.answers.judges.answer import JudgesAnswer
from askpoint.answers.judges.estimate import Estimate
from askpoint.judges.evaluator import MethodDoubt

__all__ = ["NO_LABELS", "TOLERANCE", "IntervalDoubt", "JudgesTrust", "judge_trust"]

TOLERANCE = 0.05


@dataclass(frozen=True)
class IntervalDoubt:
    """What intervals, or their lack, say against an answer.

    Attributes
    ----------
    problem : {"missing", "wide"}
        They could not be computed; they are wide.
    reach : float
        The farthest that one goes from its number.
    why : str
        What an error said.
    """

    problem: Literal["missing", "wide"]
    reach: float = 0.0
    why: str = ""


@dataclass(frozen=True)
class JudgesTrust:
    """Whether the prevalence and all accuracies err by at most .05, as far as labels can tell.

    Attributes
    ----------
    is_trusted : bool
        The claim; never made without true labels.
    reasons : tuple of Doubt or IntervalDoubt
        What speaks against it; or if nothing does, what speaks for it. None if there is no answer.
    """

    is_trusted: bool
    reasons: tuple[MethodDoubt | IntervalDoubt, ...]


NO_LABELS = MethodDoubt("an error that all judges share leaves no trace in votes")
_LABELS = MethodDoubt("the gold labels make every interval narrow")


def judge_trust(answer: JudgesAnswer) -> JudgesTrust:
    """Say whether to trust the answer that is told first."""
    best = answer.best
    if best is None:
        return JudgesTrust(is_trusted=False, reasons=())
    if not best.evaluator.uses_labels:
        spots = answer.blind_spots
        errors = () if spots is None or spots.misfits is None else spots.misfits
        limits = best.evaluator.limits(answer.evidence, best.evaluation)
        return JudgesTrust(is_trusted=False, reasons=(NO_LABELS, *limits, *errors))
    against = tuple(_against(answer, best))
    return JudgesTrust(is_trusted=not against, reasons=against or (_LABELS,))


def _against(answer: JudgesAnswer, best: Estimate) -> Iterator[MethodDoubt | IntervalDoubt]:
    yield from best.evaluator.limits(answer.evidence, best.evaluation)
    reach = best.reach
    if why := answer.reasons.get(f"{best.name}_interval"):
        yield IntervalDoubt("missing", why=why)
    elif reach is None:
        yield IntervalDoubt("missing", why="some number has none")
    elif reach > TOLERANCE:
        yield IntervalDoubt("wide", reach)
    yield from best.evaluator.doubts(answer.evidence, best.evaluation, TOLERANCE)
