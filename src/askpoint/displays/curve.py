"""What pictures of a value curve share: where the curve comes from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes

from askpoint.displays.base import Display
from askpoint.measures.confidence import ConfidenceMeasure
from askpoint.measures.estimators import class_probabilities
from askpoint.value.curve import ValueCurve
from askpoint.value.objectives import Objective, OperatingPoint
from askpoint.value.probabilities import value_curve

__all__ = ["CurveDisplay"]


@dataclass
class CurveDisplay(Display):
    """A picture of one value curve.

    Parameters
    ----------
    curve : ValueCurve
        The curve.
    point : OperatingPoint, optional
        A chosen point to mark.
    """

    curve: ValueCurve
    point: OperatingPoint | None = None

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
        return cls.from_predictions(y, class_probabilities(estimator, X), **settings)
