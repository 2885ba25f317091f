"""How many cases come in a period."""

from __future__ import annotations

from dataclasses import dataclass

from askpoint.errors import InputError

__all__ = ["PERIODS", "Volume"]

PERIODS = {"hour": 1 / 24, "day": 1.0, "week": 7.0, "month": 365.25 / 12, "year": 365.25}
"""Days of each period."""


@dataclass(frozen=True)
class Volume:
    """So many cases in each period.

    Parameters
    ----------
    number : float
        Cases, above 0.
    period : str
        One of `PERIODS`.
    """

    number: float
    period: str

    def __post_init__(self) -> None:
        if not 0 < self.number < float("inf"):
            raise InputError(f"a volume must be above 0; got {self.number:g}/{self.period}")

    @property
    def per_day(self) -> float:
        """Cases on an average day."""
        return self.number / PERIODS[self.period]

    def share_of(self, whole: Volume) -> float:
        """Return which share these cases are of those that come."""
        return self.per_day / whole.per_day
