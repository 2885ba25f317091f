"""What the owner of a log asks of it: costs in money, what people can check, or a limit; and how many cases come."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from askpoint.answers.value.volume import Volume
from askpoint.answers.value.workload import Workload
from askpoint.errors import InputError
from askpoint.measures.exchange import Prices
from askpoint.value.limits import AskAtMost, MaxError
from askpoint.value.priced import CheckCost

__all__ = ["ReportQuestion"]

_DELTA = 0.05


@dataclass(frozen=True, kw_only=True)
class ReportQuestion:
    """The same as the options of `askpoint value`.

    Parameters
    ----------
    aim : {"money", "capacity", "promise"}
    limit : float
        Price of a check in mistakes, the share of the cases that people can check, or the greatest risk.
    mistake, check : float, optional
        In money, where the price was stated so.
    currency : str, default=""
        What money is in.
    volume : float, optional
        How many cases come in each period.
    period : str, default="week"
    seconds_per_check : float, optional
    capacity : float, optional
        The cases that people can check in each `capacity_period`, where that is what limits them.
    capacity_period : str, default="week"
    by : str, default=""
        The column of the log's groups, where each is to have its own threshold.
    """

    aim: str
    limit: float
    mistake: float | None = None
    check: float | None = None
    currency: str = ""
    volume: float | None = None
    period: str = "week"
    seconds_per_check: float | None = None
    capacity: float | None = None
    capacity_period: str = "week"
    by: str = ""

    def __post_init__(self) -> None:
        if self.seconds_per_check is not None and self.volume is None:
            raise InputError("hours follow from how many cases come: say that, too")
        if self.aim == "capacity" and not 0 < self.limit < 1:
            raise InputError(
                f"people must be able to check fewer cases than come; got {self._checked_and_come()}. If they can check "
                "all, there is nothing to choose"
            )

    def _checked_and_come(self) -> str:
        """The two numbers, in one time if their times differ."""
        if self.capacity is None or self.volume is None:
            return f"{self.limit:,.4g} of them"
        checked, come = self.capacity, self.volume
        said = (
            f"{checked:,.10g} checks a {self.capacity_period} of {come:,.10g} cases a {self.period}"
        )
        if self.capacity_period == self.period:
            return said
        same = Volume(checked, self.capacity_period).share_of(Volume(come, self.period)) * come
        return f"{said}, that is {same:,.4g} a {self.period}"

    def objective(self) -> Prices | CheckCost | AskAtMost | MaxError:
        """Return what to want of a threshold."""
        if self.aim == "promise":
            return MaxError(self.limit, _DELTA)
        if self.aim == "capacity":
            return AskAtMost(self.limit)
        if self.mistake is not None and self.check is not None:
            return Prices(0.0, -self.check, -self.mistake)
        return CheckCost(self.limit)

    def workload(self) -> Workload | None:
        """Return what is known of the work; None where nobody says how many cases come."""
        if self.volume is None:
            return None
        return Workload(
            volume=Volume(self.volume, self.period),
            check=self.check,
            seconds_per_check=self.seconds_per_check,
        )

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON, by which it can be made again."""
        return asdict(self)
