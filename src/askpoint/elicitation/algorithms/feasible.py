"""Which confusion matrices can be had, and by which classifier.

Around uniform guessing lies a cross: for each kind of mistake, how far its rate alone can be raised and
lowered. Every point of its hull, and so of a ball inside, has a runnable classifier in closed form,
and its confusion is counted on labels: what a question shows is what its classifier does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog

from askpoint.elicitation.algorithms.trade_offs import ClassifierOutcome
from askpoint.elicitation.rules import CostRule, DecisionRule, Mixture
from askpoint.elicitation.samples import Sample
from askpoint.errors import NotEstimableError
from askpoint.measures.inputs import FloatArray

__all__ = ["Cross", "feasible_cross"]

_CLOSE = 1e-9
_ADDS = 1e-6  # above the solver's tolerance
_NARROW = 1e-6
_NUDGE = 1e-9  # so that no case stands exactly on the line
_STARTS = np.linspace(0.1, 0.9, 9)


@dataclass(frozen=True, eq=False)
class Cross:
    """A classifier, and how far each kind of mistake can be changed alone from there.

    Parameters
    ----------
    base : Mixture
        The classifier in the middle.
    centre : ndarray of shape (k, k)
        What it does, symbol o.
    reach : ndarray of shape (q,)
        How far the rate of each kind of mistake can be raised, and lowered (symbol t_j), q = k * k
        - k, row by row without the diagonal.
    arms : tuple of (Mixture, Mixture)
        The classifiers that do so, symbols H_j^+ and H_j^-.
    """

    base: Mixture
    centre: FloatArray
    reach: FloatArray
    arms: tuple[tuple[Mixture, Mixture], ...]

    @property
    def radius(self) -> float:
        """Radius of a ball around the centre that can be had whole, symbol lambda."""
        return float((self.reach**-2.0).sum() ** -0.5)

    def farthest(self, direction: FloatArray) -> float:
        """How far one can go along a direction, both ways."""
        return float(1 / (np.abs(direction) / self.reach).sum())

    def at(self, change: FloatArray) -> ClassifierOutcome:
        """Return the classifier whose rates of mistakes differ so much from the centre's."""
        shares = np.abs(change) / self.reach
        parts: list[tuple[float, DecisionRule]] = [(max(0.0, 1 - float(shares.sum())), self.base)]
        parts += [
            (float(share), self.arms[j][int(change[j] < 0)])
            for j, share in enumerate(shares)
            if share
        ]
        matrix = np.zeros(self.centre.shape)
        matrix[~np.eye(len(matrix), dtype=bool)] = change
        return ClassifierOutcome(
            Mixture.of(parts), self.centre + matrix - np.diag(matrix.sum(axis=1))
        )

    def mix(self, outcome: ClassifierOutcome, share: float) -> Cross:
        """Move the cross towards a classifier, where it grows smaller."""

        def mix(inner: Mixture) -> Mixture:
            return Mixture.of([(1 - share, outcome.rule), (share, inner)])

        centre = (1 - share) * outcome.confusion + share * self.centre
        arms = tuple((mix(more), mix(less)) for more, less in self.arms)
        return Cross(mix(self.base), centre, share * self.reach, arms)


def feasible_cross(sample: Sample) -> Cross:
    """Find the cross around uniform guessing."""
    k = sample.k
    base = Mixture.of([(1 / k, CostRule.constant(k, j)) for j in range(k)])
    reach, arms = [], []
    for i in range(k):
        share, weighted = _fill_class(sample, i)
        t = (share - sample.zeta[i] / 2) * 2 / k
        if t < _NARROW:
            raise NotEstimableError(
                f"the probabilities do not tell class {sample.classes[i]!r} from the others: no "
                "classifier changes the mistakes on it and on no other class; use a model that "
                "does, or leave the class out"
            )
        for j in (j for j in range(k) if j != i):
            rest = [(1 / k, CostRule.constant(k, h)) for h in range(k) if h not in (i, j)]
            more, less = (
                Mixture.of([*rest, *((2 / k * w, _two_way(sign * v, i, j)) for w, v in weighted)])
                for sign in (1, -1)
            )
            reach.append(t)
            arms.append((more, less))
    return Cross(base, sample.confusion(base), np.array(reach), tuple(arms))


def _two_way(v: FloatArray, i: int, j: int) -> CostRule:
    """Decide for j where <v, eta> is positive, else for i."""
    gain = np.full((len(v), len(v)), -2.0)
    gain[:, i], gain[:, j] = 0, v
    return CostRule.of(gain)


def _fill_class(sample: Sample, i: int) -> tuple[float, list[tuple[float, FloatArray]]]:
    """Take as much of class i as can be while half of every other class is taken.

    Returns the share of all cases, and the signs <v, eta> > 0 with their weights.
    """
    k = sample.k
    target = np.append(sample.zeta / 2, 1)
    target[i] = 0
    goal = np.eye(k)[i]
    vectors = [np.ones(k), -np.ones(k)]
    for c in np.quantile(sample.proba[:, i], _STARTS):  # a first few thresholds on eta_i
        vectors += [goal - c - _NUDGE, c - goal - _NUDGE]

    def decision_shares(v: FloatArray) -> FloatArray:
        j = (i + 1) % k
        return sample.confusion(_two_way(v, i, j))[:, j]

    points = [decision_shares(v) for v in vectors]
    while True:
        columns = np.vstack([np.column_stack(points), np.ones(len(points))])
        gained = columns[i].copy()
        columns[i] = 0
        done = linprog(-gained, A_eq=columns, b_eq=target)
        prices = -done.eqlin.marginals
        price = goal - np.where(goal, 0, prices[:-1])
        vectors.append(price / np.abs(price).max() - _NUDGE)
        points.append(decision_shares(vectors[-1]))
        if price @ points[-1] <= prices[-1] + _ADDS:  # the best new rule adds nothing
            break
    used = np.flatnonzero(done.x > _CLOSE)
    weights = np.linalg.lstsq(columns[:, used], target)[0]  # the solver stops at its tolerance
    return float(gained[used] @ weights), [
        (float(w), vectors[u]) for w, u in zip(weights, used, strict=True)
    ]
