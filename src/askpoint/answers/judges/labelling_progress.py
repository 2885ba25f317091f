"""How far the checking of items has come: the prevalence, and the judge who is known least."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from askpoint.errors import NotEstimableError
from askpoint.judges.gold.confidence_sequence import CheckingAdvice
from askpoint.judges.gold.evaluation import GoldEvaluation
from askpoint.judges.gold.uncertain_shares import share_interval_around
from askpoint.measures.intervals import Interval

__all__ = ["CheckingProgress", "checking_progress"]

_FEWEST = 30  # labels, below which intervals for any stopping time were not measured


@dataclass(frozen=True)
class CheckingProgress:
    """Whether enough items are checked, by intervals that hold however often one looks.

    Parameters
    ----------
    prevalence : CheckingAdvice
        Of the label of interest.
    accuracy : CheckingAdvice
        Of the judge and label known least.
    judge, label : str
        Which these are.
    """

    prevalence: CheckingAdvice
    accuracy: CheckingAdvice
    judge: str
    label: str

    @property
    def enough(self) -> bool:
        """Whether both are known as well as was asked."""
        return self.prevalence.enough and self.accuracy.enough


def checking_progress(
    found: GoldEvaluation, of: str, *, within: float, level: float = 0.95
) -> CheckingProgress:
    """Say how far the checking has come, for a label's prevalence and all accuracies."""
    if found.n_gold < _FEWEST:
        raise NotEstimableError(
            f"intervals that hold however often you look need at least {_FEWEST} labels; got "
            f"{found.n_gold}"
        )
    prevalence = share_interval_around(found.bounds[of], level, found.n_gold)
    around = found.interval(level, any_time=True).accuracy
    known = [
        (interval, judge, label)
        for judge, row in around.items()
        for label, interval in row.items()
        if interval is not None
    ]
    accuracy, judge, label = max(known, key=lambda one: one[0].upper - one[0].lower)
    return CheckingProgress(
        _advice(found, prevalence, within), _advice(found, accuracy, within), judge, label
    )


def _advice(found: GoldEvaluation, around: Interval, within: float) -> CheckingAdvice:
    """Count the labels after which an interval is narrow, if it narrows as means do."""
    half, n, n_items = (around.upper - around.lower) / 2, found.n_gold, found.n_items
    enough = half <= within
    left = 1 / n - 1 / n_items
    needed = n if enough else ceil(1 / (1 / n_items + left * (within / half) ** 2))
    return CheckingAdvice(enough, around, within, n, needed - n)
