"""A threshold for each group at a price, and whether it is known to differ from the common one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from askpoint.errors import ObjectiveError
from askpoint.measures.inputs import FloatArray
from askpoint.value.posterior.group_posterior import GroupCounts, GroupPosterior
from askpoint.value.posterior.prospects import Expected, from_above
from askpoint.value.posterior.recommendation import expectation_of

__all__ = ["Differs", "GroupThreshold", "choose_group_thresholds"]

Differs = Literal["yes", "no", "undecided"]

_DRAWS = 200
_SURE, _ALIKE = 0.95, 0.9


@dataclass(frozen=True)
class GroupThreshold:
    """What a group's own threshold does to its cases.

    Parameters
    ----------
    threshold : float
        Answer from here on; infinity where none of its cases is to be answered.
    n_items, n_labelled : int
        Cases of the group, and those with a label.
    asked : float
        Share of them that people look at.
    mistakes : Expected
        Share of them answered wrongly, with the middle 95% of draws.
    saved_per_1000 : float
        Checks per 1,000 of its cases that it is expected to save against the common threshold.
    differs : {"yes", "no", "undecided"}
        Whether it is known to pay against the common threshold.
    """

    threshold: float
    n_items: int
    n_labelled: int
    asked: float
    mistakes: Expected
    saved_per_1000: float
    differs: Differs


def choose_group_thresholds(
    counts: GroupCounts,
    posterior: GroupPosterior,
    checks: float,
    common: float,
    rng: np.random.Generator,
) -> tuple[GroupThreshold, ...]:
    """Choose the threshold of least expected cost in each group.

    Parameters
    ----------
    counts : GroupCounts
        Cases and labels by group.
    posterior : GroupPosterior
        What is known of each group.
    checks : float
        Checks worth one mistake, 1 or more.
    common : float
        The threshold of all groups together.
    rng : numpy.random.Generator
        Of the draws.

    Returns
    -------
    tuple of GroupThreshold
        One for each group, in order.
    """
    if not (np.isfinite(checks) and checks >= 1):
        raise ObjectiveError(f"checks per mistake must be at least 1; got {checks}")
    thresholds = np.append(counts.lowest, np.inf)
    at_common = int(np.searchsorted(thresholds, common))
    asked = np.concatenate([np.zeros((len(counts.cases), 1)), counts.cases.cumsum(axis=1)], axis=1)
    cost = asked + checks * from_above(counts.cases * (1 - posterior.right))
    # of equally good thresholds that of all groups, which is one number less to keep
    best = cost.argmin(axis=1)
    gains = cost[:, at_common] - cost.min(axis=1)
    best[gains <= 1e-9 * asked[:, -1]] = at_common
    found = []
    for group, step in enumerate(best.tolist()):
        n = asked[group, -1]
        wrong = 1 - posterior.draw(group, _DRAWS, rng)
        lost = wrong[:, step:] @ counts.cases[group, step:] / n
        found.append(
            GroupThreshold(
                threshold=float(thresholds[step]),
                n_items=int(n),
                n_labelled=round(float(counts.labels[group])),
                asked=float(asked[group, step] / n),
                mistakes=expectation_of(_mistakes(counts, posterior, group, step), lost),
                saved_per_1000=float(1000 * gains[group] / n),
                differs=_differs(
                    posterior.alike, counts.cases[group], wrong, checks, step, at_common
                ),
            )
        )
    return tuple(found)


def _mistakes(counts: GroupCounts, posterior: GroupPosterior, group: int, step: int) -> float:
    cases = counts.cases[group]
    return float(cases[step:] @ (1 - posterior.right[group, step:]) / cases.sum())


def _differs(
    alike: float, cases: FloatArray, wrong: FloatArray, checks: float, step: int, common: int
) -> Differs:
    if alike >= _ALIKE:
        return "no"
    if step == common or 1 - alike < _SURE:
        return "undecided"
    low, high = sorted((step, common))
    # what it costs to answer the cases between the two thresholds rather than ask about them
    dearer = (checks * wrong[:, low:high] - 1) @ cases[low:high]
    pays = float((dearer < 0).mean() if step < common else (dearer > 0).mean())
    return "yes" if pays >= _SURE else "undecided"
