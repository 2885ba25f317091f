"""Evidence that stands on no single approver: that of all labels but one approver's, whichever that is.

One of several approvers may let bad actions pass on purpose. What the others said is evidence all the same, as long as
that approver does not choose what they see. So whom an action goes to is drawn before anybody reads it, and without an
approver the certificate hears what was dealt to others: also what they left to that approver, and then as bad, for nobody
else looked. Whichever approver colludes, the certificate without that one is a supermartingale; the least is smaller, so
nothing is to be corrected for looking at all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np

from askpoint.live.licences.certificate import (
    WEIGHTS,
    Certificate,
    evidence_step,
    spend_reserves,
)
from askpoint.measures.inputs import FloatArray, IntArray

__all__ = ["MOST_APPROVERS", "OTHERS", "Pivot", "WithoutEach", "find_pivot"]

MOST_APPROVERS = 16
"""Approvers of a unit that are told apart in an episode; all who come later count as one."""
OTHERS = ""
"""The name of those, and of whoever decided and is not named."""
_FARTHEST = 3000  # labels that are looked ahead


@dataclass(frozen=True, eq=False)
class WithoutEach:
    """The certificates of a unit without each of its approvers.

    Parameters
    ----------
    limit : float
        Of all.
    names : tuple of str
        Approvers to whom an action was dealt, or who decided one, in this episode.
    bets : ndarray of shape (n_names, 8)
        Evidence of each bet without the decisions of each.
    labels : ndarray of int of shape (n_names,)
        How many labels each has heard.
    left : ndarray of shape (n_names,)
        Of its reserve, as in `Reserve`; not a number where there is none.
    quiet : ndarray of int of shape (n_names,)
        Right labels in a row.

    Examples
    --------
    >>> from askpoint.live.licences.certificate import grant_bound
    >>> whole, apart = Certificate.start(0.05), WithoutEach.start(0.05)
    >>> for i in range(152):
    ...     apart = apart.update(0.0, whole, dealt=("ann", "ben")[i % 2], by=("ann", "ben")[i % 2])
    ...     whole = whole.update(0.0)
    >>> apart.labels.tolist(), apart.evidence >= grant_bound(delta=0.05)
    ([76, 76], True)
    """

    limit: float
    names: tuple[str, ...]
    bets: FloatArray
    labels: IntArray
    left: FloatArray
    quiet: IntArray

    @classmethod
    def start(cls, limit: float) -> Self:
        """Return what is known before the first label."""
        none = np.zeros(0, dtype=np.int64)
        return cls(limit, (), np.empty((0, len(WEIGHTS))), none, np.empty(0), none)

    def update(
        self, bad: float, whole: Certificate, *, dealt: str | None = None, by: str | None = None
    ) -> Self:
        """Return it after a label.

        Parameters
        ----------
        bad : float
            0 right, 1 wrong, or a weight between.
        whole : Certificate
            Of all labels before this one: that of an approver who was not seen yet.
        dealt : str, optional
            To whom the action was dealt; by default to who decided it.
        by : str, optional
            Who decided; by default nobody, or somebody who is not named.
        """
        held = dealt or by or (None if bad else OTHERS)
        state = self._know(whole, [one for one in (held, by) if one is not None])
        holder, taker = _place(state.names, held), _place(state.names, by)
        names = np.arange(len(state.names))
        said = np.where((names == taker) & (names != holder), 1.0, bad)
        start, left, quiet = spend_reserves(
            state.left, state.quiet, state.labels + 1, self.limit, said > 0
        )
        bets = evidence_step(
            state.bets, state.labels + 1, said, np.array([self.limit]), start=start
        )
        hears = names != holder
        return type(self)(
            self.limit,
            state.names,
            np.where(hears[:, np.newaxis], bets, state.bets),
            state.labels + hears,
            np.where(hears, left, state.left),
            np.where(hears, quiet, state.quiet),
        )

    def _know(self, whole: Certificate, people: Sequence[str]) -> Self:
        """Return it with approvers who were not seen before: without these, evidence is that of all labels so far."""
        state = self
        for name in people:
            full = len(state.names) - (OTHERS in state.names) >= MOST_APPROVERS - 1
            name = OTHERS if full and name not in state.names else name
            if name in state.names:
                continue
            left, quiet = whole.reserve or (np.nan, 0)
            state = type(self)(
                self.limit,
                (*state.names, name),
                np.vstack([state.bets, whole.bets]),
                np.append(state.labels, whole.labels),
                np.append(state.left, left),
                np.append(state.quiet, quiet),
            )
        return state

    @property
    def evidence(self) -> float:
        """The least, whomever one leaves out; without end where nobody decided yet."""
        return float((self.bets @ WEIGHTS).min(initial=np.inf))

    @property
    def pivotal(self) -> str:
        """Without whose decisions the evidence is least."""
        return self.names[int((self.bets @ WEIGHTS).argmin())] if self.names else OTHERS

    def count_missing(self, bound: float) -> int | None:
        """Return how many labels that say right, by others than the pivotal approver, bring it to a bound.

        None where it takes more than 3,000.
        """
        bets, labels, left, quiet = self.bets, self.labels, self.left, self.quiet
        right, limit = np.zeros(len(self.names)), np.array([self.limit])
        for n in range(_FARTHEST):
            if (bets @ WEIGHTS).min(initial=np.inf) >= bound:
                return n
            start, left, quiet = spend_reserves(left, quiet, labels + 1, self.limit, right > 0)
            bets, labels = evidence_step(bets, labels + 1, right, limit, start=start), labels + 1
        return None

    def to_list(self) -> list[Any]:
        """Return it as JSON, but for its limit: of each approver the name, labels, reserve and bets."""
        return [
            [name, n, None if np.isnan(left) else [left, quiet], *bets]
            for name, n, left, quiet, bets in zip(
                self.names, self.labels.tolist(), self.left.tolist(), self.quiet.tolist(), self.bets.tolist(),
                strict=True,
            )
        ]  # fmt: skip

    @classmethod
    def from_list(cls, limit: float, given: Sequence[Any]) -> Self:
        """Read what `to_list` wrote."""
        if not given:
            return cls.start(limit)
        names, labels, reserves, *bets = zip(*given, strict=True)
        left = [np.nan if one is None else one[0] for one in reserves]
        quiet = [0 if one is None else one[1] for one in reserves]
        return cls(
            limit, tuple(names), np.column_stack(bets), np.array(labels), np.array(left), np.array(quiet)
        )  # fmt: skip


def _place(names: tuple[str, ...], name: str | None) -> int:
    """Return where an approver stands; -1 for nobody."""
    if name is None:
        return -1
    return names.index(name if name in names else OTHERS)


class Pivot(NamedTuple):
    """An approver on whose word alone a licence hangs.

    Attributes
    ----------
    name : str
        `OTHERS` for those who are not told apart.
    missing : int or None
        Right labels in a row, by others, until it no longer does; None beyond 3,000.
    """

    name: str
    missing: int | None


def find_pivot(
    bad: Sequence[float], by: Sequence[str | None], limit: float, bound: float, *, again: bool = False
) -> Pivot | None:  # fmt: skip
    """Return the approver without whose decisions the evidence never reached a bound; None where there is none.

    Parameters
    ----------
    bad : sequence of float
        Labels of an episode in the order of their actions.
    by : sequence of (str or None)
        Who decided each.
    limit, bound : float
        Of the licence.
    again : bool, default=False
        Whether the episode began after a lost licence.
    """
    whole, apart = Certificate.start(limit, again=again), WithoutEach.start(limit)
    for one, who in zip(bad, by, strict=True):
        apart = apart.update(one, whole, by=who)
        whole = whole.update(one)
        if min(whole.evidence, apart.evidence) >= bound:
            return None
    return Pivot(apart.pivotal, apart.count_missing(bound))
