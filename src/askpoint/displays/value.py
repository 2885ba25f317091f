"""Pictures of the value room: value curve, risk-coverage, reliability."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, PercentFormatter

from askpoint.displays.base import CurveDisplay, legend_below, mark, thinned
from askpoint.displays.look import theme_of
from askpoint.measures.inputs import FloatArray
from askpoint.measures.outcomes import Outcomes
from askpoint.value.uncertainty import outcome_intervals

__all__ = ["ReliabilityDisplay", "RiskCoverageDisplay", "ValueCurveDisplay"]


@dataclass
class ValueCurveDisplay(CurveDisplay):
    """Value per case against how many checks are worth one mistake.

    The curve with two bands (exact, for each price's threshold fixed before; and wider, for
    whichever threshold is chosen after looking), the baselines (answer all, ask all, one decision for all) and the upper limit.

    Parameters
    ----------
    curve : ValueCurve
        The curve.
    point : OperatingPoint, optional
        A chosen point to mark.
    default_share : float, optional
        Share of cases for which one decision for all would be right.

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
        What was drawn on.

    Examples
    --------
    >>> from askpoint.displays.value import ValueCurveDisplay
    >>> display = ValueCurveDisplay.from_predictions([1, 1, 0], [0.9, 0.8, 0.3])
    >>> display.ax_.get_xlabel()
    'checks worth one mistake'
    """

    default_share: float | None = None

    def checks(self) -> FloatArray:
        """Return the prices drawn: from 1 to past the last finite breakpoint."""
        finite = self.curve.breakpoints[np.isfinite(self.curve.breakpoints)]
        last = max(50.0, 2 * (1 + finite.max(initial=0)))
        if self.point is not None and self.point.rate is not None:
            last = max(last, 2 * self.point.rate.checks_per_mistake)
        return np.geomspace(1, last, 200)

    def plot(self, ax: Axes | None = None) -> ValueCurveDisplay:
        """Draw the picture.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; by default a new figure.

        Returns
        -------
        ValueCurveDisplay
        """
        ax = self.start(ax)
        theme = theme_of(ax)
        checks = self.checks()
        omega = checks - 1
        values = self.curve.value(omega)
        rates = np.array([self._band(w) for w in omega])
        ax.fill_between(
            checks,
            rates[:, 0],
            rates[:, 1],
            color=theme.accent,
            alpha=0.18,
            linewidth=0,
            label="95 %, threshold fixed before",
        )
        if self.curve.total == self.curve.n_items:
            width = checks * self.curve.band()
            for sign, label in ((-1, "95 %, whichever threshold"), (1, None)):
                edge = np.clip(values + sign * width, -1, 1)
                ax.plot(checks, edge, color=theme.accent, linewidth=0.8, linestyle=":", label=label)
        ax.plot(checks, values, color=theme.accent, label="best threshold")
        accuracy = self.curve.accuracy
        ax.axhline(accuracy, color=theme.muted, linewidth=1, linestyle=":", label="upper limit")
        ax.plot(
            checks,
            accuracy - omega * (1 - accuracy),
            color=theme.ink,
            linewidth=1,
            label="answer all",
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
        ax.axhline(0, color=theme.muted, linewidth=1, label="ask all")
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
            xlabel="checks worth one mistake",
            ylabel="value per case",
        )
        ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
        legend_below(ax)
        return self

    def _band(self, omega: float) -> tuple[float, float]:
        outcomes = self.curve.outcomes(self.curve.threshold(omega))
        interval = outcome_intervals(outcomes, omega=omega, n=self.curve.n_items).value
        return max(interval.lower, -1.0), min(interval.upper, 1.0)


@dataclass
class RiskCoverageDisplay(CurveDisplay):
    """Share of mistakes among the answers against the share of cases answered.

    Parameters
    ----------
    curve : ValueCurve
        The curve.
    point : OperatingPoint, optional
        A chosen point to mark.

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
        What was drawn on.

    Examples
    --------
    >>> from askpoint.displays.value import RiskCoverageDisplay
    >>> RiskCoverageDisplay.from_predictions([1, 1, 0], [0.9, 0.8, 0.3]).ax_.get_xlabel()
    'share of cases answered'
    """

    def plot(self, ax: Axes | None = None) -> RiskCoverageDisplay:
        """Draw the picture.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; by default a new figure.

        Returns
        -------
        RiskCoverageDisplay
        """
        ax = self.start(ax)
        theme = theme_of(ax)
        k = thinned(len(self.curve.thresholds) - 1) + 1
        answered = (self.curve.right + self.curve.wrong)[k]
        coverage, risk = answered / self.curve.total, self.curve.wrong[k] / answered
        intervals = [
            outcome_intervals(self.curve.outcomes(t), n=self.curve.n_items).risk
            for t in self.curve.thresholds[k]
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
            label="95 % interval, pointwise",
        )
        ax.step(coverage, risk, where="post", color=theme.accent, label="this model")
        ax.axhline(1 - self.curve.accuracy, color=theme.ink, linewidth=1, label="answer all")
        if self.point is not None and self.point.outcomes.risk is not None:
            mark(ax, self.point.outcomes.coverage, self.point.outcomes.risk)
        top = max(2.5 * (1 - self.curve.accuracy), float(risk[coverage > 0.1].max(initial=0)) * 1.2)
        ax.set(
            xlim=(0, 1),
            ylim=(0, min(1.0, max(top, 0.01))),
            xlabel="share of cases answered",
            ylabel="mistakes among answers",
        )
        ax.xaxis.set_major_formatter(PercentFormatter(1))
        ax.yaxis.set_major_formatter(PercentFormatter(1))
        legend_below(ax)
        return self


@dataclass
class ReliabilityDisplay(CurveDisplay):
    """Share of right answers against confidence: isotonic steps, and ten bins with intervals.

    Parameters
    ----------
    curve : ValueCurve
        The curve.
    point : OperatingPoint, optional
        A chosen point, whose threshold is marked.

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
        What was drawn on.

    Examples
    --------
    >>> from askpoint.displays.value import ReliabilityDisplay
    >>> ReliabilityDisplay.from_predictions([1, 1, 0], [0.9, 0.8, 0.3]).ax_.get_ylabel()
    'share of right answers'
    """

    def plot(self, ax: Axes | None = None) -> ReliabilityDisplay:
        """Draw the picture.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; by default a new figure.

        Returns
        -------
        ReliabilityDisplay
        """
        ax = self.start(ax)
        theme = theme_of(ax)
        curve = self.curve
        scores = np.asarray(curve.thresholds[1:], dtype=np.float64)
        low, high = float(scores.min()), float(scores.max())
        if low >= 0 and high <= 1:
            ax.plot(
                [0, 1], [0, 1], color=theme.muted, linewidth=1, linestyle=":", label="calibrated"
            )
        # each edge of the hull is one isotonic step; its ends are enough to draw it
        ends = np.unique(np.concatenate([curve.hull[1:] - 1, curve.hull[:-1]]))
        ends = ends[ends < len(scores)]
        ax.plot(
            scores[ends],
            curve.calibrated[ends],
            color=theme.accent,
            label="isotonic (PAV)",
        )
        edges = np.unique(np.linspace(0, curve.n_items, 11).round().astype(int))
        cut = np.unique(np.searchsorted(curve.items, edges))
        for a, b in itertools.pairwise(cut):
            right, wrong = curve.right[b] - curve.right[a], curve.wrong[b] - curve.wrong[a]
            part = Outcomes(float(right), float(wrong), 0)
            interval = outcome_intervals(part, n=int(curve.items[b] - curve.items[a])).right
            weights = np.diff(curve.items[a : b + 1])
            centre = float(np.average(scores[a:b], weights=weights))
            rate = part.right / part.total
            ax.errorbar(
                centre,
                rate,
                yerr=[[max(rate - interval.lower, 0)], [max(interval.upper - rate, 0)]],
                fmt="o",
                color=theme.ink,
                markersize=4,
                linewidth=1,
                label="tenths of the cases, 95 %" if a == cut[0] else None,
            )
        if self.point is not None and np.isfinite(self.point.threshold):
            ax.axvline(self.point.threshold, color=theme.accent, linewidth=1)
        ax.set(
            xlabel="confidence",
            ylabel="share of right answers",
            ylim=(-0.02, 1.02),
            xlim=(low - 0.02 * (high - low or 1), high + 0.02 * (high - low or 1)),
        )
        ax.yaxis.set_major_formatter(PercentFormatter(1))
        legend_below(ax)
        return self
