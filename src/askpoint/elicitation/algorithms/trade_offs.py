"""The outcomes that two classes leave open: thresholds, their mixtures, and pairs to choose from.

A classifier that decides between classes i and j only is a point (d_i, d_j): how many cases of each
it gets right. All thresholds on eta_i / (eta_i + eta_j) form a staircase; with the complement of
each, and mixtures, a convex set that is symmetric about its centre (zeta_i / 2, zeta_j / 2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from askpoint.elicitation.rules import Mixture, PairRule, pair_score
from askpoint.elicitation.samples import Sample
from askpoint.errors import NotEstimableError
from askpoint.measures.hulls import upper_hull
from askpoint.measures.inputs import FloatArray, IntArray

__all__ = ["ClassifierOutcome", "Staircase", "TradeOff"]

_FLAT = 1e-9


class ClassifierOutcome(NamedTuple):
    """A classifier and what it does: rates of all cases, counted on labels."""

    rule: Mixture
    confusion: FloatArray


@dataclass(frozen=True, eq=False)
class Staircase:
    """Every threshold between two classes, counted on labels.

    Parameters
    ----------
    first, second : int
        The classes.
    scores : ndarray of shape (m,)
        The different scores eta_i / (eta_i + eta_j), ascending. Step s decides for the first class
        from ``scores[s]`` on; the last step m decides for the second everywhere.
    below : ndarray of shape (m + 1, k)
        How many cases of each class step s gives to the second class.
    n_near : ndarray of shape (m + 1,)
        Cases of either class with a score below that of the step.
    total : float
        All cases.
    """

    first: int
    second: int
    scores: FloatArray
    below: FloatArray
    n_near: IntArray
    total: float

    @classmethod
    def of(cls, sample: Sample, first: int, second: int) -> Staircase:
        """Count all thresholds between two classes."""
        score = pair_score(sample.proba, first, second)
        order = np.argsort(score, kind="stable")
        ordered = score[order]
        ends = np.flatnonzero(np.append(ordered[1:] > ordered[:-1], True))  # of equal scores
        mass = sample.mass[order]
        below = np.zeros((len(ends) + 1, sample.k))
        below[1:] = np.cumsum(mass, axis=0)[ends]
        n_near = np.zeros(len(ends) + 1, dtype=np.int64)
        n_near[1:] = np.cumsum(mass[:, first] + mass[:, second] > 0)[ends]
        return cls(first, second, ordered[ends], below, n_near, float(sample.mass.sum()))

    def step(self, m: float) -> int:
        """Return the step that is best when the first class weighs m and the second 1 - m."""
        return int(np.searchsorted(self.scores, 1 - m, side="left"))

    def rule(self, step: int) -> PairRule:
        """Return a step as a classifier."""
        is_last = step == len(self.scores)
        threshold = np.nextafter(self.scores[-1], 2) if is_last else self.scores[step]
        return PairRule(self.first, self.second, float(threshold))

    def confusion(self, step: int) -> FloatArray:
        """Return what a step does to the cases."""
        matrix = np.zeros((self.below.shape[1], self.below.shape[1]))
        matrix[:, self.first] = self.below[-1] - self.below[step]
        matrix[:, self.second] = self.below[step]
        return matrix / self.total

    def outcome(self, m: float) -> ClassifierOutcome:
        """Return the best classifier when the first class weighs m, and what it does."""
        step = self.step(m)
        return ClassifierOutcome(Mixture((self.rule(step),), (1.0,)), self.confusion(step))

    def nu(self, m: float) -> FloatArray:
        """Return the point of the boundary at m: right decisions on the first class and the second."""
        i, j = self.first, self.second
        confusion = self.confusion(self.step(m))
        return np.array([confusion[i, i], confusion[j, j]])

    def n_between(self, low: float, high: float) -> int:
        """Count the cases of either class whose best decision changes between two weights."""
        return int(self.n_near[self.step(low)] - self.n_near[self.step(high)])


@dataclass(frozen=True, eq=False)
class TradeOff:
    """The convex set of outcomes between two classes, and its chords through the centre.

    Parameters
    ----------
    first, second : int
        The classes.
    vertices : ndarray of shape (h, 2)
        The upper boundary: cases of the first class given up, cases of the second got right, from
        (0, 0) to all of both; shares of all cases.
    rules : tuple of PairRule
        The classifier at each vertex.
    confusions : ndarray of shape (h, k, k)
        What each does.
    """

    first: int
    second: int
    vertices: FloatArray
    rules: tuple[PairRule, ...]
    confusions: FloatArray

    @classmethod
    def of(cls, stairs: Staircase, classes: tuple[object, ...]) -> TradeOff:
        """Take the convex hull of all thresholds and their complements."""
        counts = stairs.below[:, [stairs.first, stairs.second]]
        n_steps = len(counts)
        points = np.concatenate([counts, counts[-1] - counts])  # thresholds, then complements
        order = np.lexsort((points[:, 1], points[:, 0]))
        heights = points[order, 1]
        order = order[heights >= np.maximum.accumulate(heights)]  # the rest lies inside
        hull = order[upper_hull(points[order, 0], points[order, 1])]
        x, y = (points[hull] / counts[-1]).T
        if (y - x).max() < _FLAT:
            one, other = classes[stairs.first], classes[stairs.second]
            raise NotEstimableError(
                f"the probabilities do not tell class {one!r} from class {other!r}: every threshold "
                "gets the same share of both right, so that no question weighs one against the "
                "other; use a model that tells them apart, or leave one class out"
            )
        rules, confusions = [], []
        for index in hull.tolist():
            reverse, step = divmod(index, n_steps)
            rule, confusion = stairs.rule(step), stairs.confusion(step)
            if reverse:
                rule = rule.complement()
                columns = [stairs.second, stairs.first]
                confusion = confusion.copy()
                confusion[:, columns[::-1]] = confusion[:, columns]
            rules.append(rule)
            confusions.append(confusion)
        return cls(
            stairs.first,
            stairs.second,
            points[hull] / stairs.total,
            tuple(rules),
            np.stack(confusions),
        )

    def pair(self, m: float) -> tuple[ClassifierOutcome, ClassifierOutcome]:
        """Return the widest pair through the centre that trades the two classes at m."""
        w_x, w_y = 1 - m, m
        centre = self.vertices[-1] / 2
        side = w_x * (self.vertices[:, 1] - centre[1]) - w_y * (self.vertices[:, 0] - centre[0])
        # the line meets the upper boundary once: it starts and ends on opposite sides, or on the line
        is_start = side * side[0] > 0
        a = int(np.flatnonzero(is_start[:-1] & ~is_start[1:])[0]) if side[0] else 0
        share = float(side[a] / (side[a] - side[a + 1]))
        here = self._mix(a, share, complement=False)
        there = self._mix(a, share, complement=True)
        end = (1 - share) * self.vertices[a] + share * self.vertices[a + 1] - centre
        return (there, here) if w_x * end[0] + w_y * end[1] > 0 else (here, there)

    def _mix(self, a: int, share: float, *, complement: bool) -> ClassifierOutcome:
        rules = self.rules[a : a + 2]
        confusion = (1 - share) * self.confusions[a] + share * self.confusions[a + 1]
        if complement:
            rules = tuple(rule.complement() for rule in rules)
            confusion[:, [self.first, self.second]] = confusion[:, [self.second, self.first]]
        return ClassifierOutcome(Mixture.of([(1 - share, rules[0]), (share, rules[1])]), confusion)
