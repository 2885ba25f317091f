"""What the recommended rule does to so many cases a month: checks, hours and money."""

from __future__ import annotations

from dataclasses import dataclass

from askpoint.answers.value.tomorrow import Tomorrow
from askpoint.answers.value.volume import Volume
from askpoint.value.posterior.prospects import Expected

__all__ = ["Workload", "WorkloadFigures", "workload_figures"]

_AUDITED = 0.1  # of the decisions


@dataclass(frozen=True, kw_only=True)
class Workload:
    """What is known of the work besides the log.

    Parameters
    ----------
    volume : Volume
        How many cases come.
    check : float or None
        What one check costs in money.
    seconds_per_check : float or None
        How long one takes.
    """

    volume: Volume
    check: float | None = None
    seconds_per_check: float | None = None

    @property
    def hours(self) -> float | None:
        """Of people, in a period in which they look at every case; None where nobody says how long a look takes."""
        each = self.seconds_per_check
        return None if each is None else self.volume.number * each / 3600


@dataclass(frozen=True, kw_only=True)
class WorkloadFigures:
    """What the recommended rule brings in the average period, with 95% intervals.

    They are those of 1,000 cases, at another scale: for the average they are wide, but a single period of fewer cases
    may lie outside them.

    Parameters
    ----------
    asked, mistakes : Expected
        Cases.
    hours : Expected or None
        Work of the checks; None where nobody says how long one takes.
    cost : Expected or None
        In money; None where nobody says what a check costs, or no price of a mistake is stated.
    saved, saved_hours : float or None
        Compared with sending every case to review; above 0 is a gain.
    audit_hours : float or None
        What audits of a policy in use take besides, if one in ten of what it decides alone is audited.
    """

    asked: Expected
    mistakes: Expected
    hours: Expected | None
    cost: Expected | None
    saved: float | None
    saved_hours: float | None
    audit_hours: float | None


def workload_figures(tomorrow: Tomorrow, workload: Workload) -> WorkloadFigures:
    """Return what the recommended rule brings in each period."""
    best, n = tomorrow.best, workload.volume.number
    hours = cost = saved = saved_hours = audit_hours = None
    asked = _times(best.asked, n)
    if workload.hours is not None:
        hours = _times(best.asked, workload.hours)
        saved_hours = workload.hours - hours.mean
        audit_hours = _AUDITED * saved_hours
    always = tomorrow.ask_all.cost_per_1000
    if workload.check is not None and best.cost_per_1000 is not None and always is not None:
        each = workload.check * n / 1000
        cost = _times(best.cost_per_1000, each)
        saved = always.mean * each - cost.mean
    return WorkloadFigures(
        asked=asked,
        mistakes=_times(best.mistakes, n),
        hours=hours,
        cost=cost,
        saved=saved,
        saved_hours=saved_hours,
        audit_hours=audit_hours,
    )


def _times(expected: Expected, factor: float) -> Expected:
    return Expected(*(part * factor for part in expected))
