"""The labelled cases behind a curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from askpoint.measures.inputs import BoolArray, FloatArray, IntArray

__all__ = ["LabelledCases"]


@dataclass(frozen=True, eq=False)
class LabelledCases:
    """The cases behind a curve, for objectives that look at single classes.

    Parameters
    ----------
    classes : tuple
        Class names.
    truth, predicted : ndarray of int of shape (n_items,)
        Positions in `classes`.
    confidence : ndarray of shape (n_items,)
        Confidence of each prediction.
    weight : ndarray of shape (n_items,), or None
        Sample weights.
    """

    classes: tuple[Any, ...]
    truth: IntArray
    predicted: IntArray
    confidence: FloatArray
    weight: FloatArray | None

    def take(self, rows: BoolArray) -> LabelledCases:
        """Some of the cases."""
        return LabelledCases(
            self.classes,
            self.truth[rows],
            self.predicted[rows],
            self.confidence[rows],
            None if self.weight is None else self.weight[rows],
        )
