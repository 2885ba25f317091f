"""Evidence, valid whenever it is looked at, that a kind of action is wrong less often than a limit.

Eight bets that the rate is a share of the limit, each with starts at every label, so that what was bad long ago
is forgotten. While the rate is at or above the limit the evidence is a supermartingale that begins at .9: it ever
reaches 1 / delta with a chance of at most delta, however often somebody looks (spec/approvals.md, A4).

After a lost licence trouble may go on for long, and starts that are spread over all labels are then spent. So half of
what a later episode has is a reserve: a fifth of it begins anew whenever labels have said right for some time. When to
begin depends on the past alone, so it stays a supermartingale; a licence is regained in half the approvals
(docs/evidence/licence-table.md).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

import numpy as np

from askpoint.errors import InputError
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray

__all__ = [
    "FIRST",
    "SHARES",
    "WEIGHTS",
    "Certificate",
    "Reserve",
    "evidence_path",
    "evidence_step",
    "grant_bound",
    "missed_peak",
    "quiet_labels",
    "spend_reserves",
    "starts_to_come",
]

SHARES = np.array([0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.85])
"""Of the limit: what each bet says that the rate is."""
WEIGHTS = np.array([0.2, 0.15, 0.15, 0.15, 0.12, 0.1, 0.08, 0.05])
"""Of each bet: chosen on 4,000 made histories, the table of A4."""
FIRST = 0.9
"""Of each bet before any label; the starts hold the rest."""
_FIRST_AGAIN = 0.5  # of each bet after a lost licence; the reserve is the rest
_PART = 0.2  # of the reserve, that begins anew at a time
_QUIET = 0.75  # right labels in a row, times the limit, before that: 15 at 5%
_SUM = 2.11  # of 1 / ((t + 1) ln^2 (t + 1)), t = 1, 2, ..., rounded up
_GREATEST = 1e200  # evidence is cut here, which only lowers it
_MOST_MISSED = 0.999
_PASSES, _SHARES_AT_ONCE = 4, 64  # of the search for it: to 1 in 15 million


class Reserve(NamedTuple):
    """What has not begun yet, and how many labels in a row said right; numbers, or arrays of a row each."""

    left: float
    quiet: int

    def spend(self, limit: float, bad: float) -> tuple[float, Reserve]:
        """Return what begins with the next label, and the reserve after it.

        Parameters
        ----------
        limit : float
            Of the certificate.
        bad : float
            The label.
        """
        start = _PART * self.left if self.quiet == quiet_labels(limit) else 0.0
        return start, Reserve(self.left - start, 0 if bad else self.quiet + 1)


def quiet_labels(limit: float) -> int:
    """Return how many right labels in a row begin the evidence anew after a lost licence.

    Examples
    --------
    >>> quiet_labels(0.05)
    15
    """
    return max(1, round(_QUIET / limit))


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
    reserve : Reserve or None
        What begins anew when it becomes quiet, after a lost licence; without it starts come with each label.

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
    reserve: Reserve | None = None

    @classmethod
    def start(cls, limit: float, *, again: bool = False) -> Self:
        """Return the certificate that has heard nothing; again, after a lost licence, with a reserve."""
        if not 0 < limit < 1:
            raise InputError(f"a limit must be between 0 and 1; got {limit:g}")
        if again:
            return cls(limit, np.full(len(SHARES), _FIRST_AGAIN), 0, Reserve(1 - _FIRST_AGAIN, 0))
        return cls(limit, np.full(len(SHARES), FIRST))

    def update(self, bad: float) -> Self:
        """Return the certificate after a label: 0 right, 1 wrong, or a weight between."""
        _check_label(bad)
        start, reserve = None, self.reserve
        if reserve is not None:
            start, reserve = reserve.spend(self.limit, bad)
        limits = np.array([self.limit])
        (bets,) = evidence_step(self.bets[np.newaxis], self.labels + 1, bad, limits, start=start)
        return replace(self, bets=bets, labels=self.labels + 1, reserve=reserve)

    @property
    def evidence(self) -> float:
        """Weighted mean of the bets."""
        return float(self.bets @ WEIGHTS)

    def to_list(self) -> list[Any]:
        """Return it as JSON, but for its limit."""
        return [self.labels, self.reserve and list(self.reserve), *self.bets.tolist()]

    @classmethod
    def from_list(cls, limit: float, given: Sequence[Any]) -> Self:
        """Read what `to_list` wrote."""
        labels, reserve, *bets = given
        return cls(limit, np.array(bets), labels, reserve and Reserve(*reserve))


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


def missed_peak(bad: Sequence[float], limit: float, bound: float) -> float | None:
    """Return the greatest share of bad actions that readers may overlook while the certificate stands.

    Of bad actions a share is marked: at least 1 - m where readers overlook a share m. So the rate lies below the
    limit where what is marked lies below (1 - m) limit (A3). None if it does not stand even at m = 0.
    """
    low, high = 0.0, _MOST_MISSED
    for _ in range(
        _PASSES
    ):  # many shares in each pass over the labels: a pass costs little more than with one
        shares = np.linspace(low, high, _SHARES_AT_ONCE)
        path = evidence_path(bad, limit * (1 - shares))
        stands = path.max(axis=0, initial=0.0) >= bound
        if not stands[0]:
            return None
        falls = int(np.append(stands, False).argmin())  # the first that does not
        low, high = shares[falls - 1], shares[min(falls, len(shares) - 1)]
    return float(low)


def evidence_step(
    bets: FloatArray,
    t: int | IntArray,
    bad: float | FloatArray,
    limits: FloatArray,
    *,
    start: float | FloatArray | None = None,
) -> FloatArray:
    """Return bets after the t-th label, a row for each limit; a label and a t each, or one for all.

    A start joins, by default that of t, and each bet is multiplied by its likelihood ratio, linear in the label. One
    limit may stand for all rows.
    """
    start = _start(t) if start is None else start
    start = np.asarray(start).reshape(-1, 1)
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


def spend_reserves(
    left: FloatArray, quiet: IntArray, t: IntArray, limit: float, bad: BoolArray
) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return what begins with the t-th label, and reserves after it: `Reserve.spend`, a row each.

    Parameters
    ----------
    left : ndarray
        Of each reserve; not a number where there is none, and starts come with each label.
    quiet : ndarray of int
        Right labels in a row.
    t : ndarray of int
        Number of the label.
    limit : float
        Of all.
    bad : ndarray of bool
        The label.
    """
    spent = np.where(quiet == quiet_labels(limit), _PART * left, 0.0)
    start = np.where(np.isnan(left), _start(t), spent)
    return start, left - spent, np.where(bad, 0, quiet + 1)


def _start(t: int | IntArray) -> float | FloatArray:
    log = math.log(t + 1) if isinstance(t, int) else np.log(t + 1)
    return (1 - FIRST) / (_SUM * (t + 1) * log * log)


def _check_label(bad: float) -> None:
    if not 0 <= bad <= 1:
        raise InputError(f"a label must be between 0 (right) and 1 (wrong); got {bad:g}")
