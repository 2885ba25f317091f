"""What one evaluator says of these judges."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from askpoint.judges.evaluation import Evaluation, EvaluationIntervals
from askpoint.judges.evaluator import Evaluator
from askpoint.measures.intervals import Interval

__all__ = ["MethodEstimate", "accuracy_floats", "prevalence_floats"]


@dataclass(frozen=True)
class MethodEstimate:
    """What one evaluator says of these judges, as floats.

    Attributes
    ----------
    evaluator : Evaluator
        Who says so.
    evaluation : Evaluation
        What was found.
    intervals : EvaluationIntervals or None
        Around each number.
    """

    evaluator: Evaluator[Any]
    evaluation: Evaluation
    intervals: EvaluationIntervals | None = None

    @property
    def name(self) -> str:
        """For programs."""
        return self.evaluator.name

    @property
    def title(self) -> str:
        """For people."""
        return self.evaluator.title

    @cached_property
    def prevalence(self) -> dict[str, float]:
        """By label."""
        return prevalence_floats(self.evaluation)

    @cached_property
    def accuracy(self) -> dict[str, dict[str, float | None]]:
        """By judge and label."""
        return accuracy_floats(self.evaluation)

    @property
    def prevalence_interval(self) -> Mapping[str, Interval | None] | None:
        """By label; None if the evaluator has none."""
        return None if self.intervals is None else self.intervals.prevalence

    @property
    def accuracy_interval(self) -> Mapping[str, Mapping[str, Interval | None]] | None:
        """By judge and label; None if the evaluator has none."""
        return None if self.intervals is None else self.intervals.accuracy

    def widest(self, labels: Collection[str]) -> tuple[float, str] | None:
        """Return the farthest that an interval goes from its number on some labels, and of which number.

        None if a number has no interval.
        """
        if self.intervals is None:
            return None
        around = [
            (self.prevalence[label], self.intervals.prevalence[label], f"the share of {label}")
            for label in labels
        ]
        around += [
            (value, self.intervals.accuracy[judge][label], f"{judge} on {label}")
            for judge, of in self.accuracy.items()
            for label, value in of.items()
            if value is not None and label in labels
        ]
        found = (0.0, "")
        for value, interval, what in around:
            if interval is None:
                return None
            found = max(found, (max(value - interval.lower, interval.upper - value), what))
        return found

    def prevalence_error(self, truth: Evaluation) -> float:
        """Return the greatest absolute error of a label's prevalence."""
        return max(abs(float(truth.prevalence[k]) - x) for k, x in self.prevalence.items())

    def accuracy_error(self, truth: Evaluation) -> float | None:
        """Return the mean absolute error of the accuracies that both know; None without any."""
        errors = [
            abs(float(known) - x)
            for judge, of in self.accuracy.items()
            for label, x in of.items()
            if x is not None and (known := truth.accuracy[judge][label]) is not None
        ]
        return sum(errors) / len(errors) if errors else None


def prevalence_floats(found: Evaluation) -> dict[str, float]:
    """Return prevalences as floats, where some may be fractions."""
    return {label: float(share) for label, share in found.prevalence.items()}


def accuracy_floats(found: Evaluation) -> dict[str, dict[str, float | None]]:
    """Return accuracies as floats, where some may be fractions."""
    return {
        judge: {label: None if x is None else float(x) for label, x in of.items()}
        for judge, of in found.accuracy.items()
    }
