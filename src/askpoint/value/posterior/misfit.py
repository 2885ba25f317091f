"""Where confidence misleads in a way that no rising curve explains: falls and misfits.

Neither changes a number; both are for people to read.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import special

from askpoint.measures.inputs import FloatArray
from askpoint.value.posterior.prospects import Prospects
from askpoint.value.posterior.rightness_model import RightnessModel

__all__ = ["Fall", "Misfit", "find_fall", "find_misfit"]

_TOPS = (0.025, 0.05, 0.1, 0.25, 0.5)
_MORE = 1.2  # where ties leave no such share, up to so many times as many
_NEXT = 0.2
_SURE_OF_FALL = 0.95
_SURE_OF_MISFIT = 0.9
_FAR = 0.5  # on the logit
_JUMPS = 2  # laws from here on jump


class Fall(NamedTuple):
    """The surest cases are right less often than the next: shares of cases, labels of each.

    `right` and `labels` are those of the surest and of the next; `chance` is the posterior
    probability of the fall.
    """

    surest: float
    following: float
    right: tuple[float, float]
    labels: tuple[float, float]
    chance: float


class Misfit(NamedTuple):
    """A stretch of confidence whose rate departs from what the others make one expect.

    From `low` to below `high`, None where it reaches the surest case.
    """

    low: float
    high: float | None
    right: float
    expected: float


def find_fall(found: Prospects) -> Fall | None:
    """Return the smallest share of surest cases that are right less often than the next."""
    if found.labels is None or found.labels_wrong is None:
        return None
    above = np.cumsum(found.mass[::-1])[::-1]
    for top in _TOPS:
        start = int(np.searchsorted(-above, -_MORE * top - 1e-12))
        if start in (0, len(above)):
            continue
        below = int(np.searchsorted(-above, -above[start] - _NEXT - 1e-12))
        parts = (slice(start, None), slice(below, start))
        if below == start:
            continue
        surest, following = (_mean(found, part) for part in parts)
        chance = float((surest < following).mean())
        if chance < _SURE_OF_FALL:
            continue
        labels = [float(found.labels[part].sum()) for part in parts]
        wrong = [float(found.labels_wrong[part].sum()) for part in parts]
        return Fall(
            float(above[start]),
            float(found.mass[parts[1]].sum()),
            (labels[0] - wrong[0], labels[1] - wrong[1]),
            (labels[0], labels[1]),
            chance,
        )
    return None


def _mean(found: Prospects, part: slice) -> FloatArray:
    """Mean rate of some groups by mass, of each draw."""
    mass = found.mass[part]
    return np.asarray(found.right_draws[:, part] @ mass / mass.sum())


def find_misfit(
    posterior: RightnessModel, rng: np.random.Generator, *, n_draws: int = 400
) -> Misfit | None:
    """Return the longest stretch that departs from the others, where no curve fits.

    Departures are from the base curve moved by their median over the cases: a curve that only
    fits the lesser part would call the greater one wrong.
    """
    if posterior.law_weights_[_JUMPS:].sum() < _SURE_OF_MISFIT:
        return None
    evidence = posterior.evidence_
    departures, logits = posterior.draw_departures(n_draws, rng)
    usual = _medians(departures, evidence.mass)
    departures = departures - usual
    expected = special.expit(logits + usual)
    side = np.where((departures > _FAR).mean(axis=0) >= _SURE_OF_MISFIT, 1, 0)
    side -= (departures < -_FAR).mean(axis=0) >= _SURE_OF_MISFIT
    if not side.any():
        return None
    starts = np.flatnonzero(np.diff(side, prepend=0))
    ends = np.append(starts[1:], len(side))
    width = np.array([evidence.mass[a:b].sum() for a, b in zip(starts, ends, strict=True)])
    longest = int(np.argmax(width * (side[starts] != 0)))
    first, behind = int(starts[longest]), int(ends[longest])
    mass = evidence.mass[first:behind] / evidence.mass[first:behind].sum()
    return Misfit(
        float(evidence.lowest[first]),
        float(evidence.lowest[behind]) if behind < len(evidence.lowest) else None,
        float(posterior.right_[first:behind] @ mass),
        float((expected[:, first:behind] @ mass).mean()),
    )


def _medians(departures: FloatArray, mass: FloatArray) -> FloatArray:
    """Median over the cases of each path (rows), as a column."""
    order = np.argsort(departures, axis=1)
    upto = np.cumsum(mass[order], axis=1)
    middle = (upto < 0.5 * mass.sum()).sum(axis=1).clip(max=len(mass) - 1)
    rows = np.arange(len(departures))
    return np.asarray(departures[rows, order[rows, middle]])[:, None]
