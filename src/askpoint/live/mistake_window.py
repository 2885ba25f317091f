"""How many mistakes went out in a window of days, such as the last seven.

Each day begins a confidence sequence of its own, and the band of a window is that of its first day: it holds at every
later moment at once, so also at the moment of an alarm. Of the days of a life, at most the share delta begins a
sequence that ever misses, on average; that all windows hold at once is not said. Versions of a policy may follow each
other within a window, each with an audit rate of its own: the first has 4 / 5 of delta, and the k-th after it
1 / (5 k (k + 1)), however many come.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from askpoint.errors import InputError
from askpoint.measures.inputs import as_level
from askpoint.measures.intervals import Interval
from askpoint.measures.mixture_sequence import total_interval

__all__ = ["WindowAudits", "WindowMistakes", "mistakes_in_window"]

_FIRST = 0.8  # of delta


@dataclass(frozen=True, kw_only=True)
class WindowAudits:
    """What is known of the cases that one version decided alone in a window.

    Parameters
    ----------
    answers : int
        Cases decided alone.
    audited : int
        Those of them that were drawn for a person to check.
    labelled : int
        Audited ones whose label is there.
    seen : float
        Audited mistakes, each times the least audit rate over its own.
    rate : float
        The least audit rate, in (0, 1].

    Raises
    ------
    InputError
        If the counts contradict each other.
    """

    answers: int
    audited: int
    labelled: int
    seen: float
    rate: float

    def __post_init__(self) -> None:
        if not 0 <= self.labelled <= self.audited <= self.answers:
            raise InputError(
                f"of {self.answers} answers {self.audited} cannot be audited and {self.labelled} labelled"
            )
        if not (0 <= self.seen <= self.labelled and 0 < self.rate <= 1):
            raise InputError(
                f"{self.labelled} labelled audits cannot show {self.seen} mistakes at an audit rate of {self.rate}"
            )


@dataclass(frozen=True)
class WindowMistakes:
    """Mistakes that went out in a window.

    Parameters
    ----------
    estimate : float or None
        As many as the labelled audits stand for; None where cases were audited and none of them is labelled yet, or
        none was audited.
    interval : Interval
        In cases; valid at all moments of a window that begins where this one does.
    """

    estimate: float | None
    interval: Interval


def mistakes_in_window(versions: Sequence[WindowAudits], *, delta: float = 0.05) -> WindowMistakes:
    """Return how many mistakes went out since the first moment of a window.

    Parameters
    ----------
    versions : sequence of WindowAudits
        In the order in which they decided.
    delta : float, default=0.05
        Probability, at most, that the band of a window misses the truth at any moment; in (0, 1).

    Returns
    -------
    WindowMistakes
        Audits without a label count as right in the lower end and as wrong in the upper one.

    Raises
    ------
    InputError
        If delta is not in (0, 1).

    References
    ----------
    Horvitz and Thompson, JASA 47 (1952), for the estimate; `askpoint.measures.mixture_sequence` for the band.

    Examples
    --------
    >>> from askpoint.live.mistake_window import WindowAudits, mistakes_in_window
    >>> week = WindowAudits(answers=4000, audited=400, labelled=380, seen=4.0, rate=0.1)
    >>> found = mistakes_in_window([week])
    >>> round(found.estimate, 1), [round(end) for end in found.interval]
    (42.1, [2, 439])
    """
    delta = as_level(delta, "delta")
    estimate: float | None = 0.0
    lower, upper = 0.0, 0.0
    for place, found in enumerate(one for one in versions if one.answers):
        part = _FIRST if place == 0 else (1 - _FIRST) / (place * (place + 1))
        most = found.seen + found.audited - found.labelled
        lower += total_interval(found.seen, delta=delta * part).lower / found.rate
        upper += min(found.answers, total_interval(most, delta=delta * part).upper / found.rate)
        if not found.labelled:
            estimate = None
        elif estimate is not None:
            estimate += found.seen / found.rate * found.audited / found.labelled
    return WindowMistakes(estimate, Interval(min(lower, upper), upper))
