"""When an examination knows enough: rules that may be asked after every judgement.

They read the interval that is valid while looking, so asking often does no harm.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from askpoint.errors import InputError
from askpoint.unknowns.findings import FindingEstimate

__all__ = ["StopAdvice", "StopAtBound", "StopAtWidth"]


@dataclass(frozen=True)
class StopAdvice:
    """Whether to stop, and why.

    Parameters
    ----------
    enough : bool
        Whether what was asked is known.
    reason : str
        In words.
    further : int or None
        About how many more cases it takes; None if that cannot be told.
    """

    enough: bool
    reason: str
    further: int | None = None


@dataclass(frozen=True)
class StopAtWidth:
    """Stop when a quantity is known to within an interval of this width.

    Parameters
    ----------
    width : float
        Above 0, in the unit of the quantity.
    """

    width: float

    def __post_init__(self) -> None:
        if not self.width > 0:
            raise InputError(f"an interval cannot be narrower than nothing: width {self.width}")

    def advice(self, finding: FindingEstimate, n_judged: int) -> StopAdvice:
        """Say whether the quantity is known well enough."""
        if finding.looking is None:
            return StopAdvice(enough=False, reason=finding.reason)
        lower, upper = finding.looking
        reason = f"known to within {upper - lower:.4g}, {self.width:g} was asked"
        if upper - lower <= self.width:
            return StopAdvice(enough=True, reason=reason, further=0)
        further = n_judged * (((upper - lower) / self.width) ** 2 - 1)
        return StopAdvice(enough=False, reason=reason, further=math.ceil(further - 1e-6))


@dataclass(frozen=True)
class StopAtBound:
    """Stop when it is known on which side of a bound a quantity lies.

    Parameters
    ----------
    bound : float
        In the unit of the quantity.
    """

    bound: float

    def advice(self, finding: FindingEstimate, n_judged: int) -> StopAdvice:
        """Say whether the side is known."""
        del n_judged
        if finding.looking is None:
            return StopAdvice(enough=False, reason=finding.reason)
        lower, upper = finding.looking
        between = f"between {lower:.4g} and {upper:.4g}"
        if lower <= self.bound <= upper:
            return StopAdvice(enough=False, reason=f"{between}: on either side of {self.bound:g}")
        side = "below" if upper < self.bound else "above"
        return StopAdvice(enough=True, reason=f"{between}: {side} {self.bound:g}", further=0)
