"""Checks saved and cases asked against the threshold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from askpoint.displays.base import mark, thin_steps
from askpoint.displays.curve import CurveDisplay
from askpoint.displays.direct_labels import name_beside
from askpoint.displays.theme import Theme
from askpoint.measures.exchange import ExchangeRate

__all__ = ["ThresholdDisplay"]


@dataclass
class ThresholdDisplay(CurveDisplay):
    """Checks saved (the value) and cases asked of 1,000, at every threshold on the confidence.

    Parameters
    ----------
    curve : ValueCurve
        The curve.
    point : OperatingPoint, optional
        A chosen point to mark.
    checks : float, default=20
        Checks worth one mistake, where the point has no price.

    Examples
    --------
    >>> from askpoint.displays.threshold import ThresholdDisplay
    >>> ThresholdDisplay.from_predictions([1, 1, 0], [0.9, 0.8, 0.3]).ax_.get_xlabel()
    'decide alone from this confidence'
    """

    checks: float = 20.0

    def _draw(self, ax: Axes, theme: Theme) -> None:
        curve = self.curve
        stated = None if self.point is None else self.point.rate
        rate = ExchangeRate(self.checks - 1) if stated is None else stated
        steps = 1 + thin_steps(len(curve.thresholds) - 1)[::-1]
        score = curve.thresholds[steps].astype(np.float64)
        value = (curve.right[steps] - rate.omega * curve.wrong[steps]) / curve.total
        asked = 1 - (curve.right[steps] + curve.wrong[steps]) / curve.total
        # just above a confidence its cases are asked, too: each step reaches down to the one below
        price = f"checks saved, at {rate.checks_per_mistake:.3g} a mistake"
        ax.step(score, value, where="pre", color=theme.accent, label=price)
        ax.step(score, asked, where="pre", color=theme.ink, label="sent to review")
        ax.axhline(0, color=theme.muted, linewidth=1, label="every case to review: none saved")
        if self.point is not None and np.isfinite(self.point.threshold):
            ax.axvline(self.point.threshold, color=theme.accent, linewidth=0.8)
            mark(ax, self.point.threshold, self.point.outcomes.value(rate.omega))
        ax.set(
            xlim=(score[0] - 0.01 * (score[-1] - score[0]), score[-1]) if len(score) > 1 else None,
            ylim=(max(float(value.min()) - 0.05, -1.0), 1.04),
            xlabel="decide alone from this confidence",
            ylabel="of 1,000 cases",
        )
        ax.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{1000 * y:,.0f}"))
        name_beside(ax)
