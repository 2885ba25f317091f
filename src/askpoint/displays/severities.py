"""Two ways of finding mistakes, side by side: the paper's figure 4."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

from askpoint.displays.base import Display
from askpoint.displays.direct_labels import name_beside
from askpoint.displays.theme import Theme
from askpoint.unknowns.severity_comparison import SeverityComparison

__all__ = ["SeveritiesDisplay"]


@dataclass
class SeveritiesDisplay(Display):
    """Share of each method's mistakes in each bucket of severity, with intervals: figure 4.

    Parameters
    ----------
    comparison : SeverityComparison
        Of two methods; one that found no mistake has no bars.

    Examples
    --------
    >>> from askpoint.displays.severities import SeveritiesDisplay
    >>> from askpoint.unknowns.severity_comparison import ErrorsFound, compare_severities
    >>> compared = compare_severities(
    ...     ErrorsFound("players", [300, 900], 15, "cases submitted"),
    ...     ErrorsFound("examination", [100, 200], 30, "cases inspected"),
    ... )
    >>> len(SeveritiesDisplay(compared).plot().ax_.patches)
    8
    """

    comparison: SeverityComparison

    def _draw(self, ax: Axes, theme: Theme) -> None:
        edges = self.comparison.edges
        at = np.arange(len(edges) - 1)
        methods = (self.comparison.first, self.comparison.second)
        for offset, colour, method in zip(
            (-0.2, 0.2), (theme.accent, theme.muted), methods, strict=True
        ):
            if method.shares is None or method.intervals is None:
                continue
            shares, ends = np.array(method.shares), np.array(method.intervals)
            ax.bar(
                at + offset,
                shares,
                0.36,
                color=colour,
                yerr=np.abs(ends.T - shares),
                error_kw={"ecolor": theme.ink, "lw": 1, "capsize": 2},
                label=f"{method.name}, {method.n_distinct} mistakes",
            )
        names = [f"{low:g}-{high:g}" for low, high in itertools.pairwise(edges)]
        ax.set(xlabel="severity", ylabel="share of the mistakes found", xticks=at)
        ax.set_xticklabels(names)
        ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        ax.set_axisbelow(True)
        name_beside(ax)
