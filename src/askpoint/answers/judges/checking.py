"""How far the checking of items has come: the prevalence, and the judge who is known least."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from askpoint.judges.gold.confidence_sequence import CheckingAdvice, enough_checked
from askpoint.judges.gold.gold_sketch import GoldSketch

__all__ = ["CheckingProgress", "checking_progress"]


@dataclass(frozen=True)
class CheckingProgress:
    """Whether enough items are checked, if they were drawn with equal chances.

    Parameters
    ----------
    prevalence : CheckingAdvice
        Of the first label among all items.
    accuracy : CheckingAdvice
        Of the judge and label known least, among items such as these; `n_checked` and
        `further` count items of that label.
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
    gold: GoldSketch, n_items: int, *, within: float, level: float = 0.95
) -> CheckingProgress:
    """Say how far the checking has come; asking often does no harm."""
    votes, counts = gold.cells()
    n_first, n_checked = int(counts[:, 0].sum()), int(counts.sum())
    advice = enough_checked(n_first, n_checked, within=within, n_items=n_items, level=level)
    found = []
    for place, judge in enumerate(gold.judges):
        for code, label in enumerate(gold.labels):
            voted, right = votes[:, place] >= 0, votes[:, place] == code
            n_right, n_voted = (
                int(counts[np.flatnonzero(of), code].sum()) for of in (right, voted)
            )
            known = enough_checked(n_right, n_voted, within=within, level=level)
            found.append((known, judge, label))
    return CheckingProgress(advice, *max(found, key=lambda known: _width(known[0])))


def _width(advice: CheckingAdvice) -> float:
    return advice.interval.upper - advice.interval.lower
