"""What every method answers: how frequent each label is, how accurate each judge on each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.measures.inputs import FloatArray
from askpoint.measures.intervals import Interval

__all__ = ["Evaluation", "EvaluationIntervals", "Number", "name_evaluation"]

Number = Fraction | float


@dataclass(frozen=True)
class EvaluationIntervals:
    """An interval around each number of an evaluation.

    Attributes
    ----------
    prevalence : mapping of label to Interval or None
        None where the votes do not tell.
    accuracy : mapping of judge to mapping of label to Interval or None
        None where the accuracy is undefined, too.
    reasons : mapping of str to str
        Why the votes do not tell: by label, or by judge and label ("ann, ham").
    """

    prevalence: Mapping[str, Interval | None]
    accuracy: Mapping[str, Mapping[str, Interval | None]]
    reasons: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Evaluation:
    """Prevalence of each label and accuracy of each judge on each label.

    Attributes
    ----------
    prevalence : mapping of label to Fraction or float
        Share of items whose true label it is (symbols P_a, P_b); Fractions where it is exact.
    accuracy : mapping of judge to mapping of label to Fraction or float
        Share of a label's items that a judge gives that label (symbols P_ia, P_ib); None
        where it is undefined.
    n_items : float
        Items that these numbers are about; weights if they decay.
    undefined : mapping of judge to str
        Why an accuracy is undefined.
    """

    prevalence: Mapping[str, Number]
    accuracy: Mapping[str, Mapping[str, Number | None]]
    n_items: float
    undefined: Mapping[str, str] = field(default_factory=dict)

    @property
    def judges(self) -> tuple[str, ...]:
        """The judges, in their order."""
        return tuple(self.accuracy)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, in their order."""
        return tuple(self.prevalence)

    def interval(self, level: float = 0.95) -> EvaluationIntervals | None:
        """Intervals around these numbers; None if the method has none."""
        del level
        return None


def name_evaluation(
    sketch: VoteSketch,
    prevalence: FloatArray,
    accuracy: FloatArray,
    undefined: Mapping[str, str],
) -> Evaluation:
    """Name the numbers of an evaluation; NaN stands for what is undefined."""
    return Evaluation(
        dict(zip(sketch.labels, prevalence.tolist(), strict=True)),
        {
            judge: {
                label: None if np.isnan(value) else float(value)
                for label, value in zip(sketch.labels, row, strict=True)
            }
            for judge, row in zip(sketch.judges, accuracy, strict=True)
        },
        sketch.n_items,
        undefined,
    )
