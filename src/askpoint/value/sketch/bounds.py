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

    Parameters
    ----------
    curve : ValueCurve
        A curve whose steps hold cases of unequal confidence, such as that of a sketch.
    omega : float or array-like
        Costs of a mistake, finite and 0 or more.

    Returns
    -------
    float or ndarray
        Not below ``curve.value(omega)``.

    Raises
    ------
    InputError
        If an omega is negative, missing or infinite.

    Examples
    --------
    >>> from askpoint.value.sketch.bounds import greatest_value
    >>> from askpoint.value.sketch.score_sketch import ScoreSketch
    >>> curve = ScoreSketch.from_counts([0.9, 0.6], right=[90, 12], wrong=[2, 10]).curve()
    >>> round(curve.value(4.0), 3), round(greatest_value(curve, 4.0), 3)
    (0.719, 0.825)
    """
    curve.position(omega)  # refuses what is no omega
    wrong, right = curve.wrong[:-1], curve.right[1:]
    corners = upper_hull(wrong, right)
    omegas = np.asarray(omega, dtype=np.float64)
    worth = np.max(right[corners] - omegas[..., None] * wrong[corners], axis=-1) / curve.total
    return np.asarray(worth) if omegas.ndim else float(worth)
