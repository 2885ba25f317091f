"""The nearest rising values: for displays and watches that must rise, never for a cost."""

from __future__ import annotations

import numpy as np

from askpoint.measures.inputs import FloatArray

__all__ = ["rising"]


def rising(values: FloatArray, mass: FloatArray) -> FloatArray:
    """Isotonic regression (PAV): the nearest rising values, by weighted squares."""
    from scipy import optimize

    weights = np.maximum(mass, np.finfo(np.float64).tiny)
    return np.asarray(optimize.isotonic_regression(values, weights=weights).x)
