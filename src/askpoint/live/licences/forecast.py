"""How many more labels a unit needs until it may act alone, drawn from what its labels say."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from askpoint.live.licences.certificate import WEIGHTS, Certificate, evidence_step
from askpoint.measures.inputs import FloatArray

__all__ = ["FARTHEST", "GrantForecast", "draw_rates", "forecast_grant"]

_PRIOR = (0.5, 9.5)  # one in twenty, as ten labels would say it
_DRAWS = 300
FARTHEST = 3000
"""Labels beyond which a forecast says never."""


@dataclass(frozen=True)
class GrantForecast:
    """When a licence is to be expected.

    Parameters
    ----------
    median : int or None
        Labels until the grant, in the middle one of the futures; None if half of them never grant.
    low, high : int or None
        Of four futures in five; None where they never grant.
    never : float
        Share of the futures that do not grant within 3,000 labels.
    """

    median: int | None
    low: int | None
    high: int | None
    never: float


def draw_rates(bad: float, labels: int, n: int, rng: np.random.Generator) -> FloatArray:
    """Draw rates of bad actions from what labels say."""
    return np.asarray(rng.beta(_PRIOR[0] + bad, _PRIOR[1] + labels - bad, n))


def forecast_grant(
    certificate: Certificate, rates: FloatArray, bound: float, rng: np.random.Generator
) -> GrantForecast:
    """Continue a certificate through futures, one for each rate.

    Parameters
    ----------
    certificate : Certificate
        As of now.
    rates : ndarray of shape (n_futures,)
        Of bad actions, as `draw_rates` draws them.
    bound : float
        The evidence of a grant.
    rng : numpy.random.Generator
    """
    bets = np.tile(certificate.bets, (len(rates), 1))
    limit = np.full(len(rates), certificate.limit)
    after = np.full(len(rates), FARTHEST + 1)
    live = np.arange(len(rates))
    for step in range(1, FARTHEST + 1):
        wrong = (rng.random(len(live)) < rates[live]).astype(np.float64)
        bets = evidence_step(bets, certificate.labels + step, wrong, limit[: len(live)])
        granted = bets @ WEIGHTS >= bound
        if granted.any():
            after[live[granted]] = step
            live, bets = live[~granted], bets[~granted]
            if not len(live):
                break
    low, median, high = (_or_never(q) for q in np.quantile(after, (0.1, 0.5, 0.9), method="higher"))
    return GrantForecast(median, low, high, float((after > FARTHEST).mean()))


def _or_never(labels: float) -> int | None:
    return int(labels) if labels <= FARTHEST else None
