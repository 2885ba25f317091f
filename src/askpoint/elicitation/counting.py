"""How many questions it takes to learn weights: what no way of asking can go below, and what chords need."""

from __future__ import annotations

import math

from askpoint.errors import InputError

__all__ = ["chord_count", "least_questions", "section_count"]

_ROUNDING = 1e-9


def least_questions(
    n_weights: int, tolerance: float, *, flips: float = 0.0, failure: float = 0.0
) -> int:
    """Return how many yes-or-no questions any way of asking needs at least.

    Whatever is asked, and however the next question depends on the answers, fewer leave weights from
    which the estimate is further away than the tolerance.

    Parameters
    ----------
    n_weights : int
        How many weights with sum 1, two or more, symbol k.
    tolerance : float
        Greatest error of any weight, in (0, 1), symbol epsilon.
    flips : float, default=0
        Probability that an answer is turned round, each by itself; below one half.
    failure : float, default=0
        Share of all weights, drawn uniformly, and of all draws of turned answers, for which the
        tolerance may be missed; below 1, and above 0 where answers are turned round.

    Returns
    -------
    int
        Questions.

    Raises
    ------
    InputError
        If a number is out of range, or no error is allowed although answers are turned round.

    Examples
    --------
    >>> from askpoint.elicitation.counting import least_questions
    >>> [least_questions(k, 0.01) for k in (2, 3, 4, 6)]
    [6, 11, 15, 23]
    >>> least_questions(3, 0.01, flips=0.15, failure=0.1)
    24
    """
    _check(n_weights, tolerance)
    if not 0 <= flips < 0.5:
        raise InputError(f"flips must be at least 0 and below .5; got {flips}")
    if not 0 <= failure < 1 or (flips > 0 and failure == 0):
        raise InputError(
            "failure must be at least 0 and below 1, and above 0 where answers are turned round: then no "
            f"number of them is certain; got {failure} with flips={flips}"
        )
    success = 1 - failure
    share = min(1.0, section_count(n_weights) * tolerance ** (n_weights - 1))
    if success <= share:
        return 0
    if flips == 0:
        needed = math.log2(success) - math.log2(share)
    else:
        needed = (_bits(success, share) + _bits(failure, 1 - share)) / (1 - _entropy(flips))
    return max(0, math.ceil(needed - _ROUNDING))


def chord_count(n_weights: int, tolerance: float) -> int:
    """Return how many questions chords ask until every error is within the tolerance for certain.

    Examples
    --------
    >>> from askpoint.elicitation.counting import chord_count
    >>> [chord_count(k, 0.01) for k in (2, 3, 4, 6)]
    [6, 14, 24, 40]
    """
    _check(n_weights, tolerance)
    others = n_weights - 1
    halvings = max(0, math.ceil(math.log2(others / (4 * tolerance)) - _ROUNDING))
    return others * (1 + halvings)


def section_count(n_weights: int) -> int:
    """Return the share of the simplex that a ball of radius r in the greatest error holds, over r ** (k - 1).

    The volume of the largest section of a cube across its diagonal, times (k - 1)!, is a whole number.
    """
    k = n_weights
    return sum((-1) ** j * math.comb(k, j) * (k - 2 * j) ** (k - 1) for j in range((k + 1) // 2))


def _check(n_weights: int, tolerance: float) -> None:
    if n_weights < 2:
        raise InputError(f"weights are compared with each other: two or more; got {n_weights}")
    if not 0 < tolerance < 1:
        raise InputError(f"a tolerance must be between 0 and 1; got {tolerance}")


def _bits(p: float, q: float) -> float:
    return p * (math.log2(p) - math.log2(q)) if p > 0 else 0.0


def _entropy(p: float) -> float:
    return -p * math.log2(p) - (1 - p) * math.log2(1 - p)
