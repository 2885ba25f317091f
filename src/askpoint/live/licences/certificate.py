"""Evidence, valid whenever it is looked at, that a kind of action is wrong less often than a limit.

Eight bets that the rate is a share of the limit, each with starts at every label, so that what was bad long ago
is forgotten. While the rate is at or above the limit the evidence is a supermartingale that begins at .9: it ever
reaches 1 / delta with a chance of at most delta, however often somebody looks (spec/approvals.md, A4).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from askpoint.errors import InputError
from askpoint.measures.inputs import FloatArray, IntArray

__all__ = [
    "FIRST",
    "SHARES",
    "WEIGHTS",
    "Certificate",
    "audit_rate",
    "evidence_path",
    "evidence_step",
    "grant_bound",
    "greatest_missed",
    "licence_level",
    "starts_to_come",
]

SHARES = np.array([0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.85])
"""Of the limit: what each bet says that the rate is."""
WEIGHTS = np.array([0.2, 0.15, 0.15, 0.15, 0.12, 0.1, 0.08, 0.05])
"""Of each bet: chosen on 4,000 made histories, the table of A4."""
_RATES = (0.5, 0.2, 0.05)
"""Of the actions taken alone, the share that is audited at levels 1, 2, 3."""
_STEP = 10.0
"""How much more evidence each level takes."""
FIRST = 0.9
"""Of each bet before any label; the starts hold the rest."""
_SUM = 2.11  # of 1 / ((t + 1) ln^2 (t + 1)), t = 1, 2, ..., rounded up
_GREATEST = 1e200  # evidence is cut here, which only lowers it
_MOST_MISSED = 0.999
_STEPS = 40  # of the bisection


@dataclass(frozen=True, eq=False)
class Certificate:
    """Evidence that the rate lies below a limit.

    Parameters
    ----------
    limit : float
        On the share of actions that a careful reader would not have let run.
    bets : ndarray of shape (8,)
        Evidence of each bet.
    labels : int
        How many labels it has heard.

    Examples
    --------
    >>> certificate = Certificate.start(0.05)
    >>> for _ in range(76):
    ...     certificate = certificate.update(0.0)
    >>> certificate.evidence >= grant_bound(delta=0.05)
    True
    """

    limit: float
    bets: FloatArray
    labels: int = 0

    @classmethod
    def start(cls, limit: float) -> Self:
        """Return the certificate that has heard nothing."""
        if not 0 < limit < 1:
            raise InputError(f"a limit lies between 0 and 1; got {limit:g}")
        return cls(limit, np.full(len(SHARES), FIRST))

    def update(self, bad: float) -> Self:
        """Return the certificate after a label: 0 right, 1 wrong, or a weight between."""
        _check_label(bad)
        bets = evidence_step(self.bets[np.newaxis], self.labels + 1, bad, np.array([self.limit]))[0]
        return replace(self, bets=bets, labels=self.labels + 1)

    @property
    def evidence(self) -> float:
        """Weighted mean of the bets."""
        return float(self.bets @ WEIGHTS)


def grant_bound(delta: float, episode: int = 1) -> float:
    """Return the evidence that a licence takes: over all episodes, false ones sum to delta.

    Examples
    --------
    >>> round(grant_bound(0.05), 6)
    25.0
    >>> round(grant_bound(0.05, episode=2), 6)
    200.0
    """
    share = 0.8 if episode == 1 else 0.2 / (episode * (episode - 1))
    return 1 / (share * delta)


def licence_level(evidence: float, bound: float, *, levels: int = len(_RATES)) -> int:
    """Return the level of a licence, 1 to 3: one more with each tenfold of evidence."""
    if evidence <= 0:
        return 1
    steps = math.floor(math.log(evidence / bound) / math.log(_STEP))
    return min(levels, max(1, 1 + steps))


def audit_rate(level: int) -> float:
    """Return the share of actions taken alone that is audited at a level."""
    return _RATES[level - 1]


def evidence_path(bad: Iterable[float], limits: Sequence[float] | FloatArray) -> FloatArray:
    """Return the evidence after each label, a column for each limit.

    Parameters
    ----------
    bad : iterable of float
        Labels in the order of their actions, each from 0 (right) to 1 (wrong).
    limits : sequence of float
        Each between 0 and 1.

    Returns
    -------
    ndarray of shape (n_labels, n_limits)
    """
    at = np.asarray(limits, dtype=np.float64)
    bets = np.full((len(at), len(SHARES)), FIRST)
    path = []
    for t, one in enumerate(bad, 1):
        _check_label(one)
        bets = evidence_step(bets, t, one, at)
        path.append(bets @ WEIGHTS)
    return np.array(path).reshape(len(path), len(at))


def greatest_missed(bad: Sequence[float], limit: float, bound: float) -> float | None:
    """Return the greatest share of bad actions that readers may overlook while the certificate stands.

    Of bad actions a share is marked: at least 1 - m where readers overlook a share m. So the rate lies below the
    limit where what is marked lies below (1 - m) limit (A3). None if it does not stand even at m = 0.
    """

    def stands(missed: float) -> bool:
        path = evidence_path(bad, [limit * (1 - missed)])
        return bool(len(path)) and float(path.max()) >= bound

    if not stands(0.0):
        return None
    low, high = 0.0, _MOST_MISSED
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if stands(middle) else (low, middle)
    return low


def evidence_step(
    bets: FloatArray, t: int | IntArray, bad: float | FloatArray, limits: FloatArray
) -> FloatArray:
    """Return bets after the t-th label, a row for each limit; a label and a t each, or one for all.

    A start at t joins, and each bet is multiplied by its likelihood ratio, linear in the label. One limit may stand for
    all rows.
    """
    start = _start(t) if isinstance(t, int) else np.asarray(_start(t))[:, np.newaxis]
    limit = limits[:, np.newaxis]
    right = (1 - limit * SHARES) / (1 - limit)
    said = np.asarray(bad)
    if said.dtype == bool:  # several times as fast, for forecasts
        factors = np.where(said[:, np.newaxis], SHARES, right)
    else:
        weight = said.reshape(-1, 1)
        factors = weight * SHARES + (1 - weight) * right
    return np.asarray(np.minimum((bets + start) * factors, _GREATEST))


def starts_to_come(t: IntArray) -> FloatArray:
    """Return at least the sum of all starts after the t-th label: what evidence still gains where nothing is true.

    The sum of 1 / ((s + 1) ln^2 (s + 1)) over s > t lies below its integral from t, 1 / ln(t + 1).
    """
    return np.asarray((1 - FIRST) / (_SUM * np.log(t + 1)))


def _start(t: int | IntArray) -> float | FloatArray:
    log = math.log(t + 1) if isinstance(t, int) else np.log(t + 1)
    return (1 - FIRST) / (_SUM * (t + 1) * log * log)


def _check_label(bad: float) -> None:
    if not 0 <= bad <= 1:
        raise InputError(f"a label lies between 0 (right) and 1 (wrong); got {bad:g}")
