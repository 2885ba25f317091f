"""What labels make of the votes: a logistic curve over the label-free posterior and the votes.

The slope on the posterior is the power tuning of prediction-powered inference: 0 leaves the
labels alone. The vote share rescues panels whose posterior is upside down, a small panel's single
votes those in which one judge knows better than the others together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from askpoint.measures.inputs import FloatArray

__all__ = ["CurveFeatures", "Recalibration", "panel_features", "recalibrate"]

_CENTRE = (0.0, 0.7, 0.0)  # posteriors of judges are overconfident
_DEVIATION = (1.5, 1.0, 1.0)
_OF_JUDGE = 0.5  # deviation of a single judge's coefficient from 0
_FEW_JUDGES = 12  # in whose single votes there is something to learn from few labels
_SOFT = 0.005  # the posterior is not believed closer to 0
_STEPS = 100
_LONGEST = 2.0
_LEVERAGE = 0.5


@dataclass(frozen=True)
class Recalibration:
    """Chance of the label for each row, and what one labelled item moves it by.

    Attributes
    ----------
    chance : ndarray of shape (n_rows,)
        Symbol g.
    leverage : ndarray of shape (n_rows,)
        Of one labelled item of that row, at most a half.
    uses_votes : bool
        Whether votes tell rows apart; not where labels alone are used.
    """

    chance: FloatArray
    leverage: FloatArray
    uses_votes: bool = True

    def residuals(self, truth: int) -> FloatArray:
        """Residual of an item of each row that turned out so, as if it had not been labelled."""
        return (truth - self.chance) / (1 - self.leverage)


@dataclass(frozen=True)
class CurveFeatures:
    """What the curve is made of, and what is believed of its coefficients before any label.

    Attributes
    ----------
    rows : ndarray of shape (n_rows, n_features)
    centre, deviation : tuple of float
        Most likely coefficients, and how far they may lie from them.
    """

    rows: FloatArray
    centre: tuple[float, ...]
    deviation: tuple[float, ...]

    def without_votes(self) -> CurveFeatures:
        """Keep the constant alone: what labels say if votes are worth nothing."""
        return CurveFeatures(self.rows[:, :1], self.centre[:1], self.deviation[:1])

    def with_column(self, column: FloatArray, deviation: float) -> CurveFeatures:
        """Add a feature whose coefficient is believed to be near 0."""
        rows = np.column_stack([self.rows, column])
        return CurveFeatures(rows, (*self.centre, 0.0), (*self.deviation, deviation))


def panel_features(
    posterior: FloatArray, vote_share: FloatArray, votes: NDArray[np.int16], label: int
) -> CurveFeatures:
    """Say of each row what the votes say of a label: 1, log odds, share of votes, a few judges' own."""
    odds = np.log((posterior + _SOFT) / (1 - posterior + _SOFT))
    rows = np.column_stack([np.ones(len(posterior)), odds, 2 * (2 * vote_share - 1)])
    features = CurveFeatures(rows, _CENTRE, _DEVIATION)
    if votes.shape[1] <= _FEW_JUDGES:
        for of in votes.T:
            features = features.with_column(
                np.where(of < 0, 0.0, np.where(of == label, 1.0, -1.0)), _OF_JUDGE
            )
    return features


def recalibrate(
    features: CurveFeatures, negatives: FloatArray, positives: FloatArray, weights: FloatArray
) -> Recalibration:
    """Fit the most probable curve to labelled items, counted by row and weighted."""
    n = positives + negatives
    seen = n > 0
    x, positive = features.rows[seen], positives[seen]
    scaled = weights[seen] * n[seen].sum() / (weights[seen] @ n[seen])  # mean 1 over the items
    mass = scaled * n[seen]
    middle, precision = (
        np.array(features.centre),
        np.diag(1 / np.square(np.array(features.deviation))),
    )
    beta = middle
    for _ in range(_STEPS):
        chance = special.expit(x @ beta)
        slope = x.T @ (scaled * (positive - n[seen] * chance)) - precision @ (beta - middle)
        curvature = (x.T * (mass * chance * (1 - chance))) @ x + precision
        step = np.linalg.solve(curvature, slope)
        step *= min(1.0, _LONGEST / max(float(np.abs(step).max()), 1e-300))
        beta = beta + step
        if np.abs(step).max() < 1e-10:
            break
    chance = special.expit(x @ beta)
    curvature = (x.T * (mass * chance * (1 - chance))) @ x + precision
    spread = np.einsum("vf,fg,vg->v", x, np.linalg.inv(curvature), x)
    leverage = np.zeros(len(seen))
    leverage[seen] = (scaled * chance * (1 - chance) * spread).clip(0, _LEVERAGE)
    uses_votes = features.rows.shape[1] > 1
    return Recalibration(special.expit(features.rows @ beta), leverage, uses_votes)
