"""Whether judges changed, by items that they judged twice: free of every assumption."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from askpoint.errors import InputError
from askpoint.judges.sketch.tables import VoteTable
from askpoint.measures.multiple_tests import adjust_by_holm

__all__ = ["AnchorChange", "anchor_test"]


@dataclass(frozen=True)
class AnchorChange:
    """How one judge's votes on the same items changed.

    Attributes
    ----------
    p_value : float
        McNemar's exact test, by Holm's method over judges.
    n_items : int
        Items on which the judge voted both times.
    gained, lost : int
        Items that got the label only the second time, and only the first time.
    label : str
        Which label that is: of more than two the one that changed most.
    """

    p_value: float
    n_items: int
    gained: int
    lost: int
    label: str


def anchor_test(before: VoteTable, after: VoteTable) -> dict[str, AnchorChange]:
    """Compare two rounds of votes on a frozen set of items, judge by judge.

    Parameters
    ----------
    before, after : VoteTable
        Matched by the names of items and judges; others do not count.

    Returns
    -------
    dict of judge to AnchorChange

    Raises
    ------
    InputError
        If no judge or no item is in both.

    References
    ----------
    McNemar, Psychometrika 12 (1947); Holm, Scandinavian J. of Statistics 6 (1979).

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.judges.checks.anchors import anchor_test
    >>> from askpoint.judges.sketch.tables import VoteTable
    >>> tasks = tuple(map(str, range(40)))
    >>> old = VoteTable(tasks, ("ann",), ("fail", "pass"), np.zeros((40, 1), dtype=np.int16))
    >>> new = VoteTable(tasks, ("ann",), ("fail", "pass"), np.repeat([[0], [1]], [28, 12], axis=0))
    >>> found = anchor_test(old, new)["ann"]
    >>> found.gained, found.label, found.p_value < 0.001
    (12, 'pass', True)
    """
    rows = {task: row for row, task in enumerate(after.tasks)}
    tasks = [task for task in before.tasks if task in rows]
    judges = [judge for judge in before.judges if judge in after.judges]
    if not tasks or not judges:
        what = "item" if not tasks else "judge"
        raise InputError(
            f"no {what} of the anchor file is among the votes; it takes the same items, judged again "
            "by the same judges"
        )
    places = {task: row for row, task in enumerate(before.tasks)}
    first = before.codes[
        np.ix_([places[t] for t in tasks], [before.judges.index(j) for j in judges])
    ]
    second = after.codes[np.ix_([rows[t] for t in tasks], [after.judges.index(j) for j in judges])]
    labels = [label for label in after.labels if label in before.labels]
    changes = [
        _compare(first[:, i], second[:, i], before, after, labels) for i in range(len(judges))
    ]
    adjusted = adjust_by_holm([one.p_value for one in changes])
    return {
        judge: AnchorChange(p, one.n_items, one.gained, one.lost, one.label)
        for judge, one, p in zip(judges, changes, adjusted, strict=True)
    }


def _compare(
    first: np.ndarray[tuple[int, ...], np.dtype[np.int16]],
    second: np.ndarray[tuple[int, ...], np.dtype[np.int16]],
    before: VoteTable,
    after: VoteTable,
    labels: list[str],
) -> AnchorChange:
    from scipy import stats

    both = (first >= 0) & (second >= 0)
    tried = []
    for label in labels[1:] if len(labels) == 2 else labels:
        was = first[both] == before.labels.index(label)
        now = second[both] == after.labels.index(label)
        gained, lost = int((now & ~was).sum()), int((was & ~now).sum())
        p = stats.binomtest(gained, gained + lost).pvalue if gained + lost else 1.0
        tried.append(AnchorChange(float(p), int(both.sum()), gained, lost, label))
    best = min(tried, key=lambda one: one.p_value)
    return AnchorChange(
        min(1.0, best.p_value * len(tried)), best.n_items, best.gained, best.lost, best.label
    )
