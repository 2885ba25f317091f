"""The same promise where the people who are asked, and who label, are wrong at times.

What people may get wrong is taken off the mistakes that the output may hold. It is less where fewer are
asked, so the limit moves with the threshold, and thresholds are tested one after the other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from askpoint.errors import InputError
from askpoint.measures.inputs import FloatArray, as_level
from askpoint.value.acceptance import mistakes_allowed

__all__ = ["ErringReviewers", "ReviewedOutput", "threshold_with_reviewers"]

_THRESHOLDS = 20
_PEOPLE = 0.1  # share of delta for people making more mistakes than their rate says


@dataclass(frozen=True)
class ErringReviewers:
    """How often people are wrong, at most.

    Parameters
    ----------
    error_rate : float
        At most, on any case, whatever the model says of it.
    also_label : bool, default=True
        Whether the labels are theirs, too; else the labels are the truth.
    """

    error_rate: float
    also_label: bool = True

    def __post_init__(self) -> None:
        if not 0 <= self.error_rate < 1:
            raise InputError(f"people err at a rate from 0 to below 1; got {self.error_rate}")


@dataclass(frozen=True)
class ReviewedOutput:
    """The boldest threshold that leaves few mistakes, those of people included.

    Parameters
    ----------
    threshold : float
        Infinity where nothing can be promised.
    by_people : int
        Mistakes that people may make at that threshold (at the boldest one where there is none).
    allowed : int
        Mistakes that the output may hold.
    """

    threshold: float
    by_people: int
    allowed: int


def threshold_with_reviewers(
    all_confidence: FloatArray,
    confidence: FloatArray,
    right: FloatArray,
    *,
    share: float,
    delta: float,
    reviewers: ErringReviewers,
) -> ReviewedOutput:
    """Return the boldest threshold whose output holds at most this share of mistakes.

    Parameters
    ----------
    all_confidence : ndarray of shape (n_items,)
        Of all cases of the batch.
    confidence, right : ndarray of shape (n_labelled,)
        Of the cases whose label was drawn at random.
    share, delta : float
        Limit, and the probability that it is exceeded, at most.
    reviewers : ErringReviewers
        People's errors; on different cases they are independent.

    Notes
    -----
    Fixed sequence over up to 20 thresholds, each tested by how few mistakes are noticed among the labels
    if T(t) + 1 of its answers were wrong: hypergeometric, thinned by the mistakes that people miss. The
    sequence begins where labels without a mistake would pass, which depends on no label.

    Examples
    --------
    >>> import numpy as np
    >>> from askpoint.value.acceptance_reviewers import ErringReviewers, threshold_with_reviewers
    >>> every = np.linspace(0.5, 1, 1000)
    >>> people = ErringReviewers(0.02)
    >>> found = threshold_with_reviewers(
    ...     every, every[::5], np.ones(200), share=0.05, delta=0.1, reviewers=people
    ... )
    >>> found.threshold, found.by_people, found.allowed
    (0.5, 12, 50)
    """
    from scipy import stats

    as_level(delta, "delta")
    n, n_labelled, rate = len(all_confidence), len(confidence), reviewers.error_rate
    allowed = mistakes_allowed(n, share)
    ordered = np.sort(all_confidence)
    shares = np.arange(1, _THRESHOLDS + 1) / _THRESHOLDS
    thresholds = ordered[(n * (1 - shares)).astype(np.int64)]
    answered = n - np.searchsorted(ordered, thresholds)
    # neither number depends on what the labels say, nor on which cases they are
    looked_at = n - answered + (n_labelled if reviewers.also_label else 0)
    tail = 1 - _PEOPLE * delta / len(thresholds)
    by_people = stats.binom.ppf(tail, looked_at.clip(max=n), rate).astype(np.int64)
    left = allowed - by_people
    missed = rate if reviewers.also_label else 0.0
    level = (1 - _PEOPLE) * delta

    def passes(place: int, noticed: int) -> bool:
        least_wrong = int(left[place]) + 1
        if least_wrong < 1:
            return False
        if least_wrong > answered[place]:
            return True
        labelled = np.arange(min(least_wrong, n_labelled) + 1)
        chance = stats.hypergeom.pmf(labelled, n, least_wrong, n_labelled)
        return float(chance @ stats.binom.cdf(noticed, labelled, 1 - missed)) <= level

    best, place = np.inf, 0
    while place < len(thresholds) and not passes(place, 0):
        place += 1
    at = len(thresholds) - 1
    while place < len(thresholds):
        noticed = int(((confidence >= thresholds[place]) & (right <= 0)).sum())
        if not passes(place, noticed):
            break
        best, at = float(thresholds[place]), place
        place += 1
    return ReviewedOutput(best, int(by_people[at]), allowed)
