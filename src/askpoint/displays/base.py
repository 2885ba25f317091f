"""What all pictures share: where to draw, the legend, the mark of a chosen point."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator
from matplotlib.transforms import ScaledTranslation

from askpoint.displays.theme import Theme, axes_or_new, figure_of, theme_of
from askpoint.measures.inputs import IntArray

__all__ = ["Display", "by_factors", "legend_below", "level", "mark", "thin_steps", "width_of"]

_SIZE = 9.0  # points
_AXIS = 34.0  # points that the numbers and the words of an axis take


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
        level(self.ax_)
        return self

    @abc.abstractmethod
    def _draw(self, ax: Axes, theme: Theme) -> None: ...


def level(ax: Axes) -> None:
    """Write what goes up level over its axis: nobody turns their head, and the picture has the width."""
    ax.yaxis.label.set(rotation="horizontal", ha="left", va="bottom")
    ax.yaxis.set_label_coords(0, 1.02)


def legend_below(
    ax: Axes, columns: int = 3, *, above: bool = False, handles: Sequence[Any] | None = None
) -> None:
    """Put the legend under the picture, or over it, or into one among several, if there is any."""
    artists, _ = ax.get_legend_handles_labels()
    if not artists:
        return
    artists = artists if handles is None else list(handles)
    if len(figure_of(ax).axes) > 1:  # outside is a neighbour
        ax.legend(handles=artists, fontsize=8, loc="best")
        return
    below = ScaledTranslation(0, -_AXIS / 72, figure_of(ax).dpi_scale_trans)
    ax.legend(
        handles=artists,
        fontsize=_SIZE,
        ncols=_fitting(ax, [str(one.get_label()) for one in artists], columns),
        loc="lower left" if above else "upper left",
        bbox_to_anchor=(0, 1) if above else (0, 0),
        bbox_transform=ax.transAxes if above else ax.transAxes + below,
        borderaxespad=0.2,
        borderpad=0.2,
        columnspacing=1.2,
        handlelength=1.4,
        handletextpad=0.5,
    )


def _fitting(ax: Axes, names: Sequence[str], columns: int) -> int:
    """The most columns, at most as many as asked for, that are no wider than the picture."""
    room = 0.86 * 72 * figure_of(ax).get_size_inches()[0]  # the rest is the axis's
    for n in range(columns, 1, -1):
        parts = np.array_split([width_of(name, _SIZE) for name in names], n)
        if sum(part.max(initial=0) + 3.1 * _SIZE for part in parts) <= room:
            return n
    return 1


def width_of(text: str, size: float) -> float:
    """How wide a text of some size is at most, both in points: a screen may round letters up."""
    font = get_font(findfont(FontProperties()))
    font.set_size(100, 72)
    font.set_text(text, 0.0)
    return float(font.get_width_height()[0] / 64 * size / 100) * 1.07


def by_factors(axis: Axis) -> None:
    """Number a logarithmic axis in plain words, with as many steps as have room."""
    low, high = sorted(axis.get_view_interval())
    steps = (1, 2, 5) if high < 120 * low else (1, 3) if high < 1500 * low else (1,)
    axis.set_major_locator(LogLocator(10, subs=steps))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))


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


def thin_steps(n: int, most: int = 400) -> IntArray:
    """Positions of at most so many of n steps, the first and the last among them."""
    return np.unique(np.linspace(0, n - 1, min(n, most)).round().astype(int))
