"""What an evaluator of many judges answers: prevalence and accuracies, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy import special

from askpoint.errors import NotEstimableError
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.measures.inputs import FloatArray, as_level
from askpoint.measures.intervals import Interval

__all__ = [
    "JudgesEvaluation",
    "JudgesIntervals",
    "as_evaluation",
    "share_interval",
    "usable_judges",
]


@dataclass(frozen=True)
class JudgesIntervals:
    """Intervals for the prevalence of each label and the accuracies of each judge.

    Attributes
    ----------
    prevalence : mapping of label to Interval
    accuracy : mapping of judge to mapping of label to Interval
        None where the accuracy is undefined.
    """

    prevalence: Mapping[str, Interval]
    accuracy: Mapping[str, Mapping[str, Interval | None]]


@dataclass(frozen=True)
class JudgesEvaluation:
    """Prevalence and accuracies on the items that the judges voted on.

    Attributes
    ----------
    method : str
        Who answers: "majority", "ensemble", "Dawid-Skene", ...
    judges, labels : tuple of str
    n_items : int
    prevalence : mapping of label to float
        Share of items whose true label it is (symbols P_a, P_b).
    accuracy : mapping of judge to mapping of label to float
        Share of a label's items that a judge gives that label (symbols P_ia, P_ib); None
        where it is undefined.
    undefined : mapping of judge to str
        Why an accuracy is undefined.
    """

    method: str
    judges: tuple[str, ...]
    labels: tuple[str, ...]
    n_items: int
    prevalence: Mapping[str, float]
    accuracy: Mapping[str, Mapping[str, float | None]]
    undefined: Mapping[str, str] = field(default_factory=dict)


def as_evaluation(
    method: str,
    sketch: VoteSketch,
    prevalence: FloatArray,
    accuracy: FloatArray,
    undefined: Mapping[str, str],
) -> JudgesEvaluation:
    """Name the numbers of an evaluation."""
    return JudgesEvaluation(
        method,
        sketch.judges,
        sketch.labels,
        sketch.n_items,
        dict(zip(sketch.labels, prevalence.tolist(), strict=True)),
        {
            judge: {
                label: None if np.isnan(value) else float(value)
                for label, value in zip(sketch.labels, row, strict=True)
            }
            for judge, row in zip(sketch.judges, accuracy, strict=True)
        },
        undefined,
    )


def share_interval(share: float, deviation: float, level: float) -> Interval:
    """Interval for a share from the standard deviation of its error, kept between 0 and 1."""
    half = deviation * -float(special.ndtri((1 - as_level(level, "level")) / 2))
    return Interval(max(0.0, share - half), min(1.0, share + half))


def usable_judges(
    sketch: VoteSketch, votes: NDArray[np.int16], least: int = 3
) -> tuple[NDArray[np.bool_], dict[str, str]]:
    """Return which judges voted at all, and why the others have no evaluation."""
    usable: NDArray[np.bool_] = np.any(votes >= 0, axis=0)
    if usable.sum() < least:
        who: Sequence[str] = [j for j, used in zip(sketch.judges, usable, strict=True) if used]
        raise NotEstimableError(
            f"at least {least} judges must have voted to be evaluated without labels; here "
            f"{len(who)} of {len(sketch.judges)} did ({', '.join(who) or 'none'}); add judges or "
            "check some items (evaluate_with_gold)"
        )
    silent = [j for j, used in zip(sketch.judges, usable, strict=True) if not used]
    return usable, dict.fromkeys(silent, "never voted")
