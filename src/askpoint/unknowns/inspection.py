"""What it takes to meet a rare mistake by looking at cases at random."""

from __future__ import annotations

from typing import NamedTuple

from askpoint.errors import InputError

__all__ = ["RandomInspection", "random_inspection"]


class RandomInspection(NamedTuple):
    """How much is seen, on average, for each mistake of the sought kind.

    Parameters
    ----------
    inspected : float
        Cases looked at.
    false_positives : float
        Mistakes of the other kind among them.
    """

    inspected: float
    false_positives: float


def random_inspection(
    prevalence: float, miss_rate: float, false_positive_rate: float | None = None
) -> RandomInspection:
    """Return how many cases one must inspect at random for one missed case of a rare class.

    Parameters
    ----------
    prevalence : float
        Share of the class among all cases.
    miss_rate : float
        Share of its cases that the model misses.
    false_positive_rate : float, optional
        Share of the other cases that the model takes for the class; by default `miss_rate`.

    Returns
    -------
    RandomInspection

    Raises
    ------
    InputError
        If the first two are not above 0 and at most 1, or the third is no share.

    References
    ----------
    Attenberg, Ipeirotis and Provost, "Beat the Machine", ACM JDIQ 6 (2015), example 4.1.

    Examples
    --------
    >>> from askpoint.unknowns.inspection import random_inspection
    >>> inspected, false_positives = random_inspection(0.001, 0.05)
    >>> round(inspected), round(false_positives)  # 0.1% hate speech, 95% accuracy on each class
    (20000, 999)
    """
    other = miss_rate if false_positive_rate is None else false_positive_rate
    if not (0 < prevalence <= 1 and 0 < miss_rate <= 1 and 0 <= other <= 1):
        raise InputError(
            "prevalence and miss_rate must be above 0 and at most 1, false_positive_rate between "
            f"0 and 1: got {prevalence}, {miss_rate} and {other}"
        )
    inspected = 1 / (prevalence * miss_rate)
    return RandomInspection(inspected, inspected * (1 - prevalence) * other)
