"""Labels exist mostly where somebody looked: are they where the model was unsure?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from askpoint.errors import InputError
from askpoint.measures.inputs import BoolArray, FloatArray, as_same_length

__all__ = ["LabelSelection", "label_selection"]

_P_VALUE = 1e-3
_DISTANCE = 0.05  # below it even a certain difference moves no verdict by much


@dataclass(frozen=True)
class LabelSelection:
    """Whether the labelled cases look like the others in their confidence.

    Parameters
    ----------
    labelled, unlabelled : int
        Number of cases of each kind.
    distance : float
        Greatest difference of the two distributions of confidence (Kolmogorov-Smirnov).
    p_value : float
        Probability of such a difference if labels were given at random.
    shares : ndarray of shape (n_tenths,)
        Labelled share in each tenth of the cases, from the least sure to the surest (fewer where
        confidences are tied).
    """

    labelled: int
    unlabelled: int
    distance: float
    p_value: float
    shares: FloatArray

    @property
    def is_selective(self) -> bool:
        """Whether labels depend on confidence: beyond chance, and enough to matter."""
        return self.p_value < _P_VALUE and self.distance >= _DISTANCE


def label_selection(confidence: FloatArray, labelled: BoolArray) -> LabelSelection | None:
    """Compare the confidence of cases with and without a label.

    Parameters
    ----------
    confidence : ndarray of shape (n_items,)
        Confidence of all cases.
    labelled : ndarray of bool of shape (n_items,)
        Which ones have a label; at least one.

    Returns
    -------
    LabelSelection or None
        None where all cases are labelled.

    Raises
    ------
    InputError
        If lengths differ or no case is labelled.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.value.selection import label_selection
    >>> confidence = np.linspace(0.5, 1, 400)
    >>> label_selection(confidence, confidence < 0.6).is_selective
    True
    """
    as_same_length(confidence, labelled, ("confidence", "labelled"))
    n = int(labelled.sum())
    if n == 0:
        raise InputError("no case is labelled; label at least some")
    if n == len(labelled):
        return None
    test = stats.ks_2samp(confidence[labelled], confidence[~labelled], method="asymp")
    inner = np.quantile(confidence, np.linspace(0.1, 0.9, 9))
    tenth = np.searchsorted(np.unique(inner), confidence, side="right")
    cases, hits = np.bincount(tenth), np.bincount(tenth, labelled)
    return LabelSelection(
        n,
        len(labelled) - n,
        float(test.statistic),
        float(test.pvalue),
        hits[cases > 0] / cases[cases > 0],
    )
