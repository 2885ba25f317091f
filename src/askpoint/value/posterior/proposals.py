"""Which cases to label next: where the verdict may be wrong at a cost, and some anywhere.

Curves drawn from the posterior say what is lost at each confidence if the verdict there is wrong;
cases are a sample of fixed size in proportion to that, with known chances of inclusion.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from askpoint.errors import InputError, NotEstimableError
from askpoint.measures.inputs import FloatArray, IntArray, as_finite
from askpoint.value.posterior.rightness_model import RightnessModel

__all__ = ["Proposal", "propose_cases"]

_FIRST = 20  # so many labels are spread over the range of z before anything is believed
_UNIFORM, _UNIFORM_OF_GROUPS = (
    0.2,
    0.5,
)  # what is known of few labels of a group misleads more easily
_CURVES = 100
_FAR = 8.0  # beyond this z stretches are not told apart: labels there say one thing


class Proposal(NamedTuple):
    """Cases to label, as positions among those given, and the chance that each had."""

    rows: IntArray
    chances: FloatArray


def propose_cases(
    posterior: RightnessModel,
    confidence: ArrayLike,
    n: int,
    rng: np.random.Generator,
    *,
    checks: float,
    regret: FloatArray | None = None,
) -> Proposal:
    """Choose unlabelled cases to label next, for a price of a mistake in checks.

    Of the first 20 labels one half is spread evenly over the range of z and one half anywhere; of the
    others four fifths go where the verdict is in doubt and costs, one fifth anywhere. The
    likelihood of the posterior needs no weights for labels so chosen, since q conditions on the
    confidence; averages over cases do: the chances. `regret` is what the verdict of now may lose at each case, where
    that does not follow from its confidence alone but from its group, too: then half go anywhere.
    """
    score = as_finite(confidence, "confidence")
    if not len(score):
        raise NotEstimableError("every case has a label, so there is none to propose")
    if not 1 <= n <= len(score):
        raise InputError(f"propose from 1 to {len(score)} cases, as many as have no label; got {n}")
    if not (np.isfinite(checks) and checks >= 1):
        raise InputError(f"checks per mistake must be at least 1; got {checks}")
    z = posterior.evidence_.scale.z(score)
    order = np.argsort(z, kind="stable")
    first = int(np.clip(_FIRST - posterior.n_labelled_, 0, n))
    anywhere = 1 / len(z)
    uniform = _UNIFORM if regret is None else _UNIFORM_OF_GROUPS
    if regret is None:
        regret = _regret(posterior, score, 1 / checks, rng)
    doubt = regret[order] + np.finfo(np.float64).tiny
    wanted = first * (_spread(z[order].clip(-_FAR, _FAR)) + anywhere) / 2 + (n - first) * (
        (1 - uniform) * doubt / doubt.sum() + uniform * anywhere
    )
    chance = _at_most_one(wanted, n)
    picks = np.searchsorted(np.cumsum(chance), np.arange(n) + rng.random())
    chosen = picks.clip(max=len(z) - 1)
    return Proposal(order[chosen], chance[chosen])


def _spread(z: FloatArray) -> FloatArray:
    """Equal shares for equal stretches of the range of z, evenly within each."""
    span = z[-1] - z[0]
    stretch = np.zeros(len(z), dtype=np.int64)
    if span > 0:
        stretch = ((z - z[0]) / span * _FIRST).astype(np.int64).clip(max=_FIRST - 1)
    counts = np.bincount(stretch)
    return np.asarray(1 / counts[stretch] / np.count_nonzero(counts))


def _regret(
    posterior: RightnessModel, score: FloatArray, rho: float, rng: np.random.Generator
) -> FloatArray:
    """Return what is expected to be lost by answering each case, or asking, wrongly."""
    gain = posterior.draw_groups(_CURVES, rng) - (1 - rho)
    answered = posterior.right_ >= 1 - rho
    lost = (np.abs(gain) * ((gain >= 0) != answered)).mean(axis=0)
    return np.asarray(lost[posterior.evidence_.group_of(score)])


def _at_most_one(wanted: FloatArray, n: int) -> FloatArray:
    """Chances in proportion to what is wanted, none above 1, that sum to n."""
    chance = np.ones(len(wanted))
    if n == len(wanted):
        return chance  # sums of shares are rounded, and might leave none for the last
    sure = np.zeros(len(wanted), dtype=np.bool_)
    while True:
        # fewer than what is left exceed 1 at a time, so some is always left for the others
        left = n - np.count_nonzero(sure)
        chance[~sure] = wanted[~sure] * (left / wanted[~sure].sum())
        over = chance > 1
        if not over.any():
            return chance
        chance[over] = 1.0
        sure |= over
