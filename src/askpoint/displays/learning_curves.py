"""Learning curves: what is learned from so many cases, with intervals where they are known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes

from askpoint.displays.base import Display
from askpoint.displays.direct_labels import name_beside
from askpoint.displays.theme import Theme
from askpoint.measures.intervals import Interval
from askpoint.unknowns.learning import LearningCurve

__all__ = ["LearningDisplay"]

_CHANCE = 0.5  # the area under the ROC curve of a guess


@dataclass
class LearningDisplay(Display):
    """Area under the ROC curve within each set and from one to the other: the paper's figure 5.

    Parameters
    ----------
    lines : mapping of str to sequence of (int, float or None, Interval or None)
        Size, area and interval of each point; points without an area are left out; lines after the
        first two are dotted.
    xlabel : str, default="cases to learn from"
        What the sizes are.

    Examples
    --------
    >>> from askpoint.displays.learning_curves import LearningDisplay
    >>> lines = {"a": [(50, 0.6, None), (100, 0.7, None)], "b": [(50, None, None)]}
    >>> LearningDisplay(lines).plot().ax_.get_ylabel()
    'area under the ROC curve'
    """

    lines: Mapping[str, Sequence[tuple[float, float | None, Interval | None]]]
    xlabel: str = "cases to learn from"

    @classmethod
    def from_curves(cls, curves: Iterable[LearningCurve]) -> LearningDisplay:
        """Make the display of curves.

        Parameters
        ----------
        curves : iterable of LearningCurve
            As `askpoint.learning_curves` returns them.

        Returns
        -------
        LearningDisplay

        Examples
        --------
        >>> from askpoint.displays.learning_curves import LearningDisplay
        >>> from askpoint.unknowns.learning import LearningCurve, LearningPoint
        >>> curve = LearningCurve("a", "b", (LearningPoint(50, 0.7, 0.02, 10),))
        >>> list(LearningDisplay.from_curves([curve]).lines)
        ['a on b']
        """
        return cls({c.name: [(point.size, point.auc, None) for point in c.points] for c in curves})

    def _draw(self, ax: Axes, theme: Theme) -> None:
        ax.axhline(_CHANCE, color=theme.faint, lw=1.2)
        for place, (name, points) in enumerate(self.lines.items()):
            colour = (theme.accent, theme.ink)[place % 2]
            drawn = [(size, area, ends) for size, area, ends in points if area is not None]
            stroke = "-" if place < 2 else ":"
            sizes, areas = [size for size, _, _ in drawn], [area for _, area, _ in drawn]
            ax.plot(sizes, areas, stroke, marker="o", ms=4, color=colour, label=name)
            for size, _, ends in drawn:
                if ends is not None:
                    ax.plot([size, size], list(ends), color=colour, lw=1)
        ax.set(xlabel=self.xlabel, ylabel="area under the ROC curve")
        name_beside(ax, 2)  # two columns: the names are long
