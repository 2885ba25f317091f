"""Numbers as people read them."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal

import numpy as np

from askpoint.measures.intervals import Interval

__all__ = [
    "amount",
    "count",
    "estimate_text",
    "expected_number",
    "money_text",
    "plural",
    "probability",
    "rough",
    "rough_range",
    "round_share",
    "share",
    "share_range",
    "short_threshold",
    "threshold_text",
    "unit_of",
    "work_time",
]

_SMALLEST = 0.0001  # per cent; nearer to 0 or 100% a share is only said to be nearer


def count(value: float) -> str:
    """Write a count, in groups of three digits."""
    return f"{value:,.0f}"


def amount(value: float) -> str:
    """Write an amount with three digits that count."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{Decimal(f'{value:.3g}'):f}"  # without an exponent


def expected_number(value: float) -> str:
    """Write an expected number of something counted: one decimal where it is small."""
    return count(value) if value >= 10 else amount(round(value, 1))


def estimate_text(value: float) -> str:
    """Write an estimate with two digits that count: 49, 3.2, 2,300."""
    rounded = float(f"{value:.2g}")
    return (
        f"{rounded:,.0f}"
        if abs(rounded) >= 10
        else f"{Decimal(repr(rounded)):f}".removesuffix(".0")
    )


def money_text(value: float, currency: str | None) -> str:
    """Write an amount of money as people write it: 40 EUR, 2.50 EUR."""
    whole = abs(value) >= 100 or float(f"{value:.2f}").is_integer()
    text = amount(value) if whole or abs(value) < 0.01 else f"{value:.2f}"
    return text if currency is None else f"{text}\N{NO-BREAK SPACE}{currency}"


def unit_of(money_per_check: float | None, currency: str | None) -> str:
    """Return what follows the first cost of a sentence: amounts with a currency name their unit themselves."""
    if money_per_check is None:
        return " checks"
    return "" if currency else " in money"


def share(value: float) -> str:
    r"""Write a share as a percentage, finer near 0 and 100%."""
    if value in (0, 1):
        return round_share(value)
    distance = 100 * min(value, 1 - value)
    if distance < _SMALLEST:
        sign, edge = ("<", _SMALLEST) if value < 0.5 else (">", 100 - _SMALLEST)
        return f"{sign}\N{NO-BREAK SPACE}{edge}%"
    digits = 1 if distance >= 1 else 1 - math.floor(math.log10(distance))
    return f"{100 * value:.{digits}f}%"


def round_share(value: float) -> str:
    r"""Write a share that was chosen, such as 95%, without digits that say nothing."""
    return f"{100 * value:.6g}%"


def rough(value: float) -> str:
    """Write a share as a whole percentage, finer near 0 and 100%."""
    return share(value) if min(value, 1 - value) < 0.01 else round_share(round(value, 2))


def rough_range(interval: Interval) -> str:
    """Write a band of shares."""
    return f"{rough(interval.lower)} to {rough(interval.upper)}"


def share_range(interval: Interval) -> str:
    r"""Write an interval of shares."""
    return f"{share(interval.lower)} to {share(interval.upper)}"


def threshold_text(threshold: float, below: float) -> str:
    """Write a threshold as the shortest decimal that divides the cases alike."""
    if math.isinf(threshold):
        return "never"
    bounds = [value for value in (threshold, below) if math.isfinite(value)]
    with np.errstate(over="ignore"):
        single = all(float(np.float32(value)) == value for value in bounds)
    typed = np.float32 if single else float  # as who compares with it will read it
    below = max(below, threshold - (abs(threshold) or 1) / 100)  # two digits at least
    exact = Decimal(threshold)
    for digits in range(1, 18):
        short = Context(digits, ROUND_FLOOR).create_decimal(exact)
        middle = short + Decimal(5).scaleb(short.adjusted() - digits)
        for text in (short, middle):
            if text <= exact and below < typed(text) <= threshold:
                return f"{text:f}" if -7 < text.adjusted() < 16 else f"{text:e}"
    return repr(threshold)


def short_threshold(threshold: float) -> str:
    """Write a threshold for who reads and does not copy it: three digits of what it leaves to 1.

    It is rounded up, so that what reaches the number that is read reaches the threshold, too.
    """
    left = 1 - threshold
    if not 0 < left < 1:
        return _short_score(threshold)
    last = Decimal(1).scaleb(math.floor(math.log10(left)) - 2)
    text = f"{Decimal(repr(float(threshold))).quantize(last, ROUND_CEILING):f}".rstrip("0")
    return repr(float(threshold)) if float(text) in (0.0, 1.0) else text


def _short_score(threshold: float) -> str:
    """Write a threshold on a scale that does not end at 1, such as a logit: six digits, rounded up."""
    short = Context(6, ROUND_CEILING).create_decimal(repr(float(threshold)))
    if not short.is_finite() or not short or not -7 < short.adjusted() < 16:
        return repr(float(threshold))
    text = f"{short:f}"
    return text.rstrip("0").removesuffix(".") + ".0" * text.endswith(".0") if "." in text else text


def plural(number: float, one: str, many: str) -> str:
    """Write a count with its noun."""
    return f"{count(number)} {one if number == 1 else many}"


def probability(value: float) -> str:
    """Write a p-value; what is next to nothing is not written out."""
    return "less than 0.0001" if value < 1e-4 else amount(value)


def work_time(seconds: float) -> str:
    """Write people's time: minutes below an hour, then hours; what is not nothing is never written as nothing."""
    if seconds <= 0:
        return "no time"
    if seconds < 60:
        return "less than a minute"
    if seconds < 3570:  # from here on it is an hour, rounded
        minutes = round(seconds / 60)
        return plural(minutes, "minute", "minutes")
    hours = seconds / 3600
    text = f"{hours:.1f}".removesuffix(".0") if hours < 9.95 else count(hours)
    return f"{text} {'hour' if text == '1' else 'hours'}"
