"""Numbers as people read them."""

from __future__ import annotations

import math

from askpoint.measures.intervals import Interval

__all__ = ["amount", "count", "plural", "share", "share_range", "threshold_text"]


def count(value: float) -> str:
    """Write a count, with thin groups of three digits.

    Parameters
    ----------
    value : float
        A count, or a sum of weights.

    Returns
    -------
    str

    Examples
    --------
    >>> from askpoint.reports.words import count
    >>> count(1234567)
    '1,234,567'
    """
    return f"{value:,.0f}"


def amount(value: float) -> str:
    """Write an amount with three digits that count.

    Parameters
    ----------
    value : float
        Any number.

    Returns
    -------
    str

    Examples
    --------
    >>> from askpoint.reports.words import amount
    >>> amount(1234.5), amount(0.01234), amount(-20.0)
    ('1,234', '0.0123', '-20')
    """
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def share(value: float) -> str:
    """Write a share as a percentage, finer near 0 and 100 %.

    Parameters
    ----------
    value : float
        From 0 to 1.

    Returns
    -------
    str

    Examples
    --------
    >>> from askpoint.reports.words import share
    >>> share(0.123), share(0.0042), share(0.99951), share(0.0), share(1.0)
    ('12.3 %', '0.42 %', '99.951 %', '0 %', '100 %')
    """
    if value in (0, 1):
        return f"{100 * value:.0f} %"
    distance = 100 * min(abs(value), abs(1 - value))
    digits = 1 if distance >= 1 else min(6, 1 - math.floor(math.log10(distance)))
    return f"{100 * value:.{digits}f} %"


def share_range(interval: Interval) -> str:
    """Write an interval of shares.

    Parameters
    ----------
    interval : Interval
        Two shares.

    Returns
    -------
    str

    Examples
    --------
    >>> from askpoint.measures.intervals import Interval
    >>> from askpoint.reports.words import share_range
    >>> share_range(Interval(0.012, 0.034))
    '1.2 % to 3.4 %'
    """
    return f"{share(interval.lower)} to {share(interval.upper)}"


def threshold_text(value: float) -> str:
    """Write a threshold so that the rule it stands for is not changed by rounding.

    Parameters
    ----------
    value : float
        A threshold; infinity means never.

    Returns
    -------
    str

    Examples
    --------
    >>> from askpoint.reports.words import threshold_text
    >>> threshold_text(0.9), threshold_text(0.98765432), threshold_text(float("inf"))
    ('0.9', '0.98765432', 'never')
    """
    return "never" if math.isinf(value) else f"{value:.10g}"


def plural(number: float, one: str, many: str) -> str:
    """Write a count with its noun.

    Parameters
    ----------
    number : float
        How many.
    one, many : str
        The noun.

    Returns
    -------
    str

    Examples
    --------
    >>> from askpoint.reports.words import plural
    >>> plural(1, "case", "cases"), plural(2, "case", "cases")
    ('1 case', '2 cases')
    """
    return f"{count(number)} {one if number == 1 else many}"
