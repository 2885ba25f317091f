"""What a simulated crowd finds: arms side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes

from askpoint.displays.base import Display, by_factors
from askpoint.displays.theme import Theme
from askpoint.measures.intervals import Interval

__all__ = ["ArmsDisplay"]

_Point = tuple[float | None, Interval | None]


@dataclass
class ArmsDisplay(Display):
    """One number for each arm, with its interval; arms without one are left empty.

    Parameters
    ----------
    arms : mapping of str to (number, interval)
        From top to bottom; either may be None.
    label : str
        What the number is.
    log : bool, default=False
        Draw on a logarithmic axis, where numbers differ by factors; an interval that reaches
        further down than it does ends in an arrow.
    quiet : collection of str, default=()
        Arms in a muted colour: what the others are compared with.

    Examples
    --------
    >>> from askpoint.arena.displays.crowd import ArmsDisplay
    >>> display = ArmsDisplay({"design 4": (27.0, None), "random": (None, None)}, "errors").plot()
    >>> [text.get_text() for text in display.ax_.get_yticklabels()]
    ['design 4', 'random']
    """

    arms: Mapping[str, _Point]
    label: str
    log: bool = False
    quiet: Sequence[str] = ()

    def _draw(self, ax: Axes, theme: Theme) -> None:
        values = [value for value, _ in self.arms.values() if value is not None and value > 0]
        least = min(values, default=1.0) / 2 if self.log else -np.inf
        for place, (name, (value, interval)) in enumerate(self.arms.items()):
            if value is None:
                continue
            colour = theme.muted if name in self.quiet else theme.accent
            if interval is not None:  # an axis of logarithms has no room for 0
                ends = [max(interval.lower, least), max(interval.upper, least)]
                ax.plot(ends, [place, place], color=colour, lw=2, solid_capstyle="butt")
                if interval.lower < least:  # it goes on
                    ax.plot(least, place, "<", color=colour, ms=6, clip_on=False)
            ax.plot([max(value, least)], [place], "o", color=colour, ms=6)
        ax.set_ylim(len(self.arms) - 0.5, -0.5)
        ax.set_xlabel(self.label, loc="right")  # long names leave it little room
        ax.set_yticks(range(len(self.arms)), list(self.arms))
        ax.grid(visible=False, axis="y")
        if self.log:
            ax.set_xscale("log")
            ax.set_xlim(left=least)
            by_factors(ax.xaxis)
        else:
            ax.set_xlim(left=min(0.0, ax.get_xlim()[0]))
