"""What new cases are expected to cost, at every price of a mistake."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from askpoint.displays.base import Display, by_factors, mark
from askpoint.displays.direct_labels import name_beside
from askpoint.displays.theme import Theme

__all__ = ["ExpectedCostDisplay"]

_ASKED = 1000.0  # checks for as many cases, where people never err
_USUAL = 20.0  # checks per mistake, where no price was stated


@dataclass
class ExpectedCostDisplay(Display):
    """Checks that 1,000 new cases cost, against how many checks one mistake is worth.

    Parameters
    ----------
    checks : sequence of float
        Prices of a mistake, rising.
    cost, low, high : sequence of float
        Cost of the best policy at each price, and its interval, in checks.
    never : sequence of float
        Cost of asking nobody at each price.
    own : float, optional
        The price that was stated.
    always : sequence of float, optional
        Cost of asking about every case at each price, where people err; else 1,000.

    Examples
    --------
    >>> from askpoint.displays.expected import ExpectedCostDisplay
    >>> display = ExpectedCostDisplay(
    ...     [2, 20], [60, 400], [30, 200], [90, 700], [60, 600], 20
    ... ).plot()
    >>> display.ax_.get_xlabel()
    'checks per mistake'
    """

    checks: Sequence[float]
    cost: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]
    never: Sequence[float]
    own: float | None = None
    always: Sequence[float] | None = None

    def _draw(self, ax: Axes, theme: Theme) -> None:
        ax.fill_between(
            self.checks, self.low, self.high, color=theme.accent, alpha=0.18, linewidth=0
        )
        always = [_ASKED] * len(self.checks) if self.always is None else self.always
        near = float(np.interp(self.own or _USUAL, self.checks, always))
        top = 1.25 * max(_ASKED, near)  # what costs more leaves the picture
        shown = [price for price, low in zip(self.checks, self.low, strict=True) if low <= top]
        last = shown[-1] if self.always is not None and len(shown) > 1 else self.checks[-1]
        never = "decide all alone" if min(self.never) < top else None
        ax.plot(self.checks, self.cost, color=theme.accent, label="this model, 95%")
        ax.plot(self.checks, always, color=theme.ink, linewidth=1, label="every case to review")
        ax.plot(self.checks, self.never, color=theme.ink, linewidth=1, label=never)
        if self.own is not None:
            mark(ax, self.own, float(np.interp(self.own, self.checks, self.cost)))
        ax.set(
            xscale="log",
            xlim=(self.checks[0], last),
            ylim=(0, top),
            xlabel="checks per mistake",
            ylabel="checks for 1,000 cases",
        )
        by_factors(ax.xaxis)
        ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
        name_beside(ax)
