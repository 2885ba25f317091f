"""Pictures of judges: their accuracies, who errs with whom, prevalence over time, test size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullLocator, PercentFormatter

from askpoint.displays.base import Display
from askpoint.displays.direct_labels import name_beside
from askpoint.displays.pair_order import strongest_pairs
from askpoint.displays.theme import Theme
from askpoint.measures.inputs import FloatArray
from askpoint.measures.intervals import Interval

__all__ = [
    "FailureRateDisplay",
    "JudgeAccuracyDisplay",
    "PairCorrelationDisplay",
    "PrevalenceDisplay",
]

_Accuracies = Mapping[str, Mapping[str, float | None]]
_Intervals = Mapping[str, Mapping[str, Interval | None]]


@dataclass
class JudgeAccuracyDisplay(Display):
    """How accurate each judge is on each label, with intervals.

    Parameters
    ----------
    accuracy : mapping of str to mapping of str to float or None
        By judge and label.
    intervals : mapping of the same form, optional
        Drawn as lines.
    other : mapping of the same form, optional
        The point that was not chosen, drawn as crosses.
    truth : mapping of the same form, optional
        Drawn as upright strokes.
    most : int, default=20
        Judges drawn at most: the first.

    Examples
    --------
    >>> from askpoint.displays.judges import JudgeAccuracyDisplay
    >>> display = JudgeAccuracyDisplay({"ann": {"x": 0.9, "y": 0.8}}).plot()
    >>> display.ax_.get_xlabel()
    'right on the items of a label'
    """

    accuracy: _Accuracies
    intervals: _Intervals | None = None
    other: _Accuracies | None = None
    truth: _Accuracies | None = None
    most: int = 20

    def _draw(self, ax: Axes, theme: Theme) -> None:
        judges = list(self.accuracy)[: self.most]
        labels = list(next(iter(self.accuracy.values())))
        colours = [theme.accent, theme.ink, theme.muted, theme.wrong]
        for code, label in enumerate(labels):
            height = np.arange(len(judges)) + (code - (len(labels) - 1) / 2) * 0.6 / len(labels)
            colour = colours[code % len(colours)]
            _dots(
                ax,
                self.accuracy,
                judges,
                label,
                height,
                color=colour,
                marker="o",
                name=_drawable(label),
            )
            if self.intervals is not None:
                for y, judge in zip(height, judges, strict=True):
                    interval = self.intervals[judge][label]
                    if interval is not None:
                        ax.plot(interval, [y, y], color=colour, linewidth=1.4, alpha=0.7)
            first = code == 0
            if self.other is not None:
                word = "the other point" if first else None
                _dots(ax, self.other, judges, label, height, color=colour, marker="x", name=word)
            if self.truth is not None:
                word = "gold labels" if first else None
                _dots(
                    ax, self.truth, judges, label, height, color=theme.wrong, marker="|", name=word
                )
        ax.axvline(0.5, color=theme.muted, linewidth=1, linestyle=":", label="as a coin")
        low, high = ax.get_xlim()
        ax.set_xlim(max(low, -0.5), min(max(high, 1.02), 1.5))
        ax.set(yticks=range(len(judges)), yticklabels=[_short(judge) for judge in judges])
        ax.set_ylim(len(judges) - 0.5, -0.6)
        ax.grid(visible=False, axis="y")
        ax.set_xlabel("right on the items of a label")
        ax.xaxis.set_major_formatter(PercentFormatter(1))
        name_beside(ax, 2, above=True)


@dataclass
class PairCorrelationDisplay(Display):
    r"""Which pairs of judges agree beyond what their accuracies explain: the strongest, in order.

    Parameters
    ----------
    judges : sequence of str
        In the order of the matrix.
    residuals : ndarray of shape (n_judges, n_judges)
        Unexplained correlation of votes; 0 on the diagonal.
    flagged : sequence of pairs of str, default=()
        Pairs beyond chance: drawn first, and filled.
    most : int, default=12
        Pairs drawn at most.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.displays.judges import PairCorrelationDisplay
    >>> display = PairCorrelationDisplay(["ann", "bob"], np.zeros((2, 2)), [("ann", "bob")]).plot()
    >>> [text.get_text() for text in display.ax_.get_yticklabels()]
    ['ann,\nbob']
    """

    judges: Sequence[str]
    residuals: FloatArray
    flagged: Sequence[tuple[str, str]] = ()
    most: int = 12

    def _draw(self, ax: Axes, theme: Theme) -> None:
        pairs = strongest_pairs(self.judges, self.residuals, self.flagged, self.most)
        place = {judge: i for i, judge in enumerate(self.judges)}
        beyond = {frozenset(pair) for pair in self.flagged}
        for y, pair in enumerate(pairs):
            value = float(self.residuals[place[pair[0]], place[pair[1]]])
            colour = theme.wrong if value > 0 else theme.accent
            is_beyond = frozenset(pair) in beyond
            ax.plot([0, value], [y, y], color=colour if is_beyond else theme.muted, linewidth=1.4)
            ax.plot(
                [value],
                [y],
                "o",
                color=colour if is_beyond else theme.muted,
                markerfacecolor=colour if is_beyond else theme.paper,
            )
        ax.axvline(0, color=theme.ink, linewidth=1)
        names = [",\n".join(map(_short, pair)) for pair in pairs]
        ax.set_yticks(range(len(pairs)), names, fontsize=9)
        reach = 1.15 * max(map(abs, (*ax.get_xlim(), 0.05)))
        ax.set(xlim=(-reach, reach), ylim=(len(pairs) - 0.4, -0.6))
        ax.set_xlabel("\N{LEFTWARDS ARROW} less  agreement  more \N{RIGHTWARDS ARROW}")
        ax.grid(visible=False, axis="y")


@dataclass
class PrevalenceDisplay(Display):
    """Prevalence of a label over time.

    Parameters
    ----------
    starts : sequence of int
        First item of each window.
    prevalence : sequence of float or None
        None leaves a gap.
    intervals : sequence of Interval or None
        Drawn as a band.
    label : str
        The label.

    Examples
    --------
    >>> from askpoint.displays.judges import PrevalenceDisplay
    >>> PrevalenceDisplay([0, 100], [0.3, 0.35], [None, None], "spam").plot().ax_.get_ylabel()
    'prevalence of spam'
    """

    starts: Sequence[int]
    prevalence: Sequence[float | None]
    intervals: Sequence[Interval | None]
    label: str

    def _draw(self, ax: Axes, theme: Theme) -> None:
        # matplotlib leaves a gap where a number is none
        values = np.array([np.nan if p is None else p for p in self.prevalence])
        around = [(np.nan, np.nan) if interval is None else interval for interval in self.intervals]
        low, high = np.array(around).reshape(-1, 2).T
        ax.fill_between(self.starts, low, high, color=theme.accent, alpha=0.2, linewidth=0)
        ax.errorbar(
            self.starts,
            values,
            yerr=[values - low, high - values],
            color=theme.accent,
            marker="o",
            markersize=4,
            elinewidth=1,
        )
        ax.set(xlabel="first item of the window", ylabel=f"prevalence of {_drawable(self.label)}")
        ax.xaxis.set_major_locator(MaxNLocator(6, integer=True))
        ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))
        ax.yaxis.set_major_formatter(PercentFormatter(1))


@dataclass
class FailureRateDisplay(Display):
    """How often a test fails to give a seemingly correct answer, by its size.

    Parameters
    ----------
    rates : mapping of str to sequence of pairs
        By name: test size and share of failures.

    Examples
    --------
    >>> from askpoint.displays.judges import FailureRateDisplay
    >>> FailureRateDisplay({"adult": [(25, 0.8), (100, 0.5)]}).plot().ax_.get_xscale()
    'log'
    """

    rates: Mapping[str, Sequence[tuple[int, float]]]

    def _draw(self, ax: Axes, theme: Theme) -> None:
        del theme
        for name, points in self.rates.items():
            sizes, shares = zip(*points, strict=True)
            ax.plot(sizes, shares, marker="o", markersize=4, label=name)
        ax.set(
            xscale="log", ylim=(-0.02, 1.02), xlabel="items in the test", ylabel="tests that fail"
        )
        ax.set_xticks(sorted({size for points in self.rates.values() for size, _ in points}))
        ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: _brief(value)))
        ax.xaxis.set_minor_locator(NullLocator())
        ax.yaxis.set_major_formatter(PercentFormatter(1))
        if len(self.rates) > 1:
            name_beside(ax)


def _brief(size: float) -> str:
    """A number of items in few signs, so that ten of them fit under an axis."""
    return f"{size:g}" if size < 1000 else f"{size / 1000:g}k"


def _dots(
    ax: Axes,
    accuracy: _Accuracies,
    judges: Sequence[str],
    label: str,
    height: FloatArray,
    *,
    color: str,
    marker: str,
    name: str | None,
) -> None:
    dots = [(accuracy[j][label], y) for j, y in zip(judges, height, strict=True)]
    shown = [(x, y) for x, y in dots if x is not None]
    if shown:
        x, y = zip(*shown, strict=True)
        size = 90 if marker == "|" else 30
        ax.scatter(x, y, s=size, color=color, marker=marker, label=name, zorder=3)


def _short(name: str) -> str:
    name = _drawable(name)
    # names of one family begin alike, so the end stays, too
    return name if len(name) <= 18 else f"{name[:6]}\N{HORIZONTAL ELLIPSIS}{name[-11:]}"


def _drawable(text: str) -> str:
    """A text whose every character the font has, a square for each that it lacks."""
    glyphs = get_font(findfont(FontProperties())).get_charmap()
    return "".join(c if ord(c) in glyphs else "\N{WHITE SQUARE}" for c in text)
