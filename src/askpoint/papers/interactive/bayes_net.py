"""A Bayesian network of nominal variables, learned as the paper's HillClimber does.

From the empty graph the arc is added, deleted or reversed that raises the BDeu score most, until none
does; probabilities are (count + 1/2) / (cases + r/2). The two directions of a first arc score exactly
alike: the arc into the class is taken (in Weka rounding decides). Source: Heckerman, Geiger and Chickering, Machine
Learning 20 (1995). scikit-learn has none.
"""

from __future__ import annotations

import functools
import math

import numpy as np
from scipy.special import gammaln

from askpoint.measures.inputs import FloatArray, IntArray

__all__ = ["BayesNet"]

_LEAST = 1e-9  # gains that differ by less are tied: the two directions of a first arc are


class BayesNet:
    """A network whose last variable is the class; variables are numbered, values are codes from 0.

    Parameters
    ----------
    table : ndarray of int of shape (n, n_variables)
        Cases to learn from.
    n_values : sequence of int
        How many values each variable has.
    """

    def __init__(self, table: IntArray, n_values: tuple[int, ...]) -> None:
        self.table, self.n_values = table, n_values
        self.parents: list[frozenset[int]] = [frozenset()] * len(n_values)
        self._score = functools.cache(self._bdeu)
        while self._climb():
            pass

    def posteriors(self, codes: IntArray) -> FloatArray:
        """Return the probability of each class, given all other variables."""
        target = len(self.n_values) - 1
        logs = np.zeros((len(codes), self.n_values[target]))
        concerned = [target, *(i for i, of in enumerate(self.parents) if target in of)]
        for label in range(self.n_values[target]):
            cases = np.column_stack([codes, np.full(len(codes), label)])
            for node in concerned:
                logs[:, label] += self._log_probability(node, cases)
        logs -= logs.max(axis=1, keepdims=True)
        shares = np.exp(logs)
        posterior: FloatArray = shares / shares.sum(axis=1, keepdims=True)
        return posterior

    def _log_probability(self, node: int, cases: IntArray) -> FloatArray:
        n = len(self.table)
        family = np.concatenate([self.table, cases])
        held = self._combine(family, self.parents[node])
        both = _renumber(held * self.n_values[node] + family[:, node])
        of_parents = np.bincount(held[:n], minlength=held.max() + 1)[held[n:]]
        of_both = np.bincount(both[:n], minlength=both.max() + 1)[both[n:]]
        probability: FloatArray = np.log((of_both + 0.5) / (of_parents + 0.5 * self.n_values[node]))
        return probability

    def _combine(self, table: IntArray, variables: frozenset[int]) -> IntArray:
        """Number the combinations of some variables' values that occur."""
        numbers = np.zeros(len(table), dtype=np.int64)
        for variable in sorted(variables):
            numbers[:] = _renumber(numbers * self.n_values[variable] + table[:, variable])
        return numbers

    def _bdeu(self, node: int, parents: frozenset[int]) -> float:
        """Score of a family; the prior weighs one case, spread evenly."""
        r = self.n_values[node]
        q = math.prod(self.n_values[parent] for parent in parents)
        held = self._combine(self.table, parents)
        of_both = np.bincount(_renumber(held * r + self.table[:, node]))
        of_parents = np.bincount(held)
        return float(
            (gammaln(of_both + 1 / (q * r)) - gammaln(1 / (q * r))).sum()
            - (gammaln(of_parents + 1 / q) - gammaln(1 / q)).sum()
        )

    def _climb(self) -> bool:
        """Take the best step; False if none raises the score."""
        nodes = range(len(self.n_values))
        above = self._ancestors()
        best, step = 0.0, None
        for child in (nodes[-1], *nodes[:-1]):  # of steps that tie the one into the class is taken
            held = self.parents[child]
            now = self._score(child, held)
            for parent in nodes:
                if parent == child:
                    continue
                if parent in held:
                    without = self._score(child, held - {parent}) - now
                    steps = [(without, {child: held - {parent}})]
                    # reversed, no other way may lead from parent to child
                    others = held - {parent}
                    if not any(parent == other or parent in above[other] for other in others):
                        upward = self.parents[parent] | {child}
                        gain = self._score(parent, upward) - self._score(
                            parent, self.parents[parent]
                        )
                        steps.append((without + gain, {child: others, parent: upward}))
                elif child not in above[parent]:
                    steps = [(self._score(child, held | {parent}) - now, {child: held | {parent}})]
                else:
                    continue
                for gain, change in steps:
                    if gain > best + _LEAST:
                        best, step = gain, change
        for node, parents in (step or {}).items():
            self.parents[node] = parents
        return step is not None

    def _ancestors(self) -> list[set[int]]:
        above: list[set[int]] = [set() for _ in self.parents]
        for node, found in enumerate(above):
            waiting = list(self.parents[node])
            while waiting:
                one = waiting.pop()
                if one not in found:
                    found.add(one)
                    waiting.extend(self.parents[one])
        return above


def _renumber(numbers: IntArray) -> IntArray:
    """Number anew without gaps, so that products stay small."""
    if numbers.max(initial=0) < 4 * len(numbers):
        seen = np.zeros(numbers.max(initial=0) + 1, dtype=np.int64)
        seen[numbers] = 1
        return (seen.cumsum() - 1)[numbers]
    return np.unique(numbers, return_inverse=True)[1].astype(np.int64)
