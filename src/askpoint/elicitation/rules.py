"""Runnable classifiers behind the questions: a threshold, a cost rule, a mixture of a few.

All turn probabilities into decisions, and go to JSON and back, so that an A/B test can be the
respondent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from askpoint.errors import InputError
from askpoint.measures.inputs import FloatArray, IntArray, as_finite, as_probabilities

__all__ = ["CostRule", "DecisionRule", "Mixture", "PairRule", "pair_score"]

_ROUND_OFF = 1e-9


class DecisionRule(Protocol):
    """From probabilities to the chance of each decision."""

    def chances(self, proba: FloatArray) -> FloatArray:
        """Return the chance of each decision on each case."""
        ...

    def to_json(self) -> dict[str, Any]:
        """Return it for JSON."""
        ...


def pair_score(proba: FloatArray, first: int, second: int) -> FloatArray:
    """Share of the first class in the probability of two."""
    one, both = proba[:, first], proba[:, first] + proba[:, second]
    score: FloatArray = np.full(len(one), 0.5)
    np.divide(one, both, out=score, where=both > 0)
    return score


@dataclass(frozen=True)
class PairRule:
    """Decides between two classes only, by a threshold on `pair_score`.

    Parameters
    ----------
    first, second : int
        The two classes.
    threshold : float
        The first is decided where the score reaches it.
    reverse : bool, default=False
        The complement: the second is decided there, and the first below.
    """

    first: int
    second: int
    threshold: float
    reverse: bool = False

    def complement(self) -> PairRule:
        """Return the rule that decides for the other of the two on every case."""
        return PairRule(self.first, self.second, self.threshold, not self.reverse)

    def chances(self, proba: FloatArray) -> FloatArray:
        """Return the chance of each decision, which is 0 or 1."""
        takes_first = (pair_score(proba, self.first, self.second) >= self.threshold) != self.reverse
        chances = np.zeros(proba.shape)
        chances[:, self.first] = takes_first
        chances[:, self.second] = ~takes_first
        return chances

    def to_json(self) -> dict[str, Any]:
        """Return it for JSON."""
        return {
            "rule": "pair",
            "first": self.first,
            "second": self.second,
            "threshold": self.threshold,
            "reverse": self.reverse,
        }


@dataclass(frozen=True)
class CostRule:
    """Decides for the greatest expected gain, the first of equal ones.

    Parameters
    ----------
    gain : tuple of tuples of float, k x k
        Gain of each decision (column) under each truth (row), symbol U.
    """

    gain: tuple[tuple[float, ...], ...]

    @classmethod
    def of(cls, gain: ArrayLike) -> CostRule:
        """Make the rule of a matrix of gains."""
        matrix = as_finite(gain, "gain", ndim=2)
        if matrix.shape[0] != matrix.shape[1]:
            raise InputError(f"gain must be square; got {matrix.shape[0]} x {matrix.shape[1]}")
        return cls(tuple(tuple(map(float, row)) for row in matrix))

    @classmethod
    def constant(cls, n_classes: int, decision: int) -> CostRule:
        """Make the rule that decides the same on every case."""
        return cls.of(np.tile(np.eye(n_classes)[decision], (n_classes, 1)))

    @classmethod
    def most_probable(cls, n_classes: int) -> CostRule:
        """Make the rule that decides for the most probable class."""
        return cls.of(np.eye(n_classes))

    def chances(self, proba: FloatArray) -> FloatArray:
        """Return the chance of each decision, which is 0 or 1."""
        best = (proba @ np.array(self.gain)).argmax(axis=1)
        return np.asarray(np.eye(len(self.gain))[best])

    def to_json(self) -> dict[str, Any]:
        """Return it for JSON."""
        return {"rule": "costs", "gain": [list(row) for row in self.gain]}


@dataclass(frozen=True)
class Mixture:
    """Decides each case by one of a few rules, drawn by weight.

    Parameters
    ----------
    parts : tuple of rules
        None of them a mixture.
    weights : tuple of float
        One for each part, none negative, with sum 1.
    """

    parts: tuple[PairRule | CostRule, ...]
    weights: tuple[float, ...]

    @classmethod
    def of(cls, weighted: Sequence[tuple[float, DecisionRule]]) -> Mixture:
        """Mix rules and mixtures; equal rules become one."""
        total: dict[PairRule | CostRule, float] = {}
        for weight, rule in weighted:
            if not weight >= -_ROUND_OFF:
                raise InputError(f"a weight of a mixture must not be negative; got {weight}")
            inner = zip(rule.weights, rule.parts, strict=True) if isinstance(rule, Mixture) else ()
            for share, part in inner:
                total[part] = total.get(part, 0.0) + weight * share
            if isinstance(rule, PairRule | CostRule):
                total[rule] = total.get(rule, 0.0) + weight
        kept = {rule: weight for rule, weight in total.items() if weight > 0}
        if not abs(sum(kept.values()) - 1) <= _ROUND_OFF:
            raise InputError(f"the weights of a mixture must sum to 1; got {sum(kept.values())}")
        return cls(tuple(kept), tuple(kept.values()))

    def chances(self, proba: FloatArray) -> FloatArray:
        """Return the chance of each decision."""
        return np.asarray(
            sum(w * part.chances(proba) for w, part in zip(self.weights, self.parts, strict=True))
        )

    def decide(self, proba: ArrayLike, uniforms: ArrayLike) -> IntArray:
        """Decide cases."""
        p = as_probabilities(proba)
        drawn = as_finite(uniforms, "uniforms")
        if len(drawn) != len(p) or (drawn.size and not 0 <= drawn.min() <= drawn.max() < 1):
            raise InputError("uniforms must hold one number for each case, each in [0, 1)")
        steps = np.cumsum(self.weights)
        part = np.minimum(np.searchsorted(steps, drawn, side="right"), len(steps) - 1)
        decisions = np.stack([rule.chances(p).argmax(axis=1) for rule in self.parts])
        return np.asarray(decisions[part, np.arange(len(p))])

    def to_json(self) -> dict[str, Any]:
        """Return it for JSON."""
        return {
            "rule": "mixture",
            "parts": [part.to_json() for part in self.parts],
            "weights": list(self.weights),
        }
