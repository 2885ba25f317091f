"""When enough items are checked: intervals that hold however often one looks while checking."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, lgamma, log

from askpoint.errors import InputError
from askpoint.measures.inputs import as_level
from askpoint.measures.intervals import Interval

__all__ = ["CheckingAdvice", "enough_checked", "gold_confidence_sequence"]

_HALVINGS = 60  # of the unit interval: beyond double precision
_ROUNDING = 1e-9  # of logarithms: a share on the very edge is not excluded
_MOST = 10**9  # items one would ever check


@dataclass(frozen=True)
class CheckingAdvice:
    """Whether enough items are checked, and about how many more it takes.

    Parameters
    ----------
    enough : bool
        Whether the interval reaches no further than `within` to either side of its middle.
    interval : Interval
        Valid however often one looks.
    within : float
        What was asked.
    n_checked : int
        Items checked so far.
    further : int
        About how many more it takes if the share stays as it is; 0 if enough are checked.

    Examples
    --------
    >>> from askpoint.judges.gold.confidence_sequence import CheckingAdvice
    >>> from askpoint.measures.intervals import Interval
    >>> CheckingAdvice(True, Interval(0.29, 0.31), 0.05, 900, 0).enough
    True
    """

    enough: bool
    interval: Interval
    within: float
    n_checked: int
    further: int


def gold_confidence_sequence(
    n_true: int, n_checked: int, *, n_items: int | None = None, level: float = 0.95
) -> Interval:
    """Interval for a share of items, valid at every moment of checking them in random order.

    Whoever looks after each item and stops when he likes what he sees spoils an ordinary
    interval, not this one. Use it for the prevalence of a label (`n_items` known), and for a
    judge's accuracy on a label's items, whose number is not known.

    Parameters
    ----------
    n_true : int
        Checked items of which it is true.
    n_checked : int
        Checked items, drawn with equal chances.
    n_items : int, optional
        All items, checked or not: the interval is for the share among these, and narrows to a
        point when all are checked. None takes items as draws from an endless supply.
    level : float, default=0.95
        With this probability the interval holds the share at ALL moments at once.

    Returns
    -------
    Interval

    Raises
    ------
    InputError
        If the counts do not fit each other, or `level` lies outside (0, 1).

    Notes
    -----
    With a uniform prior over the share, prior over posterior is a martingale at the truth, so by
    Ville's inequality it ever exceeds 1 / (1 - level) with probability at most 1 - level. It is
    1 / ((n + 1) P(n_true | share)), with the hypergeometric or the binomial probability P; only
    counts matter, not the order in which they came.

    References
    ----------
    Waudby-Smith and Ramdas, "Confidence sequences for sampling without replacement", NeurIPS 33
    (2020), theorem 2.1; Robbins, Ann. Math. Statist. 41 (1970), for the endless supply.

    Examples
    --------
    >>> from askpoint.judges.gold.confidence_sequence import gold_confidence_sequence
    >>> lower, upper = gold_confidence_sequence(30, 100, n_items=1000)
    >>> round(lower, 3), round(upper, 3)
    (0.176, 0.449)
    """
    _check(n_true, n_checked, n_items)
    return _interval(n_true, n_checked, n_items, log(1 - as_level(level, "level")))


def enough_checked(
    n_true: int,
    n_checked: int,
    *,
    within: float,
    n_items: int | None = None,
    level: float = 0.95,
) -> CheckingAdvice:
    """Say whether enough items are checked; ask after every item, it does no harm.

    Parameters
    ----------
    n_true, n_checked, n_items, level
        As for `gold_confidence_sequence`.
    within : float
        Half the width that the interval shall have, above 0.

    Returns
    -------
    CheckingAdvice

    Raises
    ------
    InputError
        As `gold_confidence_sequence`, or if `within` is not above 0.

    Examples
    --------
    >>> from askpoint.judges.gold.confidence_sequence import enough_checked
    >>> advice = enough_checked(30, 100, within=0.05, n_items=1000)
    >>> advice.enough, 200 < advice.further < 500
    (False, True)
    """
    _check(n_true, n_checked, n_items)
    if not within > 0:
        raise InputError(f"an interval cannot be narrower than nothing: within {within}")
    limit = log(1 - as_level(level, "level"))
    interval = _interval(n_true, n_checked, n_items, limit)
    if interval.upper - interval.lower <= 2 * within:
        return CheckingAdvice(
            enough=True, interval=interval, within=within, n_checked=n_checked, further=0
        )
    share = n_true / n_checked if n_checked else 0.5  # nothing known: the hardest case

    def is_narrow(n: int) -> bool:
        lower, upper = _interval(round(share * n), n, n_items, limit)
        return upper - lower <= 2 * within

    needed = _first(is_narrow, n_checked, _MOST if n_items is None else n_items)
    return CheckingAdvice(
        enough=False,
        interval=interval,
        within=within,
        n_checked=n_checked,
        further=needed - n_checked,
    )


def _check(n_true: int, n_checked: int, n_items: int | None) -> None:
    if not 0 <= n_true <= n_checked or (n_items is not None and n_checked > n_items):
        of = "" if n_items is None else f" of {n_items} items"
        raise InputError(
            f"counts must fit: it is true of {n_true} items, {n_checked} are checked{of}; "
            "n_true must be between 0 and n_checked, n_checked at most n_items"
        )


def _interval(n_true: int, n_checked: int, n_items: int | None, limit: float) -> Interval:
    s, t, n = n_true, n_checked - n_true, n_checked
    limit -= _ROUNDING
    if n == 0:
        return Interval(0.0, 1.0)
    average = lgamma(s + 1) + lgamma(t + 1) - lgamma(n + 2)  # over all shares, uniformly
    if n_items is None:

        def fits(share: float) -> bool:
            return _power(share, s) + _power(1 - share, t) - average >= limit

        return Interval(_edge(fits, s / n, 0.0), _edge(fits, s / n, 1.0))

    ways = lgamma(n_items + 1) - lgamma(n_items - n + 1)

    def is_possible(k: int) -> bool:
        return _falling(k, s) + _falling(n_items - k, t) - ways - average >= limit

    best = min(s * (n_items + 1) // n, n_items)  # most likely: fits always
    fewest = _first(is_possible, s - 1, best)
    most = n_items - _first(lambda k: is_possible(n_items - k), t - 1, n_items - best)
    return Interval(fewest / n_items, most / n_items)


def _power(share: float, times: int) -> float:
    """Logarithm of a power, 0 to the power of 0 being 1."""
    return times * (log(share) if share else -inf) if times else 0.0


def _falling(k: int, times: int) -> float:
    """Logarithm of k (k - 1) ... with so many factors."""
    return lgamma(k + 1) - lgamma(k - times + 1)


def _edge(fits: Callable[[float], bool], inside: float, outside: float) -> float:
    """Where fits ends, between a share that does and a bound of all shares."""
    if fits(outside):
        return outside
    for _ in range(_HALVINGS):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if fits(middle) else (inside, middle)
    return outside


def _first(holds: Callable[[int], bool], before: int, last: int) -> int:
    """Least number after `before` for which it holds, if it holds from there to `last`."""
    while last - before > 1:
        middle = (before + last) // 2
        before, last = (before, middle) if holds(middle) else (middle, last)
    return last
