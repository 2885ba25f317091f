"""Upper hulls of staircases, and the isotonic calibration that is the same thing."""

from __future__ import annotations

import numpy as np

from askpoint.errors import NotEstimableError
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray

__all__ = ["hull_slopes", "isotonic_rates", "upper_hull"]

_BLOCK = 16


def upper_hull(x: FloatArray | IntArray, y: FloatArray | IntArray) -> IntArray:
    """Indices of the vertices of the least concave majorant of a staircase.

    Exact for integers (products must fit in 63 bits: counts up to 3e9).

    Parameters
    ----------
    x, y : ndarray of shape (n,)
        Coordinates that never decrease, as cumulated counts do.

    Returns
    -------
    ndarray of int64 of shape (n_vertices,)
        From the first point to the last; points inside an edge are left out, and of equal
        points all but one.

    Notes
    -----
    The hull of every 16th point comes first. A block between two of them can hold a vertex only
    if its upper left corner rises above that rough hull. What rises above it in such a block is
    looked at point by point, by Andrew's monotone chain.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.measures.hulls import upper_hull
    >>> upper_hull(np.array([0, 0, 1, 1, 2]), np.array([0, 2, 2, 3, 3])).tolist()
    [0, 1, 3, 4]
    """
    n = len(x)
    if n <= 4 * _BLOCK:
        return _monotone_chain(x, y, np.arange(n))
    first = np.arange(0, n - 1, _BLOCK)
    corners = np.append(first, n - 1)
    rough = corners[upper_hull(x[corners], y[corners])]

    def rises(i: IntArray, j: IntArray) -> BoolArray:
        """Whether the points (x[i], y[j]) lie above the edge of the rough hull over i."""
        edge = np.searchsorted(rough, i, side="right")
        a, b = rough[edge - 1], rough[edge]
        above: BoolArray = (x[b] - x[a]) * (y[j] - y[a]) > (y[b] - y[a]) * (x[i] - x[a])
        return above

    blocks = first[rises(first, corners[1:])]
    inside = (blocks[:, None] + np.arange(1, _BLOCK)).ravel()
    inside = inside[inside < n - 1]
    candidates = np.append(rough, inside[rises(inside, inside)])
    return _monotone_chain(x, y, np.sort(candidates))


def _monotone_chain(
    x: FloatArray | IntArray, y: FloatArray | IntArray, candidates: IntArray
) -> IntArray:
    chain: list[tuple[float, float, int]] = []  # Python numbers: whole ones never overflow
    for u, v, i in zip(
        x[candidates].tolist(), y[candidates].tolist(), candidates.tolist(), strict=True
    ):
        while len(chain) > 1:
            (ax, ay, _), (bx, by, _) = chain[-2], chain[-1]
            if (bx - ax) * (v - ay) < (by - ay) * (u - ax):
                break
            chain.pop()
        if chain and chain[-1][:2] == (u, v):
            continue
        chain.append((u, v, i))
    return np.array([i for _, _, i in chain], dtype=np.int64)


def hull_slopes(x: FloatArray | IntArray, y: FloatArray | IntArray, hull: IntArray) -> FloatArray:
    """Slopes of the edges of an upper hull, from steep to flat.

    Parameters
    ----------
    x, y : ndarray of shape (n,)
        Coordinates of the points.
    hull : ndarray of shape (n_vertices,)
        What `upper_hull` returned.

    Returns
    -------
    ndarray of float64 of shape (n_vertices - 1,)
        Infinite for a vertical edge.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.measures.hulls import hull_slopes, upper_hull
    >>> x, y = np.array([0, 0, 1, 2]), np.array([0, 2, 3, 3])
    >>> hull_slopes(x, y, upper_hull(x, y))
    array([inf,  1.,  0.])
    """
    run, rise = np.diff(x[hull]), np.diff(y[hull])
    slopes = np.full(len(run), np.inf)
    np.divide(rise, run, out=slopes, where=run > 0)
    return slopes


def isotonic_rates(right: FloatArray | IntArray, wrong: FloatArray | IntArray) -> FloatArray:
    """Isotonic (PAV) calibrated rate of right answers of each step of a staircase.

    Parameters
    ----------
    right, wrong : ndarray of shape (n + 1,)
        Cumulated counts from (0, 0) on, from the surest group to the least sure.

    Returns
    -------
    ndarray of float64 of shape (n,)
        Rates that never increase; least squares among such. A step without counts shares the
        rate of a step beside it.

    Raises
    ------
    NotEstimableError
        If no step has counts.

    References
    ----------
    Fawcett and Niculescu-Mizil, Machine Learning 68 (2007): PAV is the ROC convex hull.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.measures.hulls import isotonic_rates
    >>> isotonic_rates(np.array([0, 1, 1, 2]), np.array([0, 0, 1, 1]))
    array([1. , 0.5, 0.5])
    """
    hull = upper_hull(wrong, right)
    if len(hull) < 2:
        raise NotEstimableError("no step holds a right or wrong answer: give labelled items")
    gained, lost = np.diff(right[hull]), np.diff(wrong[hull])
    hull[-1] = len(right) - 1  # an equal point, where the last steps have no counts
    return np.repeat(gained / (gained + lost), np.diff(hull))
