"""What labels make of the votes: a logistic curve over the label-free posterior and the votes.

The slope on the posterior is the power tuning of prediction-powered inference: 0 leaves the
labels alone. The vote share rescues panels whose posterior is upside down, a small panel's single
votes those in which one judge knows better than the others together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import special

from askpoint.measures.inputs import FloatArray

__all__ = ["CurveFeatures", "Recalibration", "panel_features", "recalibrate", "richer_features"]

_CENTRE = (0.0, 0.7, 0.0)  # posteriors of judges are overconfident
_DEVIATION = (1.5, 1.0, 1.0)
_OF_JUDGE = 0.5  # deviation of a single judge's coefficient from 0
_FEW_JUDGES = 12  # in whose single votes there is something to learn from few labels
_MANY_LABELS = 150  # from which on there is something to learn of each of more judges: spec J21
_OF_LEVEL = 0.7  # deviation of a level of a covariate from 0: docs/evidence/judges.md
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
    uses_covariates : bool
        Whether covariates do as well.
    """

    chance: FloatArray
    leverage: FloatArray
    uses_votes: bool = True
    uses_covariates: bool = False

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
    uses_covariates : bool
        Whether some are of covariates.
    """

    rows: FloatArray
    centre: tuple[float, ...]
    deviation: tuple[float, ...]
    uses_covariates: bool = False

    def without_votes(self) -> CurveFeatures:
        """Keep the constant alone: what labels say if votes are worth nothing."""
        return CurveFeatures(self.rows[:, :1], self.centre[:1], self.deviation[:1])

    def with_votes(self, votes: NDArray[np.int16], label: int) -> CurveFeatures:
        """Add each judge's own vote; of many judges each is believed to matter less."""
        deviation = _OF_JUDGE * min(1.0, (_FEW_JUDGES / max(votes.shape[1], 1)) ** 0.5)
        signs = np.where(votes < 0, 0.0, np.where(votes == label, 1.0, -1.0))
        return self._with_columns(signs, deviation)

    def with_levels(self, columns: FloatArray) -> CurveFeatures:
        """Add levels of covariates."""
        return replace(self._with_columns(columns, _OF_LEVEL), uses_covariates=True)

    def _with_columns(self, columns: FloatArray, deviation: float) -> CurveFeatures:
        n = columns.shape[1]
        return replace(
            self,
            rows=np.column_stack([self.rows, columns]),
            centre=(*self.centre, *(0.0,) * n),
            deviation=(*self.deviation, *(deviation,) * n),
        )

    def with_column(self, column: FloatArray, deviation: float) -> CurveFeatures:
        """Add a feature whose coefficient is believed to be near 0."""
        return self._with_columns(column[:, None], deviation)


def panel_features(
    posterior: FloatArray, vote_share: FloatArray, votes: NDArray[np.int16], label: int
) -> CurveFeatures:
    """Say of each row what the votes say of a label: 1, log odds, share of votes, a few judges' own."""
    odds = np.log((posterior + _SOFT) / (1 - posterior + _SOFT))
    rows = np.column_stack([np.ones(len(posterior)), odds, 2 * (2 * vote_share - 1)])
    features = CurveFeatures(rows, _CENTRE, _DEVIATION)
    return features.with_votes(votes, label) if votes.shape[1] <= _FEW_JUDGES else features


def richer_features(
    votes: NDArray[np.int16], label: int, n_labels: int, levels: FloatArray
) -> Iterator[Callable[[CurveFeatures], CurveFeatures]]:
    """Yield what may be added where it helps: many judges' own votes, levels of covariates."""
    if votes.shape[1] > _FEW_JUDGES and n_labels >= _MANY_LABELS:
        yield lambda plain: plain.with_votes(votes, label)
    if levels.shape[1]:
        yield lambda plain: plain.with_levels(levels)


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
    chances = special.expit(features.rows @ beta)
    return Recalibration(chances, leverage, uses_votes, features.uses_covariates)
