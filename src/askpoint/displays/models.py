"""The value curves of several models, and at which price which one is best."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from askpoint.displays.base import Display, by_factors
from askpoint.displays.direct_labels import name_beside
from askpoint.displays.theme import Theme
from askpoint.errors import InputError
from askpoint.measures.estimators import class_probabilities
from askpoint.value.curve import ValueCurve
from askpoint.value.model_comparison import best_ranges
from askpoint.value.probabilities import value_curve

__all__ = ["ModelsDisplay"]


@dataclass
class ModelsDisplay(Display):
    """Value per case of several models against how many checks are worth one mistake.

    Hair lines stand where another model becomes the best.

    Parameters
    ----------
    curves : mapping from name to ValueCurve
        Of the same cases; the first is drawn in the accent colour.
    checks : float, optional
        A price to mark, in checks per mistake.

    Examples
    --------
    >>> from askpoint.displays.models import ModelsDisplay
    >>> y = [1, 1, 0]
    >>> display = ModelsDisplay.from_predictions(y, {"a": [0.9, 0.8, 0.3], "b": [0.9, 0.4, 0.1]})
    >>> display.ax_.get_xlabel()
    'checks per mistake'
    """

    curves: Mapping[str, ValueCurve]
    checks: float | None = None

    def __post_init__(self) -> None:
        if not self.curves:
            raise InputError("give at least one curve to draw")

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_proba: Mapping[str, Any],
        *,
        ax: Axes | None = None,
        **settings: Any,
    ) -> ModelsDisplay:
        """Draw from labels and each model's probabilities.

        Parameters
        ----------
        y_true : array-like of shape (n_items,)
            True labels.
        y_proba : mapping from name to array-like
            Probabilities of each model on the same cases.
        ax : matplotlib axes, optional
            Where to draw; by default a new figure.
        **settings
            As in `askpoint.value_curve`.

        Returns
        -------
        ModelsDisplay
        """
        return cls({name: value_curve(y_true, p, **settings) for name, p in y_proba.items()}).plot(
            ax
        )

    @classmethod
    def from_estimators(
        cls,
        estimators: Mapping[str, Any],
        X: Any,
        y: Any,
        *,
        ax: Axes | None = None,
        **settings: Any,
    ) -> ModelsDisplay:
        """Draw from fitted classifiers and labelled data.

        Parameters
        ----------
        estimators : mapping from name to classifier with ``predict_proba`` and ``classes_``
            Fitted on other data.
        X, y : array-like
            Labelled cases.
        ax : matplotlib axes, optional
            Where to draw; by default a new figure.
        **settings
            As in `askpoint.value_curve`.

        Returns
        -------
        ModelsDisplay
        """
        curves = {
            name: value_curve(
                y, class_probabilities(model, X), **{"classes": model.classes_, **settings}
            )
            for name, model in estimators.items()
        }
        return cls(curves).plot(ax)

    def _draw(self, ax: Axes, theme: Theme) -> None:
        bends = np.concatenate([curve.breakpoints for curve in self.curves.values()])
        last = max(50.0, 2 * (1 + bends[np.isfinite(bends)].max(initial=0)), 2 * (self.checks or 1))
        checks = np.geomspace(1, last, 300)
        colours = itertools.cycle((theme.accent, theme.ink, theme.wrong, theme.muted))
        strokes = itertools.chain.from_iterable(
            itertools.repeat(s, 4) for s in ("-", "--", ":", "-.")
        )
        for (name, curve), colour, stroke in zip(
            self.curves.items(), colours, itertools.cycle(strokes), strict=False
        ):
            ax.plot(checks, curve.value(checks - 1), color=colour, linestyle=stroke, label=name)
        for change in best_ranges(self.curves)[1:]:
            ax.axvline(1 + change.lower, color=theme.muted, linewidth=0.8, linestyle=":")
        if self.checks is not None:
            ax.axvline(self.checks, color=theme.accent, linewidth=0.8, label="your price")
        ax.set(
            xscale="log",
            xlim=(1, last),
            ylim=(-0.02, 1.02),
            xlabel="checks per mistake",
            ylabel="checks saved on 1,000 cases",
        )
        ax.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{1000 * y:,.0f}"))
        by_factors(ax.xaxis)
        name_beside(ax)
