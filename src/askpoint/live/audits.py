"""How many answers to audit: what audits detect, how soon, and what they cost (L6 of the design).

An alarm that is rare over all planned decisions and comes soon needs about ln(1 / delta) + ln(planned decisions) units of
evidence; each audit brings the Kullback-Leibler divergence of the new risk from the limit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from askpoint.errors import InputError, UnmetError
from askpoint.measures.inputs import as_level

__all__ = ["ENOUGH_AUDITS", "Detection", "audits_to_detect", "rate_from_changes", "rate_to_detect"]

ENOUGH_AUDITS = 300
"""Audits of all planned decisions below which drift can hardly be detected."""
_BETS = 6
_ROUNDS = 60


@dataclass(frozen=True)
class Detection:
    """What an audit rate detects.

    Parameters
    ----------
    rate : float
        Share of answers audited.
    audits : float
        Audits until a rise to `risk` is detected nine times of ten; half of them take .5 to .8
        of it.
    risk : float
        The risk that is to be detected.
    within : float
        Decisions that these audits take.
    per_thousand : float
        Audits for 1,000 decisions.
    """

    rate: float
    audits: float
    risk: float
    within: float
    per_thousand: float


def audits_to_detect(limit: float, risk: float, *, horizon: float, delta: float = 0.05) -> float:
    """Audits until a risk that rose from under `limit` to `risk` has raised the alarm, nine times of ten."""
    as_level(limit, "limit")
    if not limit < risk < 1:
        raise InputError(f"a rise goes from the limit {limit:g} to a risk above; got {risk:g}")
    divergence = risk * math.log(risk / limit) + (1 - risk) * math.log((1 - risk) / (1 - limit))
    needed = math.log(1 / as_level(delta, "delta")) + math.log(2 * horizon) + math.log(_BETS)
    return needed / divergence


def rate_to_detect(
    limit: float,
    risk: float,
    within: float,
    *,
    coverage: float,
    planned_decisions: float,
    delta: float = 0.05,
) -> Detection:
    """The audit rate that detects a rise within so many decisions."""
    if not 0 < coverage <= 1:
        raise InputError(f"coverage must be above 0 and at most 1; got {coverage}")
    if within > planned_decisions:
        raise InputError(
            f"within must be at most the {planned_decisions:g} planned decisions; got {within:g}"
        )
    rate = 1.0
    for _ in range(_ROUNDS):  # the horizon of the watch is the audits of the life
        audits = audits_to_detect(
            limit, risk, horizon=max(1.0, rate * planned_decisions), delta=delta
        )
        rate = audits / (within * coverage)
        if rate >= 1:
            least = math.ceil(audits / coverage)
            raise UnmetError(
                f"a rise from {limit:.2%} to {risk:.2%} takes {audits:.0f} audits: within "
                f"{within:g} decisions at {coverage:.0%} coverage not even auditing every answer "
                f"shows it; allow at least {least} decisions, or a greater rise"
            )
    return Detection(rate, audits, risk, within, 1000 * rate * coverage)


def rate_from_changes(changes: float, loss: float, audits: float, rho: float) -> float:
    """The audit rate of least cost: sqrt(changes loss audits / rho), at most 1/2.

    `changes` per answer, each losing `loss` mistakes an answer until `audits` have detected it.
    """
    if min(changes, loss, audits, rho) <= 0:
        raise InputError("changes, loss, audits and rho must be above 0")
    return min(0.5, math.sqrt(changes * loss * audits / rho))
