"""How close elicitation comes: error against questions, and the share of metrics within a limit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, NullLocator, PercentFormatter
from numpy.typing import ArrayLike

from askpoint.displays.base import Display
from askpoint.displays.direct_labels import name_beside
from askpoint.displays.theme import Theme
from askpoint.errors import InputError

__all__ = ["QueriesDisplay", "WithinDisplay"]

_N_COLORS = 4  # of a theme


@dataclass
class QueriesDisplay(Display):
    """Error of the weights after each answer, by method: medians, and bands of nine metrics in ten.

    Parameters
    ----------
    paths : mapping of str to array-like of shape (n_metrics, n_queries + 1)
        For each method the error before the first answer and after each, for a number of metrics.

    Raises
    ------
    InputError
        If there is no method, or a path has another shape.

    Examples
    --------
    >>> from askpoint.displays.elicitation_errors import QueriesDisplay
    >>> display = QueriesDisplay({"chord": [[0.5, 0.2, 0.1]], "paper": [[0.5, 0.5, 0.5]]}).plot()
    >>> display.ax_.get_xlabel()
    'answers'
    """

    paths: Mapping[str, ArrayLike]

    def __post_init__(self) -> None:
        if not self.paths or any(np.ndim(path) != 2 for path in self.paths.values()):
            raise InputError("give each method a table of errors, one row for each metric")

    def _draw(self, ax: Axes, theme: Theme) -> None:
        del theme
        for n, (name, path) in enumerate(self.paths.items()):
            low, middle, high = np.quantile(np.asarray(path), (0.05, 0.5, 0.95), axis=0)
            answers = np.arange(len(middle))
            style = "-" if n < _N_COLORS else "--"
            (line,) = ax.plot(answers, middle, label=name, linestyle=style)
            ax.fill_between(answers, low, high, color=line.get_color(), alpha=0.1, linewidth=0)
        ax.set(yscale="log", xlabel="answers", ylabel="greatest error of a weight")
        ax.set_xlim(left=0)
        ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        ax.yaxis.set_minor_locator(NullLocator())
        name_beside(ax)


@dataclass
class WithinDisplay(Display):
    """Share of metrics whose weights were found within a limit (the paper's figure 3).

    Parameters
    ----------
    errors : mapping of str to mapping of str to array-like
        For each method, which gets a colour, the errors of its metrics in each setting, which gets
        a kind of line.
    limit : float, default=0.14
        Where the picture ends.

    Examples
    --------
    >>> from askpoint.displays.elicitation_errors import WithinDisplay
    >>> display = WithinDisplay({"chord": {"all cases": [0.01, 0.02]}}).plot()
    >>> display.ax_.lines[0].get_ydata().tolist()
    [0.0, 0.5, 1.0, 1.0]
    """

    errors: Mapping[str, Mapping[str, ArrayLike]]
    limit: float = 0.14

    def _draw(self, ax: Axes, theme: Theme) -> None:
        colors = (theme.accent, theme.wrong, theme.ink, theme.muted)
        for m, (method, settings) in enumerate(self.errors.items()):
            for s, (setting, values) in enumerate(settings.items()):
                steps = np.sort(np.asarray(values, np.float64))
                shares = np.arange(1, len(steps) + 1) / len(steps)
                ax.step(
                    [0, *steps, max(self.limit, steps[-1])],
                    [0, *shares, 1],
                    where="post",
                    color=colors[m % len(colors)],
                    linestyle=("-", "--", ":", "-.")[s % 4],
                    label=f"{method}, {setting}",
                )
        ax.set(xlim=(0, self.limit), ylim=(0, 1.02))
        ax.set(xlabel="greatest error of a weight, at most", ylabel="share of metrics")
        ax.yaxis.set_major_formatter(PercentFormatter(1))
        name_beside(ax)
