"""The strategies of seed paper 001: thresholds chosen with hindsight or before, and asking at random.

Acid, de Campos and Fernandez (2012) call a threshold optimistic if it is the best on the test
cases themselves, and realistic if it is chosen on other cases; random asking ignores confidence.
"""

from __future__ import annotations

from typing import NamedTuple

from askpoint.errors import InputError
from askpoint.measures.outcomes import Outcomes
from askpoint.value.curve import ValueCurve
from askpoint.value.objectives import Objective, OperatingPoint

__all__ = ["Hindsight", "hindsight", "random_asking", "share_at_random"]


class Hindsight(NamedTuple):
    """A threshold chosen before beside the best one in hindsight, on the same test cases.

    Attributes
    ----------
    realistic : OperatingPoint
        Chosen on other cases; outcomes on the test cases.
    optimistic : OperatingPoint
        Chosen on the test cases: an upper limit.
    """

    realistic: OperatingPoint
    optimistic: OperatingPoint


def hindsight(chosen_on: ValueCurve, tested_on: ValueCurve, objective: Objective) -> Hindsight:
    """Choose a threshold on some cases and look at it on others.

    Parameters
    ----------
    chosen_on : ValueCurve
        Of the cases to choose on (the paper takes the training cases).
    tested_on : ValueCurve
        Of the test cases.
    objective : Objective
        What to want.

    Returns
    -------
    Hindsight

    Examples
    --------
    >>> from askpoint.value.curve import ValueCurve
    >>> from askpoint.value.priced import CheckCost
    >>> from askpoint.value.strategies import hindsight
    >>> chosen_on = ValueCurve.from_outcomes([1, 1, 0, 1], [0.9, 0.8, 0.7, 0.6])
    >>> tested_on = ValueCurve.from_outcomes([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6])
    >>> both = hindsight(chosen_on, tested_on, CheckCost(0.25))
    >>> both.realistic.outcomes, both.optimistic.outcomes
    (Outcomes(right=1, wrong=1, asked=2), Outcomes(right=1, wrong=0, asked=3))
    """
    chosen = objective.choose(chosen_on)
    realistic = OperatingPoint(chosen.threshold, tested_on.outcomes(chosen.threshold), chosen.rate)
    return Hindsight(realistic, objective.choose(tested_on))


def random_asking(outcomes: Outcomes, share: float) -> Outcomes:
    """Expected outcomes if a share of all cases is asked at random."""
    if not 0 <= share <= 1:
        raise InputError(f"the share asked must be between 0 and 1; got {share}")
    if outcomes.asked:
        raise InputError("give the outcomes of a model that answers every case; some are asked")
    kept = 1 - share
    return Outcomes(outcomes.right * kept, outcomes.wrong * kept, outcomes.total * share)


def share_at_random(outcomes: Outcomes, rho: float) -> float:
    """Best share to ask at random: all or nothing.

    Expected EP_rho is linear in the share, from the accuracy (nobody asked) to 1 - rho (all
    asked), so one of the two ends is best.
    """
    none, everyone = (random_asking(outcomes, share) for share in (0.0, 1.0))
    return float(everyone.expected_profit(rho) >= none.expected_profit(rho))
