"""What a simulated crowd finds: arms side by side, severities, and learning curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes

from askpoint.displays.base import Display, by_factors
from askpoint.displays.direct_labels import name_beside
from askpoint.displays.theme import Theme
from askpoint.measures.intervals import Interval

__all__ = ["ArmsDisplay", "BandsDisplay"]

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

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
        What was drawn on.

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


@dataclass
class BandsDisplay(Display):
    """Lines with intervals: learning curves over seeds.

    Parameters
    ----------
    lines : mapping of str to sequence of (x, number, interval)
        Points without a number are left out; lines after the first two are dotted.
    xlabel, ylabel : str
        The axes' labels.
    chance : float, optional
        A level to mark, such as .5 for an area under the ROC curve.

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
        What was drawn on.

    Examples
    --------
    >>> from askpoint.arena.displays.crowd import BandsDisplay
    >>> lines = {"a": [(1, 0.5, None), (2, 0.7, None)], "b": [(1, None, None)]}
    >>> len(BandsDisplay(lines, "cases", "area").plot().ax_.lines)
    2
    """

    lines: Mapping[str, Sequence[tuple[float, float | None, Interval | None]]]
    xlabel: str
    ylabel: str
    chance: float | None = None

    def _draw(self, ax: Axes, theme: Theme) -> None:
        if self.chance is not None:
            ax.axhline(self.chance, color=theme.faint, lw=1.2)
        for place, (name, points) in enumerate(self.lines.items()):
            colour = (theme.accent, theme.ink)[place % 2]
            known = [(x, y, ends) for x, y, ends in points if y is not None]
            stroke = "-" if place < 2 else ":"
            x = [point[0] for point in known]
            ax.plot(x, [y for _, y, _ in known], stroke, marker="o", ms=4, color=colour, label=name)
            for at, _, ends in known:
                if ends is not None:
                    ax.plot([at, at], list(ends), color=colour, lw=1)
        ax.set(xlabel=self.xlabel, ylabel=self.ylabel)
        name_beside(ax, 2)  # two columns: the names are long
