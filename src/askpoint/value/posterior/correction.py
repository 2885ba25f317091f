"""Where many labels disagree with a curve of three numbers: a correction by bins of equal mass."""

from __future__ import annotations

import numpy as np
from scipy import optimize

from askpoint.measures.inputs import FloatArray, IntArray

__all__ = ["bins_of_equal_mass", "rising"]


def bins_of_equal_mass(mass: FloatArray, n_bins: int) -> IntArray:
    """The bin of each group: about equal shares of the cases, a group never parted."""
    middle = np.cumsum(mass) - mass / 2
    bins = np.floor(middle * n_bins).clip(0, n_bins - 1).astype(np.int64)
    return np.unique(bins, return_inverse=True)[1]


def rising(values: FloatArray, mass: FloatArray) -> FloatArray:
    """Isotonic regression (PAV): the nearest rising values, by weighted squares."""
    weights = np.maximum(mass, np.finfo(np.float64).tiny)
    return np.asarray(optimize.isotonic_regression(values, weights=weights).x)
