"""All thresholds as points of mistakes and right answers, and the hull of the best."""

from __future__ import annotations

from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

from askpoint.displays.base import mark, thin_steps
from askpoint.displays.curve import CurveDisplay
from askpoint.displays.direct_labels import name_beside
from askpoint.displays.theme import Theme

__all__ = ["HullDisplay"]


@dataclass
class HullDisplay(CurveDisplay):
    """Right answers against mistakes at every threshold (C over W), with their upper hull.

    Each vertex of the hull is the best threshold at some price; the line through a chosen point has
    the slope omega, and no threshold lies above it.

    Parameters
    ----------
    curve : ValueCurve
        The curve.
    point : OperatingPoint, optional
        A chosen point to mark.

    Examples
    --------
    >>> from askpoint.displays.hull import HullDisplay
    >>> HullDisplay.from_predictions([1, 1, 0], [0.9, 0.8, 0.3]).ax_.get_xlabel()
    'decided wrong, share of all cases'
    """

    def _draw(self, ax: Axes, theme: Theme) -> None:
        curve = self.curve
        steps = thin_steps(len(curve.thresholds), 2000)
        right, wrong = curve.right / curve.total, curve.wrong / curve.total
        ax.plot(wrong[steps], right[steps], color=theme.muted, linewidth=1, label="every threshold")
        ax.plot(
            wrong[curve.hull],
            right[curve.hull],
            color=theme.accent,
            marker="o",
            markersize=3,
            label="best at some price",
        )
        if self.point is not None:
            outcomes = self.point.outcomes
            x, y = outcomes.wrong / outcomes.total, outcomes.right / outcomes.total
            if self.point.rate is not None:
                omega = self.point.rate.omega
                ax.axline(
                    (x, y),
                    slope=omega,
                    color=theme.ink,
                    linewidth=1,
                    linestyle="--",
                    label=f"equal value at omega {omega:.3g}",
                )
            mark(ax, x, y)
        ax.set(
            xlim=(0, 1.05 * wrong[-1] or 1),
            ylim=(0, 1.05 * right[-1] or 1),
            xlabel="decided wrong, share of all cases",
            ylabel="decided right",
        )
        ax.xaxis.set_major_formatter(PercentFormatter(1))
        ax.yaxis.set_major_formatter(PercentFormatter(1))
        name_beside(ax)
