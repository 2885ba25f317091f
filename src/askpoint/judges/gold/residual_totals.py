"""Totals of one label over all items: what the recalibrated votes expect, mended by the residuals.

T(u) = sum_v n_v u_v g_v + sum_i w_i u_i (y_i - g_i): a difference estimator, right on average
wherever the votes are wrong, and the more precise the better they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy import sparse

from askpoint.judges.gold.domain_sums import DomainSums, ErrorSpread, stratified_variance
from askpoint.judges.gold.labelled_patterns import LabelledPatterns
from askpoint.judges.gold.recalibration import (
    CurveFeatures,
    Recalibration,
    panel_features,
    recalibrate,
    richer_features,
)
from askpoint.judges.gold.uncertain_shares import student_quantile
from askpoint.measures.inputs import FloatArray

__all__ = ["LabelTotals", "expected_spread", "totals_of"]

_SPREAD = 0.05  # no item is surer than that
_LEVEL = 0.95  # of the intervals by which curves are compared
_GAIN = 0.95  # a richer curve must leave at most so much of the variance: spec J21


def expected_spread(chance: FloatArray, least: float = _SPREAD) -> FloatArray:
    """Variance of an item's truth as the votes see it, never quite sure."""
    near = (chance + least) / (1 + 2 * least)
    return near * (1 - near)


@dataclass(frozen=True)
class LabelTotals:
    """Items of one label in each pattern.

    Attributes
    ----------
    known : LabelledPatterns
    label : int
    curve : Recalibration
    expected : ndarray of shape (n_patterns,)
        Items of the label, as far as a total over many patterns goes: one alone may be negative.
    """

    known: LabelledPatterns
    label: int
    curve: Recalibration
    expected: FloatArray

    @property
    def positives(self) -> FloatArray:
        """Labelled items of the label, by pattern."""
        return self.known.labelled[:, self.label].astype(np.float64)

    @property
    def negatives(self) -> FloatArray:
        """Labelled items of other labels, by pattern."""
        return self.known.drawn - self.positives

    @cached_property
    def by_stratum(self) -> FloatArray:
        """What each pattern adds to the sums of its stratum: (5 n_strata, n_patterns)."""
        right, wrong = self.curve.residuals(1), self.curve.residuals(0)
        counts, drawn, stratum = self.known.cells.counts, self.known.drawn, self.known.stratum
        rows = (
            counts,
            drawn,
            counts * expected_spread(self.curve.chance),
            self.positives * right**2 + self.negatives * wrong**2,
            self.positives * right**4 + self.negatives * wrong**4,
        )
        sums = np.zeros((len(rows), int(stratum.max()) + 1, len(stratum)))
        sums[:, stratum, np.arange(len(stratum))] = rows
        return sums.reshape(-1, len(stratum))

    def sums(self, where: sparse.csr_array | None = None) -> DomainSums:
        """Sum over the patterns that a matrix marks for each target, or over all for one."""
        table = self.by_stratum
        totals = table.sum(axis=1)[:, None] if where is None else (where.T @ table.T).T
        return DomainSums(*totals.reshape(5, -1, totals.shape[1]))

    def spread_of(self, *parts: tuple[sparse.csr_array | None, FloatArray]) -> ErrorSpread:
        """Return how far totals can be off in which marked patterns count with a weight a target."""
        summed = [(self.sums(where), weight) for where, weight in parts]
        return stratified_variance(summed, self.known.sizes, self.known.draws)


def totals_of(known: LabelledPatterns) -> tuple[LabelTotals, ...]:
    """Learn each label against the rest; of two, one is the other's mirror.

    Where labels are spread over the strata as equal chances spread them, strata are left aside if the
    shares are known better without.
    """
    found = _totals_in(known)
    if not known.is_even:
        return found
    plain = _totals_in(known.as_one_stratum())
    return plain if _share_width(plain) < _share_width(found) else found


def _totals_in(known: LabelledPatterns) -> tuple[LabelTotals, ...]:
    if len(known.labels) > 2:
        return tuple(_learnt(known, k) for k in range(len(known.labels)))
    last = _learnt(known, 1)
    mirror = replace(last.curve, chance=1 - last.curve.chance)
    return LabelTotals(known, 0, mirror, known.cells.counts - last.expected), last


def _learnt(known: LabelledPatterns, label: int) -> LabelTotals:
    """Take the votes' curve, or labels alone where votes tell less of the share than that."""
    features = panel_features(
        known.posterior[:, label], known.vote_share[:, label], known.cells.votes, label
    )
    by_votes = _with_features(known, label, features)
    votes, levels = known.cells.votes, known.level_columns
    for enrich in richer_features(votes, label, int(known.drawn.sum()), levels):
        richer = _with_features(known, label, enrich(features))
        if _share_width((richer,)) < _GAIN * _share_width((by_votes,)):
            by_votes, features = richer, enrich(features)
    alone = _with_features(known, label, features.without_votes())
    return by_votes if _share_width((by_votes,)) < _share_width((alone,)) else alone


def _with_features(known: LabelledPatterns, label: int, features: CurveFeatures) -> LabelTotals:
    positives, drawn = known.labelled[:, label].astype(np.float64), known.drawn
    curve = recalibrate(features, drawn - positives, positives, known.weights)
    mended = known.weights * (positives - drawn * curve.chance)
    return LabelTotals(known, label, curve, known.cells.counts * curve.chance + mended)


def _share_width(totals: Sequence[LabelTotals]) -> float:
    """Return the squared widths of the intervals of the labels' totals, summed."""
    spreads = [of.spread_of((None, np.ones(1))) for of in totals]
    return sum(
        float(of.variance[0]) * student_quantile(float(of.freedom[0]), _LEVEL, None) ** 2
        for of in spreads
    )
