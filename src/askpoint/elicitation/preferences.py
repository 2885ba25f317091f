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
    """Logarithm of gain over loss, bounded where one of them is nothing.

    Parameters
    ----------
    gain, loss : array-like
        What the first outcome has over the second, and what it lacks; none negative.

    Returns
    -------
    ndarray
        0 where both are nothing.

    Examples
    --------
    >>> from askpoint.elicitation.preferences import log_ratio
    >>> log_ratio([1, 0, 0], [1, 2, 0])
    array([  0., -60.,   0.])
    """
    least = np.finfo(np.float64).tiny
    ratio = np.log(np.maximum(gain, least)) - np.log(np.maximum(loss, least))
    return np.asarray(np.clip(ratio, -_FAR, _FAR))


def answer_chances(
    ratio: FloatArray | float,
    slope: FloatArray | float,
    lapse: FloatArray | float,
    equal: FloatArray | float,
) -> AnswerChances:
    """Chances of the three answers to a question.

    Parameters
    ----------
    ratio : ndarray or float
        Logarithm of gain over loss.
    slope : ndarray or float
        Symbol s, above 0: a ratio of e^s is told apart as well as odds of e to 1 say.
    lapse : ndarray or float
        Symbol l: how often the answer is given without looking.
    equal : ndarray or float
        Weight of "about equal" between two equal outcomes, 0 or more, where each of them weighs
        1; 0 where it is no answer (Davidson's nu).

    Returns
    -------
    AnswerChances
        The odds of first to second are those of a logistic curve, whatever `equal`.

    References
    ----------
    Davidson, JASA 65 (1970), on ties in paired comparisons.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.elicitation.preferences import answer_chances
    >>> chances = answer_chances(np.log(2), slope=0.5, lapse=0, equal=0)
    >>> round(float(chances.first), 3)  # 2 ** (1 / 0.5) = 4 to 1
    0.8
    """
    z = np.asarray(ratio) / slope
    half = np.exp(-0.5 * np.abs(z))  # the weaker side's square root, the stronger one being 1
    tie = equal * half
    attentive = (1 - lapse) / (1 + half * half + tie)
    strong, weak = attentive, attentive * half * half
    blind_equal = np.where(np.asarray(equal) > 0, _LAPSED_EQUAL, 0.0) * lapse
    blind = (lapse - blind_equal) / 2
    return AnswerChances(
        np.where(z > 0, strong, weak) + blind,
        np.asarray(tie * attentive + blind_equal),
        np.where(z > 0, weak, strong) + blind,
    )
