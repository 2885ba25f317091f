"""Expected profit over the cost of asking."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes

from askpoint.displays.base import mark
from askpoint.displays.curve import CurveDisplay
from askpoint.displays.direct_labels import name_beside
from askpoint.displays.theme import Theme
from askpoint.value.uncertainty import outcome_intervals

__all__ = ["ProfitDisplay"]


@dataclass
class ProfitDisplay(CurveDisplay):
    """Expected profit EP_rho against rho, the cost of asking in units of a mistake.

    At the best threshold for each rho, with intervals for thresholds fixed before, the band for
    whichever threshold is chosen (unweighted cases only), the baselines and the upper limit.

    Parameters
    ----------
    curve : ValueCurve
        The curve.
    point : OperatingPoint, optional
        A chosen point to mark.
    default_share : float, optional
        Share of cases for which one decision for all would be right.

    Examples
    --------
    >>> from askpoint.displays.profit import ProfitDisplay
    >>> ProfitDisplay.from_predictions([1, 1, 0], [0.9, 0.8, 0.3]).ax_.get_ylabel()
    'expected profit'
    """

    default_share: float | None = None

    def _draw(self, ax: Axes, theme: Theme) -> None:
        curve = self.curve
        rho = np.linspace(0.005, 1, 200)
        profit = curve.expected_profit(rho)
        low, high = np.array([self._interval(r) for r in rho.tolist()]).T
        ax.fill_between(
            rho,
            low,
            high,
            color=theme.accent,
            alpha=0.18,
            linewidth=0,
            label="95%, threshold fixed before",
        )
        if not curve.is_weighted:
            for edge, label in ((-curve.band(), "95%, whichever threshold"), (curve.band(), None)):
                ax.plot(
                    rho,
                    np.clip(profit + edge, 0, 1),
                    color=theme.accent,
                    linewidth=0.8,
                    linestyle=":",
                    label=label,
                )
        ax.plot(rho, profit, color=theme.accent, label="best threshold")
        accuracy = curve.accuracy
        ax.plot(
            rho,
            accuracy + (1 - rho) * (1 - accuracy),
            color=theme.muted,
            linewidth=1,
            linestyle=":",
            label="upper limit",
        )
        ax.axhline(accuracy, color=theme.ink, linewidth=1, label="decide all alone")
        ax.plot(rho, 1 - rho, color=theme.muted, linewidth=1, label="every case to review")
        if self.default_share is not None:
            ax.axhline(
                self.default_share,
                color=theme.ink,
                linewidth=1,
                linestyle="--",
                label="one decision for all",
            )
        if self.point is not None and self.point.rate is not None:
            at = self.point.rate.rho
            mark(ax, at, self.point.outcomes.expected_profit(at))
        lowest = min(accuracy, self.default_share or 1.0)
        ax.set(
            xlim=(0, 1),
            ylim=(max(0.0, lowest - 0.5 * (1 - lowest) - 0.02), 1.01),
            xlabel="cost of a check, in mistakes",
            ylabel="expected profit",
        )
        name_beside(ax)

    def _interval(self, rho: float) -> tuple[float, float]:
        omega = 1 / rho - 1
        outcomes = self.curve.outcomes(self.curve.threshold(omega))
        interval = outcome_intervals(outcomes, omega=omega, n=self.curve.n_items).expected_profit
        return interval.lower, interval.upper
