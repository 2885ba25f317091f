"""Variance of a total whose residuals were seen on a stratified sample, and how sure it is itself.

Few labels may all have small residuals by luck, so each stratum gets two imaginary labels of the
spread that the panel would expect.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from askpoint.measures.inputs import FloatArray

__all__ = ["DomainSums", "ErrorSpread", "stratified_variance"]

_IMAGINARY = 2.0


@dataclass(frozen=True)
class DomainSums:
    """Sums over some items of each stratum, for each target: arrays of (n_strata, n_targets).

    Attributes
    ----------
    items, labels : ndarray
        Items, and those of them that were labelled.
    spread : ndarray
        Expected variances of the items.
    squares, fourths : ndarray
        Powers of the residuals of the labelled ones.
    """

    items: FloatArray
    labels: FloatArray
    spread: FloatArray
    squares: FloatArray
    fourths: FloatArray


@dataclass(frozen=True)
class ErrorSpread:
    """How far estimates can be off: arrays with an entry a target.

    Attributes
    ----------
    variance : ndarray
    freedom : ndarray
        Degrees of freedom of Student's t.
    """

    variance: FloatArray
    freedom: FloatArray


def stratified_variance(
    parts: Sequence[tuple[DomainSums, FloatArray]], sizes: FloatArray, draws: FloatArray
) -> ErrorSpread:
    """Return variances of totals in which the items of each part count with a weight a target."""
    counted = [(sums, weight != 0, weight**2, weight**4) for sums, weight in parts]
    items = _sum(sums.items * any_ for sums, any_, _, _ in counted)
    labels = _sum(sums.labels * any_ for sums, any_, _, _ in counted)
    spread = _sum(sums.spread * square for sums, _, square, _ in counted)
    squares = _sum(sums.squares * square for sums, _, square, _ in counted)
    fourths = _sum(sums.fourths * fourth for sums, _, _, fourth in counted)
    mean_spread = np.divide(spread, items, out=np.zeros_like(spread), where=items > 0)
    unseen = (sizes - draws) / np.maximum(draws, 1)  # proposals ask where no label is yet, too
    scale = unseen[:, None] * items / (labels + _IMAGINARY)
    variance = (scale * (squares + _IMAGINARY * mean_spread)).sum(axis=0)
    own = np.square(scale) * (fourths + _IMAGINARY * np.square(mean_spread))
    total = own.sum(axis=0)
    effective = np.divide(np.square(variance), total, out=np.ones_like(variance), where=total > 0)
    return ErrorSpread(variance, np.maximum(2 * effective, 2))


def _sum(parts: Iterable[FloatArray]) -> FloatArray:
    return np.sum(list(parts), axis=0)  # type: ignore[no-any-return]
