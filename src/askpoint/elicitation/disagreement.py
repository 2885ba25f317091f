"""Several people's costs beside each other: what all of their answers allow, and how far they differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from askpoint.errors import InputError
from askpoint.measures.intervals import Interval

__all__ = ["Disagreement", "NamedCost", "disagreement_of"]

NamedCost = tuple[str, float, Interval]
"""A name, what a mistake costs by their answers, and where that lies."""


@dataclass(frozen=True)
class Disagreement:
    """How far people differ on one cost.

    Parameters
    ----------
    least, most : (str, float, Interval)
        Whose cost is lowest, and whose is highest.
    shared : Interval or None
        What lies in everybody's interval; None where no cost does.
    """

    least: NamedCost
    most: NamedCost
    shared: Interval | None

    @property
    def factor(self) -> float:
        """How many times the lowest cost the highest is."""
        return self.most[1] / self.least[1]


def disagreement_of(people: Sequence[NamedCost]) -> Disagreement:
    """Compare what several people believe of one cost.

    Intervals that share a cost are no proof of agreement: few answers make wide ones. Intervals that
    share none are a difference that the answers' noise does not explain.

    Parameters
    ----------
    people : sequence of (str, float, Interval)
        Name, estimate above 0, interval.

    Returns
    -------
    Disagreement

    Raises
    ------
    InputError
        If there are fewer than two.

    Examples
    --------
    >>> from askpoint.elicitation.disagreement import disagreement_of
    >>> from askpoint.measures.intervals import Interval
    >>> found = disagreement_of([("Ana", 20.0, Interval(15, 26)), ("Bo", 5.0, Interval(3, 8))])
    >>> found.factor, found.shared
    (4.0, None)
    """
    if len(people) < 2:
        raise InputError(f"to differ takes two people; got {len(people)}")
    low = max(interval.lower for _, _, interval in people)
    high = min(interval.upper for _, _, interval in people)
    ordered = sorted(people, key=lambda person: person[1])
    return Disagreement(ordered[0], ordered[-1], Interval(low, high) if low <= high else None)
