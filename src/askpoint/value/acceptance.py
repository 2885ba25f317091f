"""How many labelled mistakes may be passed, so that few are left in the whole output.

Acceptance sampling on a list that is sorted by confidence: walk down from the surest case and stop before
the labelled mistake that is one too many. Wrong cases are numbered in that order, and whether too many
unlabelled ones are passed depends on the labels of the first few only. So it is one test, whatever the
confidences are worth and however fine the thresholds lie. `docs/explanation/whole-output.md` has the proof.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from askpoint.errors import InputError
from askpoint.measures.inputs import FloatArray, as_level

__all__ = [
    "audit_acceptance_number",
    "batch_acceptance_number",
    "labels_for_more",
    "labels_to_promise",
    "mistakes_allowed",
    "stream_acceptance_number",
    "threshold_before",
]

_ROUND_OFF = 1e-9


def mistakes_allowed(n_items: int, share: float) -> int:
    """Return the greatest number of cases that is at most this share of all (symbol T).

    Examples
    --------
    >>> from askpoint.value.acceptance import mistakes_allowed
    >>> mistakes_allowed(100, 0.29)
    29
    """
    return math.floor(n_items * share + _ROUND_OFF)


def batch_acceptance_number(n_items: int, n_labelled: int, allowed: int, delta: float) -> int:
    """Return how many labelled mistakes may be passed in a batch (symbol c); -1: answer nothing.

    Parameters
    ----------
    n_items : int
        Cases of the batch.
    n_labelled : int
        Cases whose label was drawn at random from the batch, and which are right from then on.
    allowed : int
        Mistakes that may be left in the output (symbol T).
    delta : float
        Probability that more are left, at most.

    Returns
    -------
    int
        The largest c with P(Hypergeometric(n, T + c + 1 wrong, L drawn) <= c) <= delta.

    Raises
    ------
    InputError
        If the numbers do not fit together, or delta is no probability.

    Notes
    -----
    More than T unlabelled wrong cases come before the (c + 1)-th labelled one exactly where at most c
    of the first T + c + 1 wrong cases are labelled.

    References
    ----------
    Dodge and Romig, A Method of Sampling Inspection, Bell System Technical Journal 8 (1929).

    Examples
    --------
    >>> from askpoint.value.acceptance import batch_acceptance_number
    >>> batch_acceptance_number(3000, 300, 150, 0.1)
    11
    """
    if not 0 <= n_labelled <= n_items:
        raise InputError(
            f"labels must be from 0 to the {n_items} cases of the batch; got {n_labelled}"
        )
    as_level(delta, "delta")
    if n_items - n_labelled <= allowed:
        return n_labelled  # fewer cases are left unlabelled than may be wrong

    from scipy import stats

    def fails(c: int) -> float:
        return float(stats.hypergeom.cdf(c, n_items, allowed + c + 1, n_labelled))

    return _last_within(fails, min(n_labelled, n_items - allowed - 1), delta)


def stream_acceptance_number(n_labelled: int, share: float, delta: float) -> int:
    """Return how many labelled mistakes may be passed for new cases like these; -1: answer nothing.

    Parameters
    ----------
    n_labelled : int
        Labelled cases, drawn like the new ones.
    share : float
        Greatest share of all new cases that may be answered wrongly, below 1.
    delta : float
        Probability that more are, at most.

    Returns
    -------
    int
        The largest c with P(Binomial(L, share) <= c) <= delta.

    Examples
    --------
    >>> from askpoint.value.acceptance import stream_acceptance_number
    >>> stream_acceptance_number(300, 0.05, 0.1)
    9
    """
    as_level(delta, "delta")
    if share >= 1:
        return n_labelled
    from scipy import stats

    c = int(stats.binom.ppf(delta, n_labelled, share))  # the least with a greater probability
    return c if stats.binom.cdf(c, n_labelled, share) <= delta else c - 1


def audit_acceptance_number(allowed: int, chance: float, delta: float) -> int:
    """Return how many mistakes audits may find from the surest case down; -1: answer nothing.

    Parameters
    ----------
    allowed : int
        Mistakes that may be left in the output (symbol T).
    chance : float
        Probability with which each case is audited on the way down, between 0 and 1 (symbol pi).
    delta : float
        Probability that more are left, at most.

    Returns
    -------
    int
        The largest c with P(Binomial(T + c + 1, chance) <= c) <= delta.

    Examples
    --------
    >>> from askpoint.value.acceptance import audit_acceptance_number
    >>> audit_acceptance_number(150, 0.1, 0.1)
    10
    """
    as_level(delta, "delta")
    as_level(chance, "the chance of an audit")
    from scipy import stats

    highest = 1
    while stats.binom.cdf(highest, allowed + highest + 1, chance) <= delta:
        highest *= 2
    return _last_within(
        lambda c: float(stats.binom.cdf(c, allowed + c + 1, chance)), highest, delta
    )


def labels_for_more(n_items: int, n_labelled: int, allowed: int, delta: float) -> int | None:
    """Return the least number of labels with which one more mistake may be passed; None if none.

    Labels between two such numbers let no more be answered: c is a whole number.
    """
    now = batch_acceptance_number(n_items, n_labelled, allowed, delta)
    low, high = n_labelled, n_items
    if batch_acceptance_number(n_items, high, allowed, delta) <= now:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        if batch_acceptance_number(n_items, middle, allowed, delta) > now:
            high = middle
        else:
            low = middle
    return high


def labels_to_promise(share: float, delta: float) -> int:
    """Return the fewest labelled cases that can promise anything of new ones: no mistake among them.

    Examples
    --------
    >>> from askpoint.value.acceptance import labels_to_promise
    >>> labels_to_promise(0.05, 0.1)  # .95 ^ 45 < .1
    45
    """
    n = math.ceil(math.log(delta) / math.log1p(-share) - _ROUND_OFF)
    return n if stream_acceptance_number(n, share, delta) >= 0 else n + 1  # a tie, rounded up there


def threshold_before(confidence: FloatArray, mistakes: FloatArray, accepted: int) -> float:
    """Return the least confidence above that of the mistake that is one too many.

    Cases of equal confidence move together, which asks more and so keeps the promise.

    Parameters
    ----------
    confidence : ndarray of shape (n_items,)
        Of all cases.
    mistakes : ndarray of shape (n_mistakes,)
        Confidences of the labelled mistakes.
    accepted : int
        So many of them may be passed; with -1 nothing is answered.

    Returns
    -------
    float
        Infinity where nothing is answered.
    """
    if accepted < 0:
        return math.inf
    if len(mistakes) <= accepted:
        return float(confidence.min())
    above = confidence[confidence > np.sort(mistakes)[-accepted - 1]]
    return float(above.min()) if above.size else math.inf


def _last_within(fails: Callable[[int], float], highest: int, delta: float) -> int:
    """The largest c up to `highest` whose probability, which rises with c, is within delta; else -1."""
    low, high = -1, highest + 1
    while high - low > 1:
        middle = (low + high) // 2
        if fails(middle) <= delta:
            low = middle
        else:
            high = middle
    return low
