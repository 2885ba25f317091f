"""How much better than a curve of bins the curve of the cases themselves can be."""

from __future__ import annotations

from typing import overload

import numpy as np

from askpoint.measures.hulls import upper_hull
from askpoint.measures.inputs import FloatArray
from askpoint.value.curve import ValueCurve

__all__ = ["greatest_value"]


@overload
def greatest_value(curve: ValueCurve, omega: float) -> float: ...
@overload
def greatest_value(curve: ValueCurve, omega: FloatArray) -> FloatArray: ...
def greatest_value(curve: ValueCurve, omega: float | FloatArray) -> float | FloatArray:
    """Bound the value at any threshold, also between two thresholds of the curve.

    V*(omega) <= max over steps of V before the step + right cases of the step / N: at best
    all right cases of a step are surer than its wrong ones.
    """
    curve.position(omega)  # refuses what is no omega
    wrong, right = curve.wrong[:-1], curve.right[1:]
    corners = upper_hull(wrong, right)
    omegas = np.asarray(omega, dtype=np.float64)
    worth = np.max(right[corners] - omegas[..., None] * wrong[corners], axis=-1) / curve.total
    return np.asarray(worth) if omegas.ndim else float(worth)
