"""A sequential test on gold cases: is a reviewer careful, or blind?

Each gold vote adds the logarithm of how likely it is from a careful reviewer over how likely it is from a blind
one (Wald's test). It ends at odds of 99 to one, either way; after a pass it starts anew.
"""

from __future__ import annotations

import math

__all__ = ["add_evidence", "has_failed", "has_passed", "speaks_against"]

_CAREFUL = 0.9  # right, of the gold votes of a careful reviewer; at .88 who looks at half the cases lives well
_ODDS = math.log(99)
_ODDS_LEFT = math.log(10)


def add_evidence(evidence: float, *, right: bool, n_options: int) -> float:
    """Return the evidence after one more gold vote among so many options."""
    blind = 1 / max(2, n_options)
    ratio = _CAREFUL / blind if right else (1 - _CAREFUL) / (1 - blind)
    return evidence + math.log(ratio)


def has_passed(evidence: float) -> bool:
    """Tell whether the votes are a careful reviewer's."""
    return evidence >= _ODDS


def has_failed(evidence: float) -> bool:
    """Tell whether the votes are a blind reviewer's."""
    return evidence <= -_ODDS


def speaks_against(evidence: float) -> bool:
    """Tell whether gold votes on which no verdict was reached look like a blind reviewer's, at odds of ten to one.

    Without gold votes they do not: who deals no gold has no reason to keep pay back. Nor does one wrong vote, among
    however many options.

    Examples
    --------
    >>> one, two = add_evidence(0, right=False, n_options=9), 0.0
    >>> for right in (False, False, True, True, True, True, True):
    ...     two = add_evidence(two, right=right, n_options=2)
    >>> speaks_against(one), speaks_against(two), speaks_against(2 * one)
    (False, False, True)
    """
    return evidence <= -_ODDS_LEFT
