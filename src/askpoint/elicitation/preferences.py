"""How a person's answer depends on what is gained and lost: slope, lapses, "about equal"."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from askpoint.measures.inputs import FloatArray

__all__ = ["AnswerChances", "answer_chances", "log_ratio"]

_LAPSED_EQUAL = 0.05  # of the answers given without looking, where "about equal" is an answer
_FAR = 60.0  # nothing is preferred more clearly than this


class AnswerChances(NamedTuple):
    """Chance of each answer.

    Attributes
    ----------
    first, equal, second : ndarray
        With sum 1.
    """

    first: FloatArray
    equal: FloatArray
    second: FloatArray


def log_ratio(gain: ArrayLike, loss: ArrayLike) -> FloatArray:
    """Logarithm of gain over loss, bounded where one of them is nothing."""
    least = np.finfo(np.float64).tiny
    ratio = np.log(np.maximum(gain, least)) - np.log(np.maximum(loss, least))
    return np.asarray(np.clip(ratio, -_FAR, _FAR))


def answer_chances(
    ratio: FloatArray | float,
    slope: FloatArray | float,
    lapse: FloatArray | float,
    equal: FloatArray | float,
    first: FloatArray | float = 0.5,
) -> AnswerChances:
    """Chances of the three answers to a question; of lapses a share takes the first.

    References
    ----------
    Davidson, JASA 65 (1970), on ties in paired comparisons.
    """
    z = np.asarray(ratio) / slope
    half = np.exp(-0.5 * np.abs(z))  # the weaker side's square root, the stronger one being 1
    tie = equal * half
    attentive = (1 - lapse) / (1 + half * half + tie)
    strong, weak = attentive, attentive * half * half
    blind_equal = np.where(np.asarray(equal) > 0, _LAPSED_EQUAL, 0.0) * lapse
    blind = lapse - blind_equal
    return AnswerChances(
        np.where(z > 0, strong, weak) + first * blind,
        np.asarray(tie * attentive + blind_equal),
        np.where(z > 0, weak, strong) + (1 - first) * blind,
    )
