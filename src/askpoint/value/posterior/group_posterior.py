"""How often the model is right in each group: groups that may be alike, exact on the grid of three numbers.

Each group has a shift and a slope of its own around a common centre, with an unknown spread that is most
likely nothing; one group may lie far off, or have a lapse of its own. How the confidence misleads everywhere, the
deviation from a curve of three numbers, is learned from all groups together.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np
from scipy import special

from askpoint.measures.inputs import FloatArray, IntArray
from askpoint.value.posterior.evidence import Evidence
from askpoint.value.posterior.grid import cell_parameters
from askpoint.value.posterior.prior import (
    CELLS,
    LAPSES,
    LOG_SLOPES,
    PROBABILITIES,
    SCORES,
    SHIFTS,
)
from askpoint.value.posterior.scale import LogitScale

__all__ = ["ALIKE", "SPREADS", "GroupCounts", "GroupPosterior", "Spread", "fit_groups"]

_SHAPE = (len(LAPSES), len(SHIFTS), len(LOG_SLOPES))
_LEAST_WIDTH = 0.6  # of a step of the grid
_LAPSED = np.array([0.0, 0.0, 0.1, 0.2, 0.3, 0.4])  # lapses of a group that has its own
_FAR_OFF = 2.0  # standard deviation of the shift of a group where confidence lies
_LIMIT = 1e-6  # rates are kept so far from 0 and 1


class Spread(NamedTuple):
    """How groups may differ: deviations of shift and log slope, chances of a group far off, and of its own lapse."""

    shift: float
    log_slope: float
    far_off: float = 0.0
    lapse: float = 0.0


SPREADS = (
    Spread(0, 0),
    Spread(0.3, 0),
    Spread(0.7, 0),
    Spread(1.4, 0),
    Spread(0, 0, 0.1),
    Spread(0.3, 0, 0.1),
    Spread(0.3, 0.35),
    Spread(0.7, 0.35, 0.1),
    Spread(1.4, 0.35),
    Spread(0, 0, 0, 0.1),
    Spread(0.3, 0.35, 0, 0.1),
)
"""Alike first, then what may differ."""
ALIKE = 0.25
"""Prior probability that groups are alike: more is slower where they differ (docs/evidence/thresholds.md)."""
_DRAWN_ALIKE = 0.15  # in draws, which allow for more than is likely, as those of one curve do
# slopes and lapses show late, in a few labels of one group: they weigh more than shifts
_DIFFER = np.array([0.08, 0.09, 0.06, 0.09, 0.06, 0.18, 0.18, 0.15, 0.64, 0.40])


@dataclass(frozen=True, eq=False)
class GroupCounts:
    """Cases of each group (rows) in each place of confidence (columns), and their labels.

    `lowest` is the least confidence of each place, `z` where it lies.
    """

    lowest: FloatArray
    z: FloatArray
    cases: FloatArray
    right: FloatArray
    wrong: FloatArray

    @classmethod
    def of_cases(
        cls,
        evidence: Evidence,
        codes: IntArray,
        n_groups: int,
        confidence: FloatArray,
        right: FloatArray,
        wrong: FloatArray,
    ) -> GroupCounts:
        """Count cases by group, and by the places of the common posterior."""
        n = len(evidence.lowest)
        place = codes * n + evidence.group_of(confidence)

        def count(weight: FloatArray | None = None) -> FloatArray:
            if weight is None:
                counts = np.bincount(place, minlength=n_groups * n)
            else:
                some = weight != 0
                counts = np.bincount(place[some], weight[some], n_groups * n)
            return counts.reshape(n_groups, n).astype(np.float64)

        return cls(evidence.lowest, evidence.z, count(), count(right), count(wrong))

    @cached_property
    def labels(self) -> FloatArray:
        """Labels of each group."""
        return np.asarray((self.right + self.wrong).sum(axis=1))


@dataclass(frozen=True, eq=False)
class GroupPosterior:
    """What is known of each group.

    `right` is the posterior mean of P(right) by group (rows) and place (columns). `alike` is the
    probability that all groups are alike. `likelihood` is the logarithm of that of the labels of each group
    with some, in each cell; `row_of` says which of its rows is a group's, the one after the last that of
    groups without labels. `rates` are P(right) of each cell (rows) at each place, corrections
    included.
    """

    right: FloatArray
    alike: float
    likelihood: FloatArray
    prior: FloatArray
    row_of: IntArray
    rates: FloatArray

    @cached_property
    def cautious(self) -> FloatArray:
        """Weights of the cells by half of the likelihood and with less trust that groups are alike, for draws."""
        return _by_spread(self.likelihood / 2, self.prior, _weights(_DRAWN_ALIKE))[0]

    def draw(self, group: int, n: int, rng: np.random.Generator) -> FloatArray:
        """Draw curves of P(right) of a group, one a row, by half of the likelihood."""
        weight = np.cumsum(self.cautious[self.row_of[group]], dtype=np.float64)
        cells = np.searchsorted(weight, (np.arange(n) + rng.random()) / n * weight[-1])
        return np.asarray(self.rates[rng.permutation(cells.clip(max=CELLS - 1))])

    def regret(self, rho: float) -> FloatArray:
        """Return what the verdict of now is expected to lose, by group (rows) and place, in mistakes a case.

        The verdict answers where the mean of P(right) is at least 1 - rho; what is not known of a group is
        weighed as in draws.
        """
        gain = self.rates - (1 - rho)
        lost = self.cautious @ np.maximum(-gain, 0).astype(np.float32)
        missed = self.cautious @ np.maximum(gain, 0).astype(np.float32)
        return np.asarray(np.where(self.right >= 1 - rho, lost[self.row_of], missed[self.row_of]))


def fit_groups(
    counts: GroupCounts, common: FloatArray, evidence: Evidence, *, alike: float = ALIKE
) -> GroupPosterior:
    """Return what is known of each group, from all labels.

    Parameters
    ----------
    counts : GroupCounts
        Cases and labels by group.
    common : ndarray of shape (n_places,)
        P(right) as learned of all groups together, `RightnessPosterior.right_`.
    evidence : Evidence
        The places.
    alike : float, default=0.25
        Prior probability that all groups are alike.

    Notes
    -----
    L_g is the likelihood of the labels of group g in each cell (shift, slope, lapse), K_h the way in which
    groups scatter under spread h, a product of small matrices. Then the weight of a spread and a centre
    is the prior times the product over groups of K_h L_g, and the posterior of a group's cell is
    sum_h L_g K_h' (P(h, .) / K_h L_g). No sampler; labels enter as counts, so that the work does not grow with
    rows.
    """
    prior = (PROBABILITIES if isinstance(evidence.scale, LogitScale) else SCORES).log_weights
    weights = _weights(alike)
    logits = _cell_logits(counts.z)
    hits, misses = counts.right.sum(axis=0), counts.wrong.sum(axis=0)
    centre = special.softmax(prior + _log_likelihood(logits, hits[None], misses[None])[0])
    plain = (centre @ special.expit(logits)).clip(_LIMIT, 1 - _LIMIT)
    logits += (special.logit(common.clip(_LIMIT, 1 - _LIMIT)) - special.logit(plain)).astype(
        np.float32
    )
    known = np.flatnonzero(counts.labels)
    likelihood = _log_likelihood(logits, counts.right[known], counts.wrong[known])
    cells, posterior = _by_spread(likelihood, prior, weights)
    rates = special.expit(logits)
    mean = (cells @ rates).astype(np.float64).clip(_LIMIT, 1 - _LIMIT)
    # where groups are alike the answer is the common one, to the last digit
    together = special.softmax(prior + likelihood.sum(axis=0)) @ rates.astype(np.float64)
    shift = special.logit(mean) - special.logit(together.clip(_LIMIT, 1 - _LIMIT))
    each = special.expit(special.logit(common.clip(_LIMIT, 1 - _LIMIT)) + shift)
    row_of = np.full(len(counts.labels), len(known))
    row_of[known] = np.arange(len(known))
    return GroupPosterior(each[row_of], float(posterior[0]), likelihood, prior, row_of, rates)


def _weights(alike: float) -> FloatArray:
    """Prior weights of the spreads."""
    return np.append(alike, (1 - alike) * _DIFFER / _DIFFER.sum())


def _by_spread(
    log_likelihood: FloatArray, prior: FloatArray, weights: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Weights of the cells of each group (the last row: one without labels), and of the spreads."""
    top = log_likelihood.max(axis=1, keepdims=True, initial=-np.inf)
    likely = np.exp(log_likelihood - top).astype(np.float32)
    log_total = np.empty((len(SPREADS), CELLS))
    for h, spread in enumerate(SPREADS):
        scattered = _scatter(likely, spread)
        log_total[h] = np.log(weights[h]) + prior
        log_total[h] += np.log(np.maximum(scattered, np.finfo(np.float32).tiny)).sum(
            axis=0, dtype=np.float64
        )
    total = special.softmax(log_total)
    cells = np.zeros((len(likely) + 1, CELLS), dtype=np.float32)
    for h, spread in enumerate(SPREADS):
        if total[h].sum() < _NEGLIGIBLE:
            continue
        scattered = np.maximum(_scatter(likely, spread), np.finfo(np.float32).tiny)
        back = _scatter((total[h] / scattered).astype(np.float32), spread, back=True)
        cells[:-1] += likely * back
        cells[-1:] += _scatter(total[h][None].astype(np.float32), spread, back=True)
    cells /= cells.sum(axis=1, keepdims=True)
    return cells, total.sum(axis=1)


_NEGLIGIBLE = 1e-6


def _scatter(values: FloatArray, spread: Spread, *, back: bool = False) -> FloatArray:
    """Smooth values over the cells, a row a group; `back` by the transposed matrices."""
    if spread == SPREADS[0]:
        return values
    shift, slope, lapse = (matrix.T if back else matrix for matrix in _matrices(spread))
    grid = values.reshape(-1, *_SHAPE)
    if spread.shift or spread.far_off:
        grid = np.einsum("st,gltb->glsb", shift, grid, optimize=True)
    if spread.log_slope:
        grid = grid @ slope.T
    if spread.lapse:
        grid = np.einsum("kl,glsb->gksb", lapse, grid, optimize=True)
    return np.ascontiguousarray(grid).reshape(-1, CELLS)


@cache
def _matrices(spread: Spread) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Chances of a group's shift, log slope and lapse (columns) given the centre's (rows)."""
    shift = _normal(SHIFTS, spread.shift)
    if spread.far_off:
        shift = (1 - spread.far_off) * shift + spread.far_off * _normal(SHIFTS, _FAR_OFF)
    lapse = (1 - spread.lapse) * np.eye(len(LAPSES)) + spread.lapse * _LAPSED
    return (
        shift.astype(np.float32),
        _normal(LOG_SLOPES, spread.log_slope).astype(np.float32),
        lapse.astype(np.float32),
    )


def _normal(grid: FloatArray, width: float) -> FloatArray:
    if not width:
        return np.eye(len(grid))
    width = max(width, _LEAST_WIDTH * (grid[1] - grid[0]))
    weight = np.exp(-(((grid[:, None] - grid) / width) ** 2) / 2)
    return np.asarray(weight / weight.sum(axis=1, keepdims=True))


def _cell_logits(z: FloatArray) -> FloatArray:
    """Logit of P(right) of each cell (rows) at each z."""
    shift, slope, lapse = (each[:, None] for each in cell_parameters(np.arange(CELLS)))
    sure = shift + slope * z
    right = lapse / 2 + (1 - lapse) * special.expit(sure)
    wrong = lapse / 2 + (1 - lapse) * special.expit(-sure)
    return np.asarray(np.log(right) - np.log(wrong), dtype=np.float32)


def _log_likelihood(logits: FloatArray, right: FloatArray, wrong: FloatArray) -> FloatArray:
    """Log-probability of the labels of each group (rows) in each cell."""
    some = np.flatnonzero((right + wrong).sum(axis=0))
    x = logits[:, some]
    log_right = -np.logaddexp(np.float32(0), -x)
    labels, misses = (part[:, some].astype(np.float32) for part in (right + wrong, wrong))
    return np.asarray(labels @ log_right.T - misses @ x.T, dtype=np.float64)
