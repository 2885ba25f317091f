"""What a campaign pays, in whole points, and two presets."""

from __future__ import annotations

import math
from dataclasses import dataclass

from askpoint.arena.game.transaction import POINTS_PER_CENT, as_points
from askpoint.errors import InputError

__all__ = ["PAPER_PAY", "Pay", "hourly_pay", "money"]


@dataclass(frozen=True, slots=True)
class Pay:
    """The prices of a campaign, in points (1,000 points are 20 cents).

    Parameters
    ----------
    base : int, default=10
        Points for a submitted case once it is judged, whatever the judges say.
    top : int, default=1000
        Points for an error of which the model was certain that it was none.
    vote : int, default=100
        Points for a judge's vote, on a case or on a gold item.
    unsure : int, default=100
        Points, at most, for a case that the model decides rightly but without being sure.
    hourly_floor : int, default=0
        The cents an hour that `base` and `vote` were made from; 0 when nothing is promised.
    """

    base: int = 10
    top: int = 1000
    vote: int = 100
    unsure: int = 100
    hourly_floor: int = 0

    def __post_init__(self) -> None:
        for name in ("base", "vote", "unsure", "hourly_floor"):
            as_points(getattr(self, name), name)
        as_points(self.top, "top", least=1)
        if self.unsure > self.top:
            raise InputError(
                f"the bonus where the model is right but unsure ({self.unsure} points) must not "
                f"exceed the top reward ({self.top} points)"
            )


PAPER_PAY = Pay()
"""The paper's prices: 1 cent for 5 cases, up to 20 cents for an error. The pay of its judges
is not in the text; 2 cents a vote is ours."""


def hourly_pay(
    cents_per_hour: int,
    *,
    seconds_per_case: float,
    seconds_per_vote: float,
    top: int | None = None,
) -> Pay:
    """Prices under which an hour of honest work is never paid below a floor.

    The base pay of a case and the pay of a vote each carry the floor alone, so that it
    holds without a single error found; what is found comes on top.
    """
    as_points(cents_per_hour, "the hourly floor in cents", least=1)
    for name, seconds in (
        ("seconds_per_case", seconds_per_case),
        ("seconds_per_vote", seconds_per_vote),
    ):
        if not (math.isfinite(seconds) and seconds > 0):
            raise InputError(f"{name} must be above 0; got {seconds}")
    base, vote = (
        math.ceil(round(cents_per_hour * POINTS_PER_CENT * seconds / 3600, 6))
        for seconds in (seconds_per_case, seconds_per_vote)
    )
    top = max(PAPER_PAY.top, 2 * base) if top is None else top
    return Pay(base, top, vote, min(PAPER_PAY.unsure, top), cents_per_hour)


def money(points: int) -> str:
    """Return points with what they are in money: from a dollar on in whole cents, as they can be withdrawn.

    >>> money(810)
    '810 points (16.2 cents)'
    >>> money(56_105)
    '56,105 points ($11.22)'
    """
    cents, _ = divmod(abs(points), POINTS_PER_CENT)
    if cents >= 100:
        sign = "-" if points < 0 else ""
        return f"{points:,} points ({sign}${cents / 100:,.2f})"
    part = f"{points / POINTS_PER_CENT:.2f}".rstrip("0").rstrip(".")
    return f"{points:,} points ({part} {'cent' if part == '1' else 'cents'})"
