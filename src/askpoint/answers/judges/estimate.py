"""What one evaluator of judges says, in one form for all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from askpoint.judges.evaluation import Evaluation, EvaluationIntervals
from askpoint.judges.methods.dawid_skene import ConfusionsEvaluation
from askpoint.measures.intervals import Interval

__all__ = ["Estimate", "as_estimate", "as_floats"]

_TITLES = {
    "with_gold": "gold labels and votes",
    "independent": "independent errors",
    "ensemble": "all pairs and trios",
    "confusions": "confusion matrices",
    "dawid_skene": "Dawid and Skene",
    "majority": "majority vote",
}


@dataclass(frozen=True)
class Estimate:
    """What one evaluator says, in one form for all.

    Attributes
    ----------
    name, title : str
        For programs, and for people.
    prevalence : mapping of str to float
        By label.
    accuracy : mapping of str to mapping of str to float or None
        By judge and label.
    prevalence_interval, accuracy_interval : mappings, or None
        Intervals of the same form; None if the evaluator has none.
    few_votes : tuple of str
        Judges with too few votes for intervals to be met as often as they say.
    """

    name: str
    title: str
    prevalence: Mapping[str, float]
    accuracy: Mapping[str, Mapping[str, float | None]]
    prevalence_interval: Mapping[str, Interval] | None = None
    accuracy_interval: Mapping[str, Mapping[str, Interval | None]] | None = None
    few_votes: tuple[str, ...] = ()

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


def as_estimate(
    name: str,
    found: Evaluation,
    around: EvaluationIntervals | None = None,
) -> Estimate:
    """Put what an evaluator found into the one form."""
    prevalence, accuracy = as_floats(found)
    return Estimate(
        name,
        _TITLES[name],
        prevalence,
        accuracy,
        None if around is None else around.prevalence,
        None if around is None else around.accuracy,
        found.few_votes if isinstance(found, ConfusionsEvaluation) else (),
    )


def as_floats(
    found: Evaluation,
) -> tuple[dict[str, float], dict[str, dict[str, float | None]]]:
    """Return prevalences and accuracies as floats, where some may be fractions."""
    return (
        {label: float(share) for label, share in found.prevalence.items()},
        {
            judge: {label: None if x is None else float(x) for label, x in of.items()}
            for judge, of in found.accuracy.items()
        },
    )
