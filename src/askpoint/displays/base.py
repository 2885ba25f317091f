"""What all pictures share: where to draw, the legend, the mark of a chosen point."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from askpoint.displays.theme import Theme, axes_or_new, figure_of, theme_of
from askpoint.measures.inputs import IntArray

__all__ = ["Display", "legend_below", "mark", "thinned"]


@dataclass
class Display(abc.ABC):
    """A picture of something: made from results, drawn by `plot`.

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
        What was drawn on.
    """

    ax_: Axes = field(init=False, repr=False)
    figure_: Figure = field(init=False, repr=False)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the picture."""
        self.ax_ = axes_or_new(ax)
        self.figure_ = figure_of(self.ax_)
        self._draw(self.ax_, theme_of(self.ax_))
        return self

    @abc.abstractmethod
    def _draw(self, ax: Axes, theme: Theme) -> None: ...


def legend_below(
    ax: Axes, columns: int = 3, *, above: bool = False, handles: Sequence[Any] | None = None
) -> None:
    """Put the legend under the picture, or over it, or into one among several, if there is any."""
    if not ax.get_legend_handles_labels()[0]:
        return
    settings: dict[str, Any] = {}
    if len(figure_of(ax).axes) > 1:  # outside is a neighbour
        settings = {"fontsize": 8, "loc": "best"}
    elif above:
        settings = {"loc": "lower left", "bbox_to_anchor": (0, 1), "ncols": columns}
    else:
        settings = {"fontsize": 9, "loc": "upper center", "bbox_to_anchor": (0.5, -0.17)}
        settings["ncols"] = columns
    if handles is not None:
        settings["handles"] = handles
    ax.legend(**settings)


def mark(ax: Axes, x: float, y: float) -> None:
    """Mark the chosen point."""
    theme = theme_of(ax)
    ax.plot(
        [x],
        [y],
        "o",
        color=theme.accent,
        markersize=7,
        markeredgecolor=theme.paper,
        clip_on=False,
        zorder=5,
    )


def thinned(n: int, most: int = 400) -> IntArray:
    """Positions of at most so many of n steps, the first and the last among them."""
    return np.unique(np.linspace(0, n - 1, min(n, most)).round().astype(int))
