"""A sequential test on gold cases: is a reviewer careful, or blind?

Each gold vote adds the logarithm of how likely it is from a careful reviewer over how likely it is from a blind
one (Wald's test). It ends at odds of 99 to one, either way; after a pass it starts anew.
"""

from __future__ import annotations

import math

__all__ = ["add_evidence", "has_failed", "has_passed", "is_likely_careful"]

_CAREFUL = 0.88  # right, of the gold votes of a careful reviewer; at .85 who looks at half the cases lives well
_ODDS = math.log(99)
_LEFT_ODDS = math.log(10)  # of whom no verdict was reached
_LEFT_AGAINST = -1.5  # of whom passed before


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


def is_likely_careful(evidence: float, *, passed: bool) -> bool:
    """Tell whether the last votes, on which no verdict was reached, are taken for a careful reviewer's."""
    return evidence > (_LEFT_AGAINST if passed else _LEFT_ODDS)
