"""What a model that may ask did with each case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from askpoint.measures.inputs import BoolArray, FloatArray, as_same_length, as_weights
from askpoint.measures.outcomes import Outcomes

__all__ = ["SelectiveDecisions"]


@dataclass(frozen=True, eq=False)
class SelectiveDecisions:
    """A label for every case, and which of them go to a person instead.

    Parameters
    ----------
    labels : ndarray of shape (n_items,)
        What the model answers, or would answer.
    asked : ndarray of bool of shape (n_items,)
        Where a person is asked.
    confidence : ndarray of shape (n_items,)
        What was compared with the threshold.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.value.decisions import SelectiveDecisions
    >>> made = SelectiveDecisions(
    ...     np.array(["a", "b"]), np.array([False, True]), np.array([0.9, 0.6])
    ... )
    >>> made.fill("ask").tolist()
    ['a', 'ask']
    """

    labels: NDArray[Any]
    asked: BoolArray
    confidence: FloatArray

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def coverage(self) -> float:
        """Share of cases answered."""
        return 1 - float(self.asked.mean())

    def fill(self, ask: object) -> NDArray[Any]:
        """Return the labels with one value wherever a person is asked.

        Parameters
        ----------
        ask : object
            Stands for asking; of any type.

        Returns
        -------
        ndarray of object of shape (n_items,)
        """
        labels = self.labels.astype(object)
        labels[self.asked] = ask
        return labels

    def outcomes(self, y_true: ArrayLike, sample_weight: ArrayLike | None = None) -> Outcomes:
        """Count right answers, wrong answers and cases asked.

        Parameters
        ----------
        y_true : array-like of shape (n_items,)
            True labels.
        sample_weight : array-like of shape (n_items,), optional
            Positive weights.

        Returns
        -------
        Outcomes

        Examples
        --------
        >>> import numpy as np
        >>> from askpoint.value.decisions import SelectiveDecisions
        >>> made = SelectiveDecisions(
        ...     np.array([1, 0, 1]), np.array([False, False, True]), np.ones(3)
        ... )
        >>> made.outcomes([1, 1, 1])
        Outcomes(right=1, wrong=1, asked=1)
        """
        truth = np.asarray(y_true)
        as_same_length(truth, self.labels, ("labels", "decisions"))
        weight = as_weights(sample_weight, len(truth))
        kind = np.where(self.asked, 2, self.labels != truth)
        right, wrong, asked = np.bincount(kind, weight, 3).tolist()
        return Outcomes(right, wrong, asked)
