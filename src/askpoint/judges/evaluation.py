"""A point in evaluation space: how frequent each label is, how accurate each judge on each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from askpoint.measures.intervals import Interval

__all__ = ["EvaluationIntervals", "EvaluationPoint", "Number", "binary_point"]

Number = Fraction | float


@dataclass(frozen=True)
class EvaluationPoint:
    """Prevalence of each label and accuracy of each judge on each label.

    Attributes
    ----------
    prevalence : mapping of str to Fraction or float
        P_l of each label.
    accuracy : mapping of str to mapping of str to Fraction, float or None
        ``accuracy[judge][label]`` is P_{i,l}, None where it is not defined.
    reasons : tuple of str
        Why what is None is not defined.
    """

    prevalence: Mapping[str, Number]
    accuracy: Mapping[str, Mapping[str, Number | None]]
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class EvaluationIntervals:
    """An interval around each number of an evaluation.

    Attributes
    ----------
    prevalence : mapping of str to Interval
        By label.
    accuracy : mapping of str to mapping of str to Interval
        By judge and label.
    """

    prevalence: Mapping[str, Interval]
    accuracy: Mapping[str, Mapping[str, Interval]]


def binary_point(
    judges: Sequence[str],
    labels: Sequence[str],
    p: Number,
    accuracy: Sequence[tuple[Number, Number]],
) -> EvaluationPoint:
    """Make the point of two labels from numbers in the paper's order."""
    return EvaluationPoint(
        dict(zip(labels, (p, 1 - p), strict=True)),
        {
            judge: dict(zip(labels, pair, strict=True))
            for judge, pair in zip(judges, accuracy, strict=True)
        },
    )
