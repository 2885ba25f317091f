"""Pictures of elicitation: a belief as it narrows, answer by answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from askpoint.displays.base import Display, by_factors
from askpoint.displays.direct_labels import name_beside
from askpoint.displays.theme import Theme
from askpoint.elicitation.particles import LEVEL, Particles
from askpoint.errors import InputError

__all__ = ["BeliefDisplay"]

_DASHES = ("-", "--", ":", "-.")


@dataclass
class BeliefDisplay(Display):
    """Cost of each mistake relative to one of them, after each answer, with 90% bands.

    Parameters
    ----------
    history : sequence of (int, Particles)
        Number of answers, and what was believed then.
    names : sequence of str
        One for each weight.
    reference : int, default=0
        The weight that the others are measured by.

    Raises
    ------
    InputError
        If nothing was answered yet, or names and weights do not fit together.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.displays.elicitation import BeliefDisplay
    >>> from askpoint.elicitation.particles import Particles
    >>> cloud = Particles(np.log([[3.0, 1.0], [4.0, 1.0]]), np.array([0.5, 0.5]))
    >>> display = BeliefDisplay([(1, cloud), (2, cloud)], ["ill", "well"], reference=1).plot()
    >>> display.ax_.get_xlabel()
    'questions answered'
    """

    history: Sequence[tuple[int, Particles]]
    names: Sequence[str]
    reference: int = 0

    def __post_init__(self) -> None:
        if not self.history:
            raise InputError("nothing was answered yet: there is no belief to draw")
        n = self.history[-1][1].log_weights.shape[1]
        if len(self.names) != n or not 0 <= self.reference < n:
            raise InputError(
                f"there are {n} weights, but {len(self.names)} names, and weight "
                f"{self.reference} is the reference"
            )

    def _draw(self, ax: Axes, theme: Theme) -> None:
        colours = (theme.accent, theme.wrong, theme.ink, theme.muted)
        answers = [n for n, _ in self.history]
        others = [i for i in range(len(self.names)) if i != self.reference]
        for place, i in enumerate(others):
            ratios = [cloud.ratio(i, self.reference, LEVEL) for _, cloud in self.history]
            middle = np.array([ratio for ratio, _ in ratios])
            low, high = np.array([interval for _, interval in ratios]).T
            colour = colours[place % len(colours)]
            dash = _DASHES[place // len(colours) % len(_DASHES)]
            ax.fill_between(answers, low, high, color=colour, alpha=0.14, linewidth=0)
            ax.plot(
                answers, middle, color=colour, linestyle=dash, label=f"a mistake on {self.names[i]}"
            )
        one = f"as much as one on {self.names[self.reference]}"
        ax.axhline(1, color=theme.muted, linewidth=1, label=one)
        ax.set_yscale("log")
        by_factors(ax.yaxis)
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        ax.set_xlabel("questions answered")
        ax.set_ylabel(f"cost of one, in mistakes on {self.names[self.reference]}")
        name_beside(ax, 1)
