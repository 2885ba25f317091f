"""Labels exist mostly where somebody looked: are they where the model was unsure?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from askpoint.errors import InputError
from askpoint.measures.inputs import BoolArray, FloatArray, as_same_length
from askpoint.measures.sampling import effective_size

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
        Greatest difference of two distributions of confidence (Kolmogorov-Smirnov): labelled
        against other cases; with weights, the weighted labelled cases against all.
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


def label_selection(
    confidence: FloatArray,
    labelled: BoolArray,
    *,
    weight: FloatArray | None = None,
    mass: FloatArray | None = None,
) -> LabelSelection | None:
    """Compare the confidence of cases with and without a label.

    Weights that are meant to make the labelled cases stand for all are put to the test: so
    weighted, the labelled cases must look like all of them.

    Parameters
    ----------
    confidence : ndarray of shape (n_items,)
        Confidence of all cases.
    labelled : ndarray of bool of shape (n_items,)
        Which ones have a label; at least one.
    weight : ndarray of shape (n_labelled,), optional
        Positive weights of the labelled cases, such as one over their propensity.
    mass : ndarray of shape (n_items,), optional
        How much each case counts, for the comparison with `weight`; by default all the same.

    Returns
    -------
    LabelSelection or None
        None where all cases are labelled.

    Raises
    ------
    InputError
        If lengths differ or no case is labelled.

    Notes
    -----
    The p-value of weighted cases is that of the Kolmogorov distribution at their effective
    number; all cases count as the whole population.

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
    from scipy import stats  # half a second, for logs with unlabelled cases only

    if weight is None:
        test = stats.ks_2samp(confidence[labelled], confidence[~labelled], method="asymp")
        distance, p_value = float(test.statistic), float(test.pvalue)
    else:
        as_same_length(confidence[labelled], weight, ("labelled cases", "weights"))
        distance = _weighted_distance(confidence, labelled, weight, mass)
        p_value = float(stats.kstwobign.sf(distance * np.sqrt(effective_size(weight))))
    inner = np.quantile(confidence, np.linspace(0.1, 0.9, 9))
    tenth = np.searchsorted(np.unique(inner), confidence, side="right")
    cases, hits = np.bincount(tenth), np.bincount(tenth, labelled)
    return LabelSelection(
        n,
        len(labelled) - n,
        distance,
        p_value,
        hits[cases > 0] / cases[cases > 0],
    )


def _weighted_distance(
    confidence: FloatArray, labelled: BoolArray, weight: FloatArray, mass: FloatArray | None
) -> float:
    whole = np.ones(len(confidence)) if mass is None else mass.astype(np.float64)
    part = np.zeros(len(confidence))
    part[labelled] = weight
    order = np.argsort(confidence)
    score = confidence[order]
    last = np.append(score[1:] != score[:-1], True)  # of the cases of equal confidence
    gap = (part / part.sum() - whole / whole.sum())[order].cumsum()[last]
    return float(np.abs(gap).max())
