"""What a method that evaluates judges must say of itself, so that all who show it can ask it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from askpoint.judges.evaluation import Evaluation, EvaluationIntervals
from askpoint.judges.gold.gold_sketch import GoldSketch
from askpoint.judges.gold.labelled_patterns import LabelledPatterns
from askpoint.judges.methods.identification import BetterThanChance, RootPolicy
from askpoint.judges.sketch.vote_sketch import VoteSketch

__all__ = ["Evaluator", "JudgeEvidence", "MethodDoubt"]

_Found = TypeVar("_Found", bound=Evaluation)


@dataclass(frozen=True)
class JudgeEvidence:
    """All that a method may use: votes, checked items, and what is known of judges and labels."""

    sketch: VoteSketch
    gold: GoldSketch | None = None
    families: Mapping[str, str] = field(default_factory=dict)
    root: Sequence[RootPolicy] = (BetterThanChance(),)
    labelled: LabelledPatterns | None = None
    """The same with covariates of the items, where any are known."""


@dataclass(frozen=True)
class MethodDoubt:
    """Half a sentence that speaks for or against an evaluation.

    Attributes
    ----------
    words : str
        With braces where the number goes.
    number : float
        How much, or how many.
    unit : {"share", "count", "factor"}
        How the number is written.
    """

    words: str
    number: float = 0.0
    unit: Literal["share", "count", "factor"] = "count"


def _none(*given: object) -> tuple[MethodDoubt, ...]:
    del given
    return ()


def _no_details(found: Evaluation) -> Mapping[str, Any]:
    del found
    return {}


def _own_intervals(
    evidence: JudgeEvidence, found: Evaluation, level: float
) -> EvaluationIntervals | None:
    del evidence
    return found.interval(level)


@dataclass(frozen=True, kw_only=True)
class Evaluator(Generic[_Found]):
    """A method that evaluates judges, and when not to believe it.

    Attributes
    ----------
    name, title : str
        For programs (the key in JSON), and for people.
    assumption : str
        Under which its numbers are right; it ends a sentence about them.
    intervals : {"these items", "the long run", None}
        What its intervals are about; None if it has none.
    evaluate : callable
        Raises NotEstimableError or InputError, which say why, where it has no answer.
    around : callable
        Its intervals at a level; raises NotEstimableError, which says why, where it has none.
    limits : callable
        Why not to believe it, whatever its intervals say.
    doubts : callable
        What else speaks against all its errors being within a tolerance.
    uses_labels : bool
        Whether true labels of some items stand behind its numbers; others are never trusted.
    condition : str
        A sentence: what else must hold.
    details : callable
        What JSON tells beside the numbers that all have.
    second_to : str
        The method whose fit it repeats: it is not told where that one has an answer.
    """

    name: str
    title: str
    assumption: str
    intervals: Literal["these items", "the long run"] | None
    evaluate: Callable[[JudgeEvidence], _Found]
    around: Callable[[JudgeEvidence, _Found, float], EvaluationIntervals | None] = _own_intervals
    limits: Callable[[JudgeEvidence, _Found], Iterable[MethodDoubt]] = _none
    doubts: Callable[[JudgeEvidence, _Found, float], Iterable[MethodDoubt]] = _none
    uses_labels: bool = False
    condition: str = ""
    details: Callable[[_Found], Mapping[str, Any]] = _no_details
    second_to: str = ""
