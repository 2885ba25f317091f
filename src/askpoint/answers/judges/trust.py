"""Whether to trust the answer: a claim that can be right or wrong, and the reasons for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from askpoint.answers.judges.answer import JudgesAnswer
from askpoint.answers.judges.estimate import MethodEstimate
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
    what : str
        Which number that is.
    """

    problem: Literal["missing", "wide"]
    reach: float = 0.0
    why: str = ""
    what: str = ""


@dataclass(frozen=True)
class JudgesTrust:
    """Whether the shares and all accuracies err by at most .05, as far as labels can tell.

    Of labels that are asked for: not of slips, nor of labels that people never gave.

    Attributes
    ----------
    is_trusted : bool
        The claim; never made without true labels.
    is_share_trusted : bool
        The same claim of the share that is told first alone.
    reasons : tuple of Doubt or IntervalDoubt
        What speaks against it; or if nothing does, what speaks for it. None if there is no answer.
    share_reach : float or None
        How far the interval of that share goes from it, at most; None without an interval.
    """

    is_trusted: bool
    reasons: tuple[MethodDoubt | IntervalDoubt, ...]
    is_share_trusted: bool = False
    share_reach: float | None = None


NO_LABELS = MethodDoubt("votes cannot reveal an error that all judges make")
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
    around = best.prevalence_interval
    interval = None if around is None else around[answer.label]
    share = best.prevalence[answer.label]
    reach = None if interval is None else max(share - interval.lower, interval.upper - share)
    return JudgesTrust(
        is_trusted=not against,
        reasons=against or (_LABELS,),
        is_share_trusted=reach is not None and reach <= TOLERANCE,
        share_reach=reach,
    )


def _headline_labels(answer: JudgesAnswer) -> tuple[str, ...]:
    """Return the labels whose numbers are asked for: no slips, and none that nobody labelled."""
    aside = {*answer.stray_labels, *answer.never_labelled} - {answer.label}
    return tuple(label for label in answer.sketch.labels if label not in aside)


def _against(answer: JudgesAnswer, best: MethodEstimate) -> Iterator[MethodDoubt | IntervalDoubt]:
    yield from best.evaluator.limits(answer.evidence, best.evaluation)
    widest = best.widest(_headline_labels(answer))
    if why := answer.reasons.get(f"{best.name}_interval"):
        yield IntervalDoubt("missing", why=why)
    elif widest is None:
        yield IntervalDoubt("missing", why="some number has none")
    elif widest[0] > TOLERANCE:
        yield IntervalDoubt("wide", widest[0], what=widest[1])
    yield from best.evaluator.doubts(answer.evidence, best.evaluation, TOLERANCE)
