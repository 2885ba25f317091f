"""What pictures of a value curve share: where the curve comes from, and where to draw."""

from __future__ import annotations

import abc
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from askpoint.displays.look import axes_or_new, figure_of, theme_of
from askpoint.measures.confidence import ConfidenceMeasure
from askpoint.measures.inputs import IntArray
from askpoint.value.curve import ValueCurve
from askpoint.value.objectives import Objective, OperatingPoint
from askpoint.value.probabilities import value_curve

__all__ = ["CurveDisplay", "legend_below", "mark", "thinned"]


@dataclass
class CurveDisplay(abc.ABC):
    """A picture of one value curve.

    Parameters
    ----------
    curve : ValueCurve
        The curve.
    point : OperatingPoint, optional
        A chosen point to mark.

    Attributes
    ----------
    ax_, figure_ : matplotlib axes and figure
        What was drawn on.
    """

    curve: ValueCurve
    point: OperatingPoint | None = None
    ax_: Axes = field(init=False, repr=False)
    figure_: Figure = field(init=False, repr=False)

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_proba: Any,
        *,
        classes: Any = None,
        confidence: ConfidenceMeasure = "max_probability",
        sample_weight: Any = None,
        objective: Objective | None = None,
        ax: Axes | None = None,
    ) -> Any:
        """Draw from labels and probabilities.

        Parameters
        ----------
        y_true, y_proba, classes, confidence, sample_weight
            As in `askpoint.value_curve`.
        objective : Objective, optional
            Chooses the point to mark.
        ax : matplotlib axes, optional
            Where to draw; by default a new figure.

        Returns
        -------
        display
        """
        curve = value_curve(
            y_true, y_proba, classes=classes, confidence=confidence, sample_weight=sample_weight
        )
        point = None if objective is None else objective.choose(curve)
        display = cls.of(curve, confidence)
        display.point = point
        return display.plot(ax)

    @classmethod
    def of(cls, curve: ValueCurve, confidence: ConfidenceMeasure) -> Any:
        """Make the display of a curve.

        Parameters
        ----------
        curve : ValueCurve
            The curve.
        confidence : str or callable
            What its thresholds are thresholds on.

        Returns
        -------
        display
        """
        del confidence
        return cls(curve)

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any, **settings: Any) -> Any:
        """Draw from a fitted classifier and labelled data.

        Parameters
        ----------
        estimator : classifier with ``predict_proba`` and ``classes_``
            Fitted on other data.
        X, y : array-like
            Labelled cases.
        **settings
            As in `from_predictions`.

        Returns
        -------
        display
        """
        settings.setdefault("classes", estimator.classes_)
        return cls.from_predictions(y, estimator.predict_proba(X), **settings)

    @abc.abstractmethod
    def plot(self, ax: Axes | None = None) -> Any:
        """Draw the picture.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; by default a new figure.

        Returns
        -------
        display
        """

    def start(self, ax: Axes | None) -> Axes:
        """Take the given axes, or make new ones.

        Parameters
        ----------
        ax : matplotlib axes, or None
            Where to draw.

        Returns
        -------
        matplotlib axes
        """
        self.ax_ = axes_or_new(ax)
        self.figure_ = figure_of(self.ax_)
        return self.ax_


def legend_below(ax: Axes, columns: int = 3) -> None:
    """Put the legend under the picture, if anything in it has a label.

    Parameters
    ----------
    ax : matplotlib axes
        Drawn on.
    columns : int, default=3
        Labels side by side; fewer for long ones.
    """
    if ax.get_legend_handles_labels()[0]:
        ax.legend(fontsize=9, loc="upper center", bbox_to_anchor=(0.5, -0.17), ncols=columns)


def mark(ax: Axes, x: float, y: float) -> None:
    """Mark the chosen point.

    Parameters
    ----------
    ax : matplotlib axes
        Where to draw.
    x, y : float
        The point.
    """
    theme = theme_of(ax)
    ax.plot(
        [x],
        [y],
        "o",
        color=theme.accent,
        markersize=7,
        markeredgecolor=theme.paper,
        clip_on=False,
        zorder=5,
    )


def thinned(n: int, most: int = 400) -> IntArray:
    """Positions of at most so many of n steps, the first and the last among them.

    Parameters
    ----------
    n : int
        Number of steps.
    most : int, default=400
        How many to draw.

    Returns
    -------
    ndarray of int
    """
    return np.unique(np.linspace(0, n - 1, min(n, most)).round().astype(int))
