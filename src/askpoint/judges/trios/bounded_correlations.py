"""What three judges' votes leave possible if their errors correlate by at most g.

An error correlation is the paper's Gamma: within a label, the covariance of two judges' being right, and
its like for three. With f_i the share of votes b of judge i, D_ij the covariance of the votes of two judges
and K their third central moment, d_i = P_ia + P_ib - 1, p the share of a, q = 1 - p and u_i = sqrt(pq) d_i:

    D_ij = u_i u_j + p Gamma_ij,a + q Gamma_ij,b,   so |D_ij - u_i u_j| <= g
    |K - (p - q) / sqrt(pq) u_1 u_2 u_3| <= g (1 + u_1 + u_2 + u_3)

The proof is in docs/explanation/judges.md.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog

from askpoint.errors import InputError
from askpoint.judges.methods.algebra import TrioAlgebra

__all__ = ["BoundedEvaluation", "bound_evaluation", "least_correlation"]

_Interval = tuple[float, float]
_PATTERNS = np.array(list(itertools.product((0, 1), repeat=3)))
_PAIRS = ((1, 2), (0, 2), (0, 1))  # the pair without judge k comes k-th
_ROUNDING = 1e-9


@dataclass(frozen=True, kw_only=True)
class BoundedEvaluation:
    """Intervals that hold every evaluation whose error correlations are at most a bound.

    Attributes
    ----------
    at_most : float
        The bound, g.
    prevalence : tuple of float
        Least and greatest share of the first label.
    accuracy : tuple of pairs of intervals
        For each judge how often right on the first label and on the second.
    """

    at_most: float
    prevalence: _Interval
    accuracy: tuple[tuple[_Interval, _Interval], ...]


def bound_evaluation(cells: Sequence[int], at_most: float) -> BoundedEvaluation | None:
    """Bound prevalence and accuracies of three judges who are better than chance.

    Parameters
    ----------
    cells : sequence of int of length 8
        Items by votes: aaa, aab, aba, abb, baa, bab, bba, bbb.
    at_most : float
        Greatest absolute error correlation of two judges or of all three, on either label; 0 to 1/4.

    Returns
    -------
    BoundedEvaluation or None
        None if no judges better than chance with such correlations cast these votes.

    Raises
    ------
    InputError
        If the bound is not between 0 and 1/4.

    Notes
    -----
    The intervals hold every possible evaluation; at 0 they are the independent evaluator's point. Whether one
    evaluation is possible says `least_correlation`.

    References
    ----------
    Own theorem; the moments are those of Corrada-Emmanuel, Streaming algorithms for evaluating noisy judges
    (2023), eqs 12 to 20.

    Examples
    --------
    >>> from askpoint.judges.trios.bounded_correlations import bound_evaluation
    >>> bounds = bound_evaluation((40, 5, 5, 5, 5, 5, 5, 30), 0.01)
    >>> [round(x, 2) for x in bounds.prevalence]
    [0.44, 0.65]
    """
    if not 0 <= at_most <= 0.25:
        raise InputError(
            f"the greatest error correlation must be between 0 and 0.25; got {at_most:g}. No covariance "
            "of two judges' being right exceeds 0.25."
        )
    g, votes = at_most, TrioAlgebra.from_cells(cells)
    n = votes.n_items
    if not n:
        raise InputError("the items that all three judged must be one or more; got none.")
    f = [single / n for single in votes.singles]
    covariances = [covariance / n**2 for covariance in votes.covariances]
    if min(covariances) + g <= 0:
        return None
    low = [max(covariance - g, 0.0) for covariance in covariances]
    high = [covariance + g for covariance in covariances]
    caps = [share * (1 - share) for share in f]  # u_i^2 = pq d_i^2 is the variance between labels
    squares = []
    for k, (i, j) in enumerate(_PAIRS):  # u_k^2 = D_ki D_kj / D_ij
        least = low[i] * low[j] / high[k]
        most = min(high[i] * high[j] / low[k] if low[k] else math.inf, caps[k])
        if least > most + _ROUNDING:
            return None
        squares.append((least, max(least, most)))
    u = [(math.sqrt(least), math.sqrt(most)) for least, most in squares]
    product = (math.sqrt(math.prod(low)), math.sqrt(math.prod(high)))
    slack = g * (1 + sum(most for _, most in u))
    third = votes.third_moment / n**3
    odds = [
        *((_p_of_skew(_ratio(third + sign * slack, product, sign))) for sign in (-1, 1)),
    ]
    least_p, most_p = odds
    for share, (least, _) in zip(f, u, strict=True):
        # no judge is right more often than always
        if least:
            least_p = max(least_p, least**2 / (least**2 + share**2))
            most_p = min(most_p, (1 - share) ** 2 / ((1 - share) ** 2 + least**2))
    if least_p > most_p + _ROUNDING:
        return None
    most_p = max(least_p, most_p)
    accuracy = tuple(
        (
            _accuracy(1 - share, of, (_odds(1 - most_p), _odds(1 - least_p))),
            _accuracy(share, of, (_odds(least_p), _odds(most_p))),
        )
        for share, of in zip(f, u, strict=True)
    )
    return BoundedEvaluation(at_most=g, prevalence=(least_p, most_p), accuracy=accuracy)


def least_correlation(
    cells: Sequence[int], prevalence: float, accuracy: Sequence[tuple[float, float]]
) -> float | None:
    """Return the least bound on error correlations under which an evaluation is possible.

    Parameters
    ----------
    cells : sequence of int of length 8
        Items by votes: aaa, aab, aba, abb, baa, bab, bba, bbb.
    prevalence : float
        Share of the first label, between 0 and 1, both excluded.
    accuracy : sequence of pairs of float
        For each judge how often right on the first label and on the second.

    Returns
    -------
    float or None
        The least greatest absolute error correlation, exactly (a linear programme of nine unknowns); None if
        no labelling of a test with these votes has this evaluation.

    Raises
    ------
    InputError
        If the prevalence leaves one label only.

    Examples
    --------
    >>> from askpoint.judges.trios.bounded_correlations import least_correlation
    >>> votes = (
    ...     35,
    ...     17,
    ...     17,
    ...     11,
    ...     17,
    ...     11,
    ...     11,
    ...     9,
    ... )  # independent: right 3 times in 4 on a, every other on b
    >>> round(least_correlation(votes, 0.5, [(0.75, 0.5)] * 3), 6)
    0.0
    >>> least_correlation(votes, 0.5, [(0.75, 0.75)] * 3) is None  # too many votes for b
    True
    """
    if not 0 < prevalence < 1:
        raise InputError(
            f"the prevalence must be between 0 and 1; got {prevalence:g}. With one label only, "
            "accuracies are shares of votes."
        )
    shares = np.asarray(cells, dtype=float) / sum(cells)
    p, q = prevalence, 1 - prevalence
    of_a = np.array([1 - right for right, _ in accuracy])
    of_b = np.array([right for _, right in accuracy])
    fits = np.abs(p * of_a + q * of_b - shares @ _PATTERNS)
    if fits.max() > _ROUNDING:
        return None
    # unknown: share of all items with each pattern that are a's, and the bound
    moments = [
        (rates, size, sign, np.prod(_PATTERNS[:, group] - rates[list(group)], axis=1))
        for rates, size, sign in ((of_a, p, 1), (of_b, q, -1))
        for group in (*((i, j) for i, j in _PAIRS), (0, 1, 2))
    ]
    upper, limits = [], []
    for _, size, sign, centred in moments:
        known = 0.0 if sign > 0 else float(shares @ centred) / size
        for side in (1, -1):  # |known + sign * x . centred / size| <= bound
            upper.append([*(side * sign * centred / size), -1.0])
            limits.append(-side * known)
    equal = [[*np.ones(8), 0.0], *([*column, 0.0] for column in _PATTERNS.T)]
    found = linprog(
        [*np.zeros(8), 1.0],
        A_ub=upper,
        b_ub=limits,
        A_eq=equal,
        b_eq=[p, *(p * of_a)],
        bounds=[*((0, share) for share in shares), (0, None)],
    )
    return float(found.fun) if found.status == 0 else None


def _ratio(number: float, by: _Interval, side: int) -> float:
    """Return the least (side -1) or greatest (side 1) quotient by a number in an interval from 0 up."""
    divisor = by[0] if number * side > 0 else by[1]
    if divisor:
        return number / divisor
    return math.copysign(math.inf, number) if number else 0.0


def _p_of_skew(skew: float) -> float:
    """Return the p at which (p - q) / sqrt(pq) has a value."""
    if math.isinf(skew):
        return 1.0 if skew > 0 else 0.0
    return (1 + skew / math.hypot(2, skew)) / 2


def _odds(p: float) -> float:
    return p / (1 - p) if p < 1 else math.inf


def _accuracy(votes: float, u: _Interval, odds: _Interval) -> _Interval:
    """Bound P = votes + u sqrt(odds), for judges better than chance."""
    least = votes + (u[0] * math.sqrt(odds[0]) if u[0] else 0.0)
    most = votes + (u[1] * math.sqrt(odds[1]) if u[1] else 0.0)
    return min(least, 1.0), min(most, 1.0)
