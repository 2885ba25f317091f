"""One judge alone, taken for the truth: what that says of items to come."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

from askpoint.judges.sketch.tables import VoteTable
from askpoint.measures.intervals import Interval, binomial_interval

__all__ = ["TakenAsTruth", "difference_as_truth", "share_as_truth"]


@dataclass(frozen=True)
class TakenAsTruth:
    """What one judge's votes say if they are right.

    Attributes
    ----------
    judge, label : str
    value : float
        Share of the label, or difference of the shares of two systems, on these items.
    interval : Interval
        Of the same number on items to come, of which these are a random sample.
    n_items : int
    apart : (int, int) or None
        Items that only the first system passes, and only the second.
    """

    judge: str
    label: str
    value: float
    interval: Interval
    n_items: int
    apart: tuple[int, int] | None = None


def share_as_truth(table: VoteTable, label: str, level: float = 0.95) -> TakenAsTruth | None:
    """Return the share of a label if the only judge is right; None if there are several judges."""
    if len(table.judges) != 1:
        return None
    codes = table.codes[table.codes[:, 0] >= 0, 0]
    n, yes = len(codes), int((codes == table.labels.index(label)).sum())
    if not n:
        return None
    interval = binomial_interval(yes, n, level=level)
    return TakenAsTruth(table.judges[0], label, yes / n, interval, n)


def difference_as_truth(
    first: VoteTable, second: VoteTable, label: str, level: float = 0.95
) -> TakenAsTruth | None:
    """Return the second system's share less the first's, paired, if the only judge is right.

    The interval is that of Agresti and Min (2005): Wald's, with half an item more in each cell.
    """
    if len(first.judges) != 1:
        return None
    one, other = (
        {task: code for task, (code,) in zip(t.tasks, t.codes.tolist(), strict=True) if code >= 0}
        for t in (first, second)
    )
    common, code = [task for task in one if task in other], first.labels.index(label)
    if not common:
        return None
    passed = [(one[task] == code, other[task] == code) for task in common]
    only_first, only_second = passed.count((True, False)), passed.count((False, True))
    n, b, c = len(common) + 2, only_first + 0.5, only_second + 0.5
    reach = NormalDist().inv_cdf((1 + level) / 2) * sqrt(b + c - (c - b) ** 2 / n) / n
    middle = (c - b) / n
    interval = Interval(max(middle - reach, -1.0), min(middle + reach, 1.0))
    value = (only_second - only_first) / len(common)
    return TakenAsTruth(
        first.judges[0], label, value, interval, len(common), (only_first, only_second)
    )
