"""Pictures of the value room: value curve, risk-coverage, reliability."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, PercentFormatter

from askpoint.displays.base import by_factors, mark, thin_steps
from askpoint.displays.curve import CurveDisplay
from askpoint.displays.direct_labels import name_beside
from askpoint.displays.theme import Theme
from askpoint.measures.confidence import ConfidenceMeasure
from askpoint.measures.inputs import FloatArray
from askpoint.measures.intervals import Interval
from askpoint.measures.sampling import effective_size
from askpoint.value.curve import ValueCurve
from askpoint.value.reliability import reliability_bins
from askpoint.value.uncertainty import outcome_intervals

__all__ = ["ReliabilityDisplay", "RiskCoverageDisplay", "ValueCurveDisplay"]

_FEW_STEPS = 20  # so few operating points that each is marked


@dataclass
class ValueCurveDisplay(CurveDisplay):
    """Checks saved on 1,000 cases (the value) against how many checks are worth one mistake.

    The curve with two bands (exact, for each price's threshold fixed before; and wider, for
    whichever threshold is chosen after looking), the baselines (decide all alone, every case to review, one decision for all) and the upper limit.

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
    >>> from askpoint.displays.value import ValueCurveDisplay
    >>> display = ValueCurveDisplay.from_predictions([1, 1, 0], [0.9, 0.8, 0.3])
    >>> display.ax_.get_xlabel()
    'checks per mistake'
    """

    default_share: float | None = None

    def checks(self) -> FloatArray:
        """Return the prices drawn: from 1 to past the last finite breakpoint."""
        finite = self.curve.breakpoints[np.isfinite(self.curve.breakpoints)]
        last = max(50.0, 2 * (1 + finite.max(initial=0)))
        if self.point is not None and self.point.rate is not None:
            last = max(last, 2 * self.point.rate.checks_per_mistake)
        return np.geomspace(1, last, 200)

    def _draw(self, ax: Axes, theme: Theme) -> None:
        checks = self.checks()
        omega = checks - 1
        values = self.curve.value(omega)
        if not self.curve.is_weighted:
            width = checks * self.curve.band()
            ax.fill_between(
                checks,
                values - width,
                np.minimum(values + width, 1),
                color=theme.accent,
                alpha=0.08,
                linewidth=0,
                label="95%, whichever threshold",
            )
        low, high = np.array([self._interval(w) for w in omega]).T
        ax.fill_between(
            checks,
            low,
            high,
            color=theme.accent,
            alpha=0.2,
            linewidth=0,
            label="95%, threshold fixed before",
        )
        ax.plot(checks, values, color=theme.accent, label="best threshold")
        accuracy = self.curve.accuracy
        ax.axhline(accuracy, color=theme.muted, linewidth=1, linestyle=":", label="upper limit")
        ax.plot(
            checks,
            accuracy - omega * (1 - accuracy),
            color=theme.ink,
            linewidth=1,
            label="decide all alone",
        )
        if self.default_share is not None:
            ax.plot(
                checks,
                self.default_share - omega * (1 - self.default_share),
                color=theme.ink,
                linewidth=1,
                linestyle="--",
                label="one decision for all",
            )
        ax.axhline(0, color=theme.muted, linewidth=1, label="every case to review")
        if self.point is not None and self.point.rate is not None:
            mark(
                ax,
                self.point.rate.checks_per_mistake,
                self.point.outcomes.value(self.point.rate.omega),
            )
        ax.set(
            xscale="log",
            xlim=(1, checks[-1]),
            ylim=(-0.08, 1.04),
            xlabel="checks per mistake",
            ylabel="checks saved on 1,000 cases",
        )
        ax.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{1000 * y:,.0f}"))
        by_factors(ax.xaxis)
        name_beside(ax)

    def _interval(self, omega: float) -> Interval:
        threshold = self.curve.threshold(omega)
        if np.isinf(threshold):  # who never answers knows what that is worth
            return Interval(0.0, 0.0)
        outcomes = self.curve.outcomes(threshold)
        return outcome_intervals(outcomes, omega=omega, n=_effective_items(self.curve)).value


@dataclass
class RiskCoverageDisplay(CurveDisplay):
    """Share of mistakes among the answers against the share of cases answered.

    Parameters
    ----------
    curve : ValueCurve
        The curve.
    point : OperatingPoint, optional
        A chosen point to mark.

    Examples
    --------
    >>> from askpoint.displays.value import RiskCoverageDisplay
    >>> RiskCoverageDisplay.from_predictions([1, 1, 0], [0.9, 0.8, 0.3]).ax_.get_xlabel()
    'share of cases decided alone'
    """

    def _draw(self, ax: Axes, theme: Theme) -> None:
        k = thin_steps(len(self.curve.thresholds) - 1) + 1
        answered = (self.curve.right + self.curve.wrong)[k]
        coverage, risk = answered / self.curve.total, self.curve.wrong[k] / answered
        n = _effective_items(self.curve)
        intervals = [
            outcome_intervals(self.curve.outcomes(t), n=n).risk for t in self.curve.thresholds[k]
        ]
        low, high = np.array([i if i is not None else (0, 1) for i in intervals]).T
        ax.fill_between(
            coverage,
            low,
            high,
            color=theme.accent,
            alpha=0.18,
            linewidth=0,
            step="post",
            label="95% interval, pointwise",
        )
        ax.step(
            coverage,
            risk,
            where="post",
            color=theme.accent,
            marker="." if len(k) <= _FEW_STEPS else "",
            label="this model",
        )
        ax.axhline(1 - self.curve.accuracy, color=theme.ink, linewidth=1, label="decide all alone")
        if self.point is not None and self.point.outcomes.risk is not None:
            mark(ax, self.point.outcomes.coverage, self.point.outcomes.risk)
        top = max(2.5 * (1 - self.curve.accuracy), float(risk[coverage > 0.1].max(initial=0)) * 1.2)
        top = min(1.0, max(top, 0.01))
        ax.set(
            xlim=(0, 1),
            ylim=(-0.02 * top, 1.02 * top),  # lines at the edges are seen whole
            xlabel="share of cases decided alone",
            ylabel="mistakes among them",
        )
        ax.xaxis.set_major_formatter(PercentFormatter(1))
        ax.yaxis.set_major_formatter(PercentFormatter(1))
        name_beside(ax)


@dataclass
class ReliabilityDisplay(CurveDisplay):
    """Share of right answers against confidence: isotonic steps, and ten bins with intervals.

    Parameters
    ----------
    curve : ValueCurve
        The curve.
    point : OperatingPoint, optional
        A chosen point, whose threshold is marked.
    is_probability : bool, default=True
        Whether confidence, if it lies from 0 to 1, is meant as the probability of being right, so
        that there is a line on which it would be calibrated.

    Examples
    --------
    >>> from askpoint.displays.value import ReliabilityDisplay
    >>> ReliabilityDisplay.from_predictions([1, 1, 0], [0.9, 0.8, 0.3]).ax_.get_ylabel()
    'share right'
    """

    is_probability: bool = True

    @classmethod
    def of(cls, curve: ValueCurve, confidence: ConfidenceMeasure) -> Any:
        """Make the display of a curve, with a diagonal where confidence is a probability.

        Parameters
        ----------
        curve : ValueCurve
            The curve.
        confidence : str or callable
            What its thresholds are thresholds on.

        Returns
        -------
        ReliabilityDisplay
        """
        return cls(curve, is_probability=confidence == "max_probability")

    def _draw(self, ax: Axes, theme: Theme) -> None:
        curve = self.curve
        scores = np.asarray(curve.thresholds[1:], dtype=np.float64)
        low, high = float(scores.min()), float(scores.max())
        if self.is_probability and low >= 0 and high <= 1:
            ax.plot(
                [0, 1],
                [0, 1],
                color=theme.muted,
                linewidth=1,
                linestyle=":",
                label="as right as it says",
            )
        # each edge of the hull is one isotonic step; its ends are enough to draw it
        ends = np.unique(np.concatenate([curve.hull[1:] - 1, curve.hull[:-1]]))
        ends = ends[ends < len(scores)]
        ax.plot(
            scores[ends],
            curve.calibrated[ends],
            color=theme.accent,
            label="by these labels",
        )
        for i, part in enumerate(reliability_bins(curve, n=_effective_items(curve))):
            lower, upper = part.interval
            ax.errorbar(
                part.confidence,
                part.right,
                yerr=[[max(part.right - lower, 0)], [max(upper - part.right, 0)]],
                fmt="o",
                color=theme.ink,
                markersize=4,
                linewidth=1,
                label=None if i else "tenths of the cases, 95%",
            )
        if self.point is not None and np.isfinite(self.point.threshold):
            ax.axvline(self.point.threshold, color=theme.accent, linewidth=1, label="threshold")
        ax.set(
            xlabel="confidence",
            ylabel="share right",
            ylim=(-0.02, 1.02),
            xlim=(low - 0.02 * (high - low or 1), high + 0.02 * (high - low or 1)),
        )
        ax.yaxis.set_major_formatter(PercentFormatter(1))
        name_beside(ax)


def _effective_items(curve: ValueCurve) -> float:
    weight = None if curve.cases is None else curve.cases.weight
    return curve.n_items if weight is None else effective_size(weight)
