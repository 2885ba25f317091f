"""What an examination shows: cost thought and found by bin, and the four quadrants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from askpoint.displays.base import Display
from askpoint.displays.direct_labels import name_beside
from askpoint.displays.theme import Theme
from askpoint.unknowns.findings import BinFinding
from askpoint.unknowns.quadrants import Quadrants

__all__ = ["BinsDisplay", "QuadrantsDisplay"]


@dataclass
class BinsDisplay(Display):
    """Mean cost that judges found in each bin, with its interval, next to the model's own estimate.

    Parameters
    ----------
    bins : sequence of BinFinding
        As in ``Findings.bins``; bins without a judged case are left out.
    unit : str, default=""
        Unit of the costs.

    Examples
    --------
    >>> from askpoint.displays.examination import BinsDisplay
    >>> from askpoint.measures.intervals import Interval
    >>> from askpoint.unknowns.findings import BinFinding
    >>> from askpoint.unknowns.population import PopulationEstimate
    >>> lowest = BinFinding(
    ...     low=0.0,
    ...     high=0.1,
    ...     n_cases=900,
    ...     n_drawn=20,
    ...     n_judged=20,
    ...     classes={"ham": 16, "spam": 4},
    ...     mistakes=4,
    ...     estimated=0.05,
    ...     actual=PopulationEstimate(0.2, Interval(0.1, 0.4)),
    ... )
    >>> BinsDisplay([lowest]).plot().ax_.get_ylabel()
    'mean cost of a case'
    """

    bins: Sequence[BinFinding]
    unit: str = ""

    def _draw(self, ax: Axes, theme: Theme) -> None:
        known = [
            (part.low, part.high, part.estimated, part.actual.value, *part.actual.interval)
            for part in self.bins
            if part.actual is not None and part.estimated is not None
        ]
        if known:
            low, high, thought, found, lower, upper = np.array(known).T
            ax.hlines(thought, low, high, color=theme.muted, lw=2, label="as the model thinks")
            ax.errorbar(
                (low + high) / 2,
                found,
                yerr=[found - lower, upper - found],
                fmt="o",
                color=theme.accent,
                capsize=3,
                lw=1.4,
                label="as judges found",
            )
        ax.set(
            xlabel="cost that the model estimates",
            ylabel=f"mean cost of a case{f', {self.unit}' if self.unit else ''}",
        )
        ax.set_ylim(bottom=0)
        name_beside(ax)


@dataclass
class QuadrantsDisplay(Display):
    """Cases by what the model thinks and what is so: four fields with their shares.

    Parameters
    ----------
    quadrants : Quadrants
        Of the cases.

    Examples
    --------
    >>> from askpoint.displays.examination import QuadrantsDisplay
    >>> from askpoint.measures.cost_matrix import CostMatrix
    >>> from askpoint.unknowns.quadrants import item_quadrants
    >>> costs = CostMatrix.zero_one(["ham", "spam"])
    >>> found = item_quadrants([0.1, 0.1], costs, ["ham", "ham"], ["ham", "spam"])
    >>> len(QuadrantsDisplay(found).plot().ax_.patches)
    4
    """

    quadrants: Quadrants

    def _draw(self, ax: Axes, theme: Theme) -> None:
        total = sum(self.quadrants.counts.values())
        places = {
            "known known": (0, 0, theme.muted),
            "unknown known": (1, 0, theme.muted),
            "unknown unknown": (0, 1, theme.wrong),
            "known unknown": (1, 1, theme.accent),
        }
        for name, (x, y, colour) in places.items():
            n = self.quadrants.counts[name]
            side = np.sqrt(n / total) if total else 0.0  # its area is the share
            corner = (x + 0.5 - 0.46 * side, y + 0.44 - 0.38 * side)
            ax.add_patch(
                Rectangle(
                    corner,
                    0.92 * side,
                    0.76 * side,
                    facecolor=colour,
                    edgecolor=colour,
                    alpha=0.35,
                )
            )
            ax.text(x + 0.5, y + 0.44, f"{n:,.0f}", ha="center", va="center", weight="bold")
            ax.text(x + 0.5, y + 0.91, f"{name}s", ha="center", va="center", color=theme.ink)
        bounds = self.quadrants.bounds
        ax.set(
            xlim=(0, 2),
            ylim=(0, 2),
            xticks=(0.5, 1.5),
            yticks=(0.5, 1.5),
            xticklabels=(f"at most {bounds.estimated:.3g}: sure", "more: uncertain"),
            yticklabels=(f"at most\n{bounds.actual:.3g}", "more"),
            xlabel="what the model thinks that a case costs",
            ylabel="what it costs indeed",
        )
        ax.grid(visible=False)
        ax.tick_params(length=0)
        ax.axhline(1, color=theme.faint, lw=1)
        ax.axvline(1, color=theme.faint, lw=1)
