"""What people's time buys: mistakes among new cases, against how many of them people look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from askpoint.displays.base import Display, mark
from askpoint.displays.direct_labels import name_beside
from askpoint.displays.theme import Theme

__all__ = ["ReviewCurveDisplay"]


@dataclass
class ReviewCurveDisplay(Display):
    """Mistakes per 1,000 new cases, at each amount of review.

    Parameters
    ----------
    review : sequence of float
        What people look at with each threshold, falling or rising: cases or hours, as `unit` says.
    mistakes, low, high : sequence of float
        Cases of 1,000 that are decided wrongly then, and their interval.
    own : (float, float), optional
        Review and mistakes at the recommended threshold.
    unit : str
        Of `review`, as it is written below the axis.

    Examples
    --------
    >>> from askpoint.displays.review_curve import ReviewCurveDisplay
    >>> display = ReviewCurveDisplay(
    ...     [0, 100, 1000], [150, 90, 0], [120, 60, 0], [180, 120, 0], (100, 90)
    ... ).plot()
    >>> display.ax_.get_ylabel()
    'mistakes per 1,000 cases'
    """

    review: Sequence[float]
    mistakes: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]
    own: tuple[float, float] | None = None
    unit: str = "cases of 1,000 that go to review"

    def _draw(self, ax: Axes, theme: Theme) -> None:
        ax.fill_between(
            self.review, self.low, self.high, color=theme.accent, alpha=0.18, linewidth=0
        )
        ax.plot(self.review, self.mistakes, color=theme.accent, label="expected, 95%")
        if self.own is not None:
            mark(ax, *self.own)
        ax.set(
            xlim=(0, max(self.review) or 1),
            ylim=(0, 1.08 * max(self.high) or 1),
            xlabel=self.unit,
            ylabel="mistakes per 1,000 cases",
        )
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
        name_beside(ax)
