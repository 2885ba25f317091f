"""What acting alone saved: checks that fell away, less audits and bad actions, as audits drawn at known rates show them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from askpoint.measures.intervals import Interval

__all__ = ["AloneActions", "AloneSaving", "bad_among", "measure_saving"]


@dataclass(frozen=True)
class AloneActions:
    """Actions taken alone that were audited at one rate, or nearly, and of which a bad one has one price.

    Parameters
    ----------
    price : float
        Of a bad action, in checks.
    alone, drawn : int
        Actions, and those drawn for an audit.
    right, wrong : int
        What their readers said so far; the others still wait.
    reported : int
        Actions that nobody drew, and that were found wrong all the same.
    rates : tuple of float, optional
        The least and the greatest rate of their audits, where these differ.
    """

    price: float
    alone: int
    drawn: int
    right: int
    wrong: int
    reported: int
    rates: tuple[float, float] | None = None


class AloneSaving(NamedTuple):
    """What actions taken alone saved, in checks.

    Attributes
    ----------
    audits : int
        Checks that audits cost.
    bad : float
        Bad actions to be expected.
    bad_between : Interval
        At the least, and at the most.
    checks : float
        Saved: actions alone, less audits, less the price of the bad ones.
    between : Interval
        Of what was saved.
    """

    audits: int
    bad: float
    bad_between: Interval
    checks: float
    between: Interval


def bad_among(actions: AloneActions, level: float = 0.95) -> Interval:
    """Return how many of some actions may be bad, when a random part of them was read.

    At one rate exact for draws without replacement. Where rates differ each bad action is drawn at least at the least
    rate, and at most at the greatest, so binomial tails bound both ends. An audit that nobody read yet counts as right
    below and as wrong above: late because it is hard must not look good.

    Examples
    --------
    >>> bad_among(AloneActions(20.0, alone=100, drawn=100, right=97, wrong=3, reported=0))
    Interval(lower=3.0, upper=3.0)
    """
    from scipy import stats

    n, drawn, tail = actions.alone, actions.drawn, (1 - level) / 2
    least, most = actions.wrong, drawn - actions.right
    low, high = least + actions.reported, n - actions.right

    def find_often(bad: int) -> bool:
        """Whether so many bad ones are found so often as they were."""
        if actions.rates is None:
            return float(stats.hypergeom.sf(least - 1, n, bad, drawn)) > tail
        return float(stats.binom.sf(least - 1, bad, actions.rates[1])) > tail

    def find_seldom(bad: int) -> bool:
        """Whether no more of so many bad ones are found hardly ever."""
        if actions.rates is None:
            return float(stats.hypergeom.cdf(most, n, bad, drawn)) <= tail
        return float(stats.binom.cdf(most, bad, actions.rates[0])) <= tail

    fewest = _find_first(low, high, find_often)
    most_bad = _find_first(low, high, lambda bad: find_seldom(bad + 1))
    return Interval(float(min(fewest, most_bad)), float(most_bad))


def _find_first(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """Return the first number from which on something holds; the last one where it never does."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


def measure_saving(parts: Sequence[AloneActions], level: float = 0.95) -> AloneSaving | None:
    """Return what actions taken alone saved; None where no audit of them was read yet.

    Each part has its share of the chance to err, so that the sums hold together.
    """
    if not any(one.right + one.wrong for one in parts):
        return None
    each = 1 - (1 - level) / len(parts)
    bounds = [bad_among(one, each) for one in parts]
    bad = [_expect_bad(one, bound) for one, bound in zip(parts, bounds, strict=True)]
    audits = sum(one.drawn for one in parts)
    kept = sum(one.alone for one in parts) - audits

    def subtract_bad(numbers: Sequence[float]) -> float:
        return kept - sum(n * one.price for n, one in zip(numbers, parts, strict=True))

    return AloneSaving(
        audits,
        sum(bad),
        Interval(sum(one.lower for one in bounds), sum(one.upper for one in bounds)),
        subtract_bad(bad),
        Interval(
            subtract_bad([one.upper for one in bounds]), subtract_bad([one.lower for one in bounds])
        ),
    )


def _expect_bad(actions: AloneActions, bounds: Interval) -> float:
    read = actions.right + actions.wrong
    unread = actions.alone - read
    share = actions.wrong / read if read else 0.0
    expected = actions.wrong + max(actions.reported, share * unread)
    return min(bounds.upper, max(bounds.lower, expected))
