"""What a mistake costs to several people: each one's estimate and how sure it is, beside the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes

from askpoint.displays.base import Display, by_factors
from askpoint.displays.theme import Theme
from askpoint.errors import InputError
from askpoint.measures.intervals import Interval

__all__ = ["StakeholdersDisplay"]

_LONGEST = 24


@dataclass
class StakeholdersDisplay(Display):
    """The checks per mistake, by person: a dot and its interval, on a logarithmic axis.

    Parameters
    ----------
    people : sequence of (str, float, Interval)
        Name, estimate, interval.

    Raises
    ------
    InputError
        If there is nobody.

    Examples
    --------
    >>> from askpoint.displays.stakeholders import StakeholdersDisplay
    >>> from askpoint.measures.intervals import Interval
    >>> people = [("Ana", 20.0, Interval(15, 26)), ("Bo", 5.0, Interval(3, 8))]
    >>> [text.get_text() for text in StakeholdersDisplay(people).plot().ax_.get_yticklabels()]
    ['Ana', 'Bo']
    """

    people: Sequence[tuple[str, float, Interval]]

    def __post_init__(self) -> None:
        if not self.people:
            raise InputError("nobody has answered yet: there is nothing to draw")

    def _draw(self, ax: Axes, theme: Theme) -> None:
        for row, (_, middle, (low, high)) in enumerate(self.people):
            ax.plot([low, high], [row, row], color=theme.accent, linewidth=3, alpha=0.45)
            ax.plot([middle], [row], "o", color=theme.accent, markersize=7)
        names = [
            name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…" for name, _, _ in self.people
        ]
        ax.set_yticks(range(len(names)), names, color=theme.ink)
        ax.set_ylim(len(names) - 0.5, -0.5)
        ax.set_xscale("log")
        by_factors(ax.xaxis)
        ax.set_xlabel("checks per mistake, with 90% intervals", loc="right")
        ax.grid(visible=False, axis="y")
