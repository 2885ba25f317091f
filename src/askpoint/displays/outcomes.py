"""What becomes of 1,000 cases, as an array of icons: people read it better than a matrix."""

from __future__ import annotations

from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from askpoint.displays.base import Display
from askpoint.displays.theme import Theme
from askpoint.measures.outcomes import Outcomes

__all__ = ["OutcomesDisplay"]


@dataclass
class OutcomesDisplay(Display):
    """What becomes of 1,000 cases, one small square each: right, wrong, asked.

    Parameters
    ----------
    outcomes : Outcomes
        Counts or weights.

    Examples
    --------
    >>> from askpoint.displays.outcomes import OutcomesDisplay
    >>> from askpoint.measures.outcomes import Outcomes
    >>> display = OutcomesDisplay(Outcomes(80, 5, 15)).plot()
    >>> len(display.ax_.patches)  # one for each kind of case
    3
    """

    outcomes: Outcomes

    def _draw(self, ax: Axes, theme: Theme) -> None:
        right, wrong, asked = self.outcomes.per_thousand()
        styles = ((right, theme.accent, theme.accent), (wrong, theme.wrong, theme.wrong))
        start = 0
        for size, face, edge in (*styles, (asked, theme.paper, theme.muted)):
            squares = [_square(i) for i in range(start, start + size)]
            if squares:  # one path a kind: a thousand patches would make a heavy picture
                path = Path.make_compound_path(*squares)
                # the limits are set below: no need to learn them from a thousand corners
                ax.add_artist(PathPatch(path, facecolor=face, edgecolor=edge, linewidth=0.5))
            start += size
        ax.set(xlim=(-0.4, 50.2), ylim=(-0.4, 20.2), aspect="equal")
        ax.set_axis_off()


def _square(i: int) -> Path:
    column, row = divmod(i, 20)
    x, y, side = column, 19 - row, 0.72
    corners = [(x, y), (x + side, y), (x + side, y + side), (x, y + side), (x, y)]
    return Path(corners, closed=True)
