"""A policy in use: what it costs, what it answers, what speaks for an alarm, what audits cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullLocator

from askpoint.displays.base import Display
from askpoint.displays.direct_labels import name_beside
from askpoint.displays.theme import Theme
from askpoint.live.events import event_kind
from askpoint.live.history import History, HistoryPoint
from askpoint.live.worth import LiveCost, LivePrices

__all__ = ["AuditMoneyDisplay", "CoverageDisplay", "EvidenceDisplay", "LiveCostDisplay"]

_LEAST = 1e-4  # evidence below is drawn here
_FEWEST = 200  # decisions before which a cost for 1,000 says nothing


class _LifeDisplay(Display):
    """Something over the decisions of a life, its events marked."""

    history: History

    def _over_life(self, ax: Axes, theme: Theme) -> None:
        seen: set[str] = set()
        for timed in self.history.events:
            mark = event_kind(timed.event.kind).mark
            if mark is None:
                continue
            ax.axvline(
                timed.event.seq,
                color=theme.wrong if mark.is_bad else theme.muted,
                linestyle=mark.line,
                linewidth=1,
                label=None if mark.label in seen else mark.label,
            )
            seen.add(mark.label)
        ax.set_xlabel("decisions")
        ax.xaxis.set_major_locator(MaxNLocator(5, integer=True))
        ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))
        ax.set_xlim(0, max(1, self.history.state.decided))


@dataclass
class LiveCostDisplay(_LifeDisplay):
    """Cost of 1,000 cases so far, with an interval valid at all times, next to reviewing every case.

    Parameters
    ----------
    history : History
        The life so far.
    prices : LivePrices
        As for the history.
    unit : str, default="mistakes"
        Unit of the costs.

    Examples
    --------
    >>> from askpoint.displays.live import LiveCostDisplay
    >>> from askpoint.live.documents import PolicyDocument
    >>> from askpoint.live.events import event_kind
    >>> from askpoint.live.history import history_of
    >>> from askpoint.live.state import fresh_state
    >>> from askpoint.live.terms import Terms
    >>> from askpoint.live.worth import LivePrices
    >>> terms, prices = Terms("money", 0.05), LivePrices(1, 0.05)
    >>> document = PolicyDocument("posts", terms, fresh_state(terms), {}, "")
    >>> LiveCostDisplay(history_of(document, [], prices), prices).plot().ax_.get_ylabel()
    'cost of 1,000 cases, mistakes'
    """

    history: History
    prices: LivePrices
    unit: str = "mistakes"

    def _draw(self, ax: Axes, theme: Theme) -> None:
        worths = _worths(self.history.moments)
        asking = 1000 * self.prices.check
        if worths:
            x = [moment.decided for moment, _ in worths]
            low = np.array([worth.cost.lower for _, worth in worths])
            high = np.array([worth.cost.upper for _, worth in worths])
            middle = [worth.cost_estimate for _, worth in worths]
            ax.fill_between(
                x, low, high, color=theme.accent, alpha=0.18, linewidth=0, label="at all times 95%"
            )
            ax.plot(x, middle, color=theme.accent, label="estimate so far")
            ax.set_ylim(0, 1.15 * max(asking, high[len(high) // 3 :].max()))
        ax.axhline(asking, color=theme.ink, linewidth=1, label="every case to review")
        self._over_life(ax, theme)
        ax.set_ylabel(f"cost of 1,000 cases, {self.unit}")
        name_beside(ax)


@dataclass
class CoverageDisplay(_LifeDisplay):
    """Share of the cases that were answered, and the threshold, over the decisions.

    Parameters
    ----------
    history : History
        The life so far.

    Examples
    --------
    >>> from askpoint.displays.live import CoverageDisplay
    >>> from askpoint.live.documents import PolicyDocument
    >>> from askpoint.live.events import event_kind
    >>> from askpoint.live.history import history_of
    >>> from askpoint.live.state import fresh_state
    >>> from askpoint.live.terms import Terms
    >>> from askpoint.live.worth import LivePrices
    >>> terms = Terms("money", 0.05)
    >>> document = PolicyDocument("posts", terms, fresh_state(terms), {}, "")
    >>> CoverageDisplay(history_of(document, [], LivePrices())).plot().ax_.get_ylabel()
    'share of the cases, or confidence'
    """

    history: History

    def _draw(self, ax: Axes, theme: Theme) -> None:
        moments = self.history.moments
        x = np.array([0, *(moment.decided for moment in moments)])
        answered = np.array([0, *(moment.answered for moment in moments)])
        moved = np.append(True, np.diff(x) > 0)
        x, answered = x[moved], answered[moved]
        ax.stairs(
            np.diff(answered) / np.diff(x),
            x,
            baseline=None,
            color=theme.accent,
            linewidth=1.6,
            label="decided alone",
        )
        steps = _thresholds(self.history)
        ax.plot(
            [x for x, _ in steps],
            [y for _, y in steps],
            color=theme.ink,
            linewidth=1.2,
            drawstyle="steps-post",
            label="confidence threshold",
        )
        self._over_life(ax, theme)
        ax.set_ylim(0, 1.03)
        ax.set_ylabel("share of the cases, or confidence")
        name_beside(ax, 2)


@dataclass
class EvidenceDisplay(_LifeDisplay):
    """Evidence towards an alarm, over what raises one, on a logarithmic scale.

    Parameters
    ----------
    history : History
        The life so far.

    Examples
    --------
    >>> from askpoint.displays.live import EvidenceDisplay
    >>> from askpoint.live.documents import PolicyDocument
    >>> from askpoint.live.events import event_kind
    >>> from askpoint.live.history import history_of
    >>> from askpoint.live.state import fresh_state
    >>> from askpoint.live.terms import Terms
    >>> from askpoint.live.worth import LivePrices
    >>> terms = Terms("money", 0.05)
    >>> document = PolicyDocument("posts", terms, fresh_state(terms), {}, "")
    >>> EvidenceDisplay(history_of(document, [], LivePrices())).plot().ax_.get_yscale()
    'log'
    """

    history: History

    def _draw(self, ax: Axes, theme: Theme) -> None:
        points = [(one.decided, 1, one.evidence) for one in self.history.moments]
        points += [  # what raised an alarm comes before what is left of the evidence afterwards
            (timed.event.seq, 0, timed.event.numbers["evidence"] / timed.event.numbers["bound"])
            for timed in self.history.events
            if event_kind(timed.event.kind).closes
            and {"evidence", "bound"} <= {*timed.event.numbers}
        ]
        points.sort()
        ax.plot(
            [x for x, _, _ in points],
            [max(_LEAST, y) for _, _, y in points],
            color=theme.accent,
            label="evidence so far",
        )
        ax.axhline(1, color=theme.wrong, linewidth=1, label="raises the alarm")
        self._over_life(ax, theme)
        ax.set_yscale("log")
        ax.set_ylim(bottom=_LEAST)
        ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
        ax.yaxis.set_minor_locator(NullLocator())
        ax.set_ylabel("evidence of more mistakes than agreed")
        name_beside(ax, 2)


@dataclass
class AuditMoneyDisplay(_LifeDisplay):
    """Cost of the audits so far, against the mistakes among the decisions that they check.

    Parameters
    ----------
    history : History
        The life so far.
    prices : LivePrices
        As for the history.
    unit : str, default="mistakes"
        Unit of the costs.

    Examples
    --------
    >>> from askpoint.displays.live import AuditMoneyDisplay
    >>> from askpoint.live.documents import PolicyDocument
    >>> from askpoint.live.events import event_kind
    >>> from askpoint.live.history import history_of
    >>> from askpoint.live.state import fresh_state
    >>> from askpoint.live.terms import Terms
    >>> from askpoint.live.worth import LivePrices
    >>> terms, prices = Terms("money", 0.05), LivePrices(1, 0.05)
    >>> document = PolicyDocument("posts", terms, fresh_state(terms), {}, "")
    >>> AuditMoneyDisplay(history_of(document, [], prices), prices).plot().ax_.get_ylabel()
    'in all so far, mistakes'
    """

    history: History
    prices: LivePrices
    unit: str = "mistakes"

    def _draw(self, ax: Axes, theme: Theme) -> None:
        worths = [(one, one.worth) for one in self.history.moments if one.worth is not None]
        if worths:
            x = [moment.decided for moment, _ in worths]
            price = self.prices.mistake
            ax.fill_between(
                x,
                [price * worth.mistakes.lower for _, worth in worths],
                [price * worth.mistakes.upper for _, worth in worths],
                color=theme.wrong,
                alpha=0.16,
                linewidth=0,
                label="mistakes passed, 95%",
            )
            saved = [self.prices.check * worth.answered for _, worth in worths]
            ax.plot(x, saved, color=theme.ink, linewidth=1.2, label="checks saved")
            audits = [self.prices.of_audit * worth.audited for _, worth in worths]
            ax.plot(x, audits, color=theme.accent, label="spent on audits")
        self._over_life(ax, theme)
        ax.set_ylim(bottom=0)
        ax.set_ylabel(f"in all so far, {self.unit}")
        name_beside(ax, 2)


def _thresholds(history: History) -> list[tuple[int, float]]:
    """The threshold from each decision on at which it moved; NaN draws no line where it asks."""
    first = history.document.state
    steps = [(first.decided, first.threshold), *(
        (timed.event.seq, timed.event.numbers.get("threshold"))
        for timed in history.events
        if event_kind(timed.event.kind).answers is not None
    )]  # fmt: skip
    now = None if history.state.waiting else history.state.threshold
    last = (history.state.decided, now)
    return [(seq, np.nan if value is None else value) for seq, value in (*steps, last)]


def _worths(moments: Sequence[HistoryPoint]) -> list[tuple[HistoryPoint, LiveCost]]:
    worths = [(one, one.worth) for one in moments if one.worth is not None]
    return [pair for pair in worths if pair[0].decided >= _FEWEST]
