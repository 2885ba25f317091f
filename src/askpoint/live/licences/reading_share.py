"""Evidence that counts what readers overlook, measured by golden actions (spec/approvals.md, A3).

A golden action is known to be bad, stands unmarked in the same queue and is never executed. Of bad actions a share
m is overlooked; in each bracket of m the marked rate has a limit of its own and golden misses speak against the
bracket. The true m lies in one bracket, where the product is a supermartingale; the least is smaller.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from askpoint.live.licences.certificate import (
    FIRST,
    SHARES,
    WEIGHTS,
    evidence_path,
    evidence_step,
)
from askpoint.measures.inputs import FloatArray

__all__ = ["BRACKETS", "GoldAnswers", "ReadingEvidence", "evidence_with_gold"]

BRACKETS = (0.0, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.45, 0.6, 0.8, 0.95, 1.0)
"""Edges of the share that readers overlook."""


def evidence_with_gold(bad: Sequence[float], missed: Sequence[bool], limit: float) -> FloatArray:
    """Return the evidence after each label that the true rate lies below a limit.

    Parameters
    ----------
    bad : sequence of float
        Labels in the order of their actions, 0 right to 1 wrong.
    missed : sequence of bool
        Of golden actions, which the readers let pass; dealt independently of the actions.
    limit : float
        On the true rate.

    Returns
    -------
    ndarray of shape (n_labels,)
    """
    edges = np.array(BRACKETS)
    gold = np.ones(len(edges) - 1)
    if len(missed):
        against = evidence_path([float(one) for one in missed], edges[1:-1])[-1]
        gold[1:] = (1 + against) / 2
    marked = evidence_path(bad, limit * (1 - edges[1:-1]))
    products = np.column_stack([marked * gold[:-1], np.full(len(marked), gold[-1])])
    return np.asarray(products.min(axis=1)) if len(marked) else np.empty(0)


_EDGES = np.array(BRACKETS)[1:-1]


@dataclass(frozen=True, eq=False)
class GoldAnswers:
    """What readers of a pool did with golden actions, as evidence against each bracket.

    Parameters
    ----------
    bets : ndarray of shape (n_brackets - 1, 8)
        Against each lower edge above 0.
    answers : int
        How many there were.
    """

    bets: FloatArray
    answers: int = 0

    @classmethod
    def start(cls) -> Self:
        """Return what is known before any answer."""
        return cls(np.full((len(_EDGES), len(SHARES)), FIRST))

    def hear(self, *, missed: bool) -> Self:
        """Return what is known after an answer: whether it was let pass."""
        bets = evidence_step(self.bets, self.answers + 1, float(missed), _EDGES)
        return replace(self, bets=bets, answers=self.answers + 1)

    @property
    def factors(self) -> tuple[float, ...]:
        """For each bracket what golden actions say against it; half of it stays 1 (A3)."""
        against = (1 + self.bets @ WEIGHTS) / 2 if self.answers else np.ones(len(_EDGES))
        return (1.0, *against.tolist())


@dataclass(frozen=True, eq=False)
class ReadingEvidence:
    """Evidence of a unit in each bracket of what readers overlook.

    Parameters
    ----------
    limit : float
        On the true rate.
    bets : ndarray of shape (n_brackets - 1, 8)
        On what is marked; in the last bracket golden actions alone speak.
    gold : tuple of float
        Factors of the brackets, as of the last step.
    """

    limit: float
    bets: FloatArray
    gold: tuple[float, ...] = (1.0,) * (len(BRACKETS) - 1)

    @classmethod
    def start(cls, limit: float) -> Self:
        """Return the evidence before any label."""
        return cls(limit, np.full((len(_EDGES), len(SHARES)), FIRST))

    def update(self, bad: float, t: int) -> Self:
        """Return the evidence after the t-th label."""
        return replace(self, bets=evidence_step(self.bets, t, bad, self.limit * (1 - _EDGES)))

    @property
    def evidence(self) -> float:
        """The least over the brackets: the true share lies in one of them."""
        *gold, last = self.gold
        return float(min((self.bets @ WEIGHTS * np.array(gold)).min(), last))

    def to_list(self) -> list[Any]:
        """Return it as JSON, but for its limit."""
        return [self.bets.tolist(), list(self.gold)]

    @classmethod
    def from_list(cls, limit: float, given: Sequence[Any]) -> Self:
        """Read what `to_list` wrote."""
        bets, gold = given
        return cls(limit, np.array(bets), tuple(gold))
