"""The geometry of elicitation: outcomes of two classes, and what answers leave of three weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon
from matplotlib.ticker import PercentFormatter

from askpoint.displays.base import Display, thin_steps
from askpoint.displays.direct_labels import name_beside
from askpoint.displays.theme import Theme
from askpoint.elicitation.algorithms.trade_offs import Staircase, TradeOff
from askpoint.elicitation.questionnaire import Question
from askpoint.elicitation.respondents import Answer
from askpoint.errors import InputError
from askpoint.measures.inputs import FloatArray

__all__ = ["CutsDisplay", "TradeOffDisplay"]

_CORNERS = np.array([[0, 0], [1, 0], [0.5, np.sqrt(0.75)]])


@dataclass
class TradeOffDisplay(Display):
    """The trade-off between two classes: all thresholds, their hull, and pairs to choose from.

    Parameters
    ----------
    stairs : Staircase
        All thresholds between two classes.
    classes : tuple
        Class names.
    chords : sequence of float, default=(0.5, 0.7, 0.9)
        Trades to draw, symbol m: both ends of a chord are the outcomes of one question.

    Examples
    --------
    >>> from askpoint.displays.elicitation_geometry import TradeOffDisplay
    >>> from askpoint.elicitation.samples import Sample
    >>> from askpoint.elicitation.algorithms.trade_offs import Staircase
    >>> sample = Sample.of(["a", "b", "b", "a"], [0.2, 0.9, 0.4, 0.5])
    >>> display = TradeOffDisplay(Staircase.of(sample, 0, 1), sample.classes).plot()
    >>> display.ax_.get_xlabel()
    'right on a, share of all cases'
    """

    stairs: Staircase
    classes: tuple[object, ...]
    chords: Sequence[float] = (0.5, 0.7, 0.9)

    def _draw(self, ax: Axes, theme: Theme) -> None:
        stairs = self.stairs
        i, j = stairs.first, stairs.second
        trade_off = TradeOff.of(stairs, self.classes)
        whole = stairs.below[-1, [i, j]] / stairs.total
        upper = trade_off.vertices * [-1, 1] + [whole[0], 0]
        hull = np.concatenate([upper, whole - upper])
        ax.add_patch(Polygon(hull, facecolor=theme.faint, edgecolor="none", alpha=0.5))
        steps = thin_steps(len(stairs.below), 2000)
        points = np.column_stack(
            [
                whole[0] - stairs.below[steps, i] / stairs.total,
                stairs.below[steps, j] / stairs.total,
            ]
        )
        ax.plot(*points.T, color=theme.muted, linewidth=1, label="every threshold")
        ax.plot(*upper.T, color=theme.accent, linewidth=1.4, label="their hull")
        ax.plot(*(whole - upper).T, color=theme.accent, linewidth=1.4, linestyle=":")
        for m in self.chords:
            ends = np.array([o.confusion[[i, j], [i, j]] for o in trade_off.pair(m)])
            ax.plot(*ends.T, color=theme.wrong, linewidth=1, marker="o", markersize=4)
            share = f"{m:.2f}".rstrip("0")
            ax.annotate(share, ends[0], (2, -12), textcoords="offset points", fontsize=9)
        ax.plot([], [], color=theme.wrong, marker="o", markersize=4, label="a question, by its m")
        ax.plot(*(whole / 2), "+", color=theme.ink, markersize=8)
        ax.set(
            aspect="equal",
            xlabel=f"right on {self.classes[i]}, share of all cases",
            ylabel=f"right on {self.classes[j]}",
        )
        ax.margins(0.06)
        ax.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        name_beside(ax)


@dataclass
class CutsDisplay(Display):
    """Three class weights as a triangle; each answer cuts a piece off by a straight line.

    Parameters
    ----------
    answered : sequence of (Question, bool or None)
        Questions of a diagonal questionnaire on three classes, with their answers.
    classes : tuple of length 3
        Class names.
    truth : array-like of shape (3,), optional
        The true weights, where they are known.

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
        What was drawn on.
    left_ : ndarray of shape (n, 3)
        Corners of what is left, as weights with sum 1.

    Raises
    ------
    InputError
        If there are not three classes.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.displays.elicitation_geometry import CutsDisplay
    >>> from askpoint.elicitation.questionnaire import Question
    >>> question = Question(np.diag([0.3, 0.1, 0]), np.diag([0.1, 0.3, 0]), "classes a and b")
    >>> CutsDisplay([(question, True)], ("a", "b", "c")).plot().left_.round(2).tolist()
    [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.0, 0.0, 1.0]]
    """

    answered: Sequence[tuple[Question, Answer]]
    classes: tuple[object, ...]
    truth: Sequence[float] | None = None
    left_: FloatArray = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if len(self.classes) != 3:
            raise InputError(f"a triangle shows three weights; got {len(self.classes)} classes")

    def _draw(self, ax: Axes, theme: Theme) -> None:
        ax.set_axis_off()
        left: FloatArray = np.eye(3)
        n_cuts = 0
        for question, answer in self.answered:
            if answer is None:
                continue
            normal = np.diag(question.first - question.second) * (1 if answer else -1)
            line = _crossings(np.eye(3), normal)
            ax.plot(*(line @ _CORNERS).T, color=theme.wrong, linewidth=0.7, alpha=0.6)
            left = _cut(left, normal)
            shade = Polygon(left @ _CORNERS, facecolor=theme.accent, alpha=0.12, edgecolor="none")
            ax.add_patch(shade)
            n_cuts += 1
        self.left_ = left
        ax.add_patch(Polygon(_CORNERS, fill=False, edgecolor=theme.ink, linewidth=1.2))
        for corner, name, side in zip(
            _CORNERS, self.classes, ((0, -14), (0, -14), (0, 6)), strict=True
        ):
            ax.annotate(
                f"only {name} counts",
                corner,
                side,
                textcoords="offset points",
                ha="center",
                fontsize=9,
            )
        if self.truth is not None:
            ax.plot(
                *(np.asarray(self.truth) @ _CORNERS), "x", color=theme.ink, label="true weights"
            )
            ax.legend(fontsize=9, loc="upper right")
        ax.set(
            aspect="equal",
            title=f"{n_cuts} {'answer, a cut' if n_cuts == 1 else 'answers, each a cut'}",
        )


def _cut(corners: FloatArray, normal: FloatArray) -> FloatArray:
    """Keep the part of a polygon where <normal, a> is not negative."""
    kept = []
    for here, there in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        x, y = float(normal @ here), float(normal @ there)
        if x >= 0:
            kept.append(here)
        if x * y < 0:
            kept.append((x * there - y * here) / (x - y))
    return np.array(kept)


def _crossings(corners: FloatArray, normal: FloatArray) -> FloatArray:
    """Where the line <normal, a> = 0 crosses a polygon's edges."""
    values = corners @ normal
    nexts, after = np.roll(values, -1), np.roll(corners, -1, axis=0)
    crossings = [
        (x * b - y * a) / (x - y)
        for a, b, x, y in zip(corners, after, values, nexts, strict=True)
        if x * y < 0 or x == 0 != y
    ]
    return np.array(crossings)
