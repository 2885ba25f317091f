"""How much the next labels would bring: the saving expected of them, by simulating them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import special

from askpoint.errors import InputError
from askpoint.measures.inputs import FloatArray
from askpoint.value.posterior.prospects import from_above
from askpoint.value.posterior.rightness_model import RightnessModel

__all__ = ["SavingOfLabels", "saving_of_labels"]

_CURVES = 1000
_NEGLIGIBLE = 1e-9


class SavingOfLabels(NamedTuple):
    """Checks saved per 1,000 new cases by a threshold chosen with more labels.

    `mean` is what these labels bring in expectation, `error` the standard error of the simulation,
    `at_most` what all labels would bring.
    """

    mean: float
    error: float
    at_most: float


def saving_of_labels(
    posterior: RightnessModel,
    n_labels: int,
    rng: np.random.Generator,
    *,
    checks: float,
    shares: FloatArray | None = None,
    n_draws: int = 64,
) -> SavingOfLabels:
    """Simulate labels of curves drawn from the posterior and choose again with them.

    What labels would make of the posterior is told by 1,000 other curves, weighted by how likely
    these labels are under each. `shares` says how the labels fall on the groups of the posterior; without, as the cases do.
    """
    if n_labels < 1 or n_draws < 2:
        raise InputError(
            f"simulate at least 1 label in 2 draws; got {n_labels} labels in {n_draws} draws"
        )
    evidence = posterior.evidence_
    split = evidence.mass if shares is None else shares
    curves = posterior.draw_groups(_CURVES, rng).clip(_NEGLIGIBLE, 1 - _NEGLIGIBLE)
    truths = posterior.draw_groups(n_draws, rng)
    labels = rng.multinomial(n_labels, split / split.sum(), n_draws)
    hits = rng.binomial(labels, truths)
    told = hits @ np.log(curves).T + (labels - hits) @ np.log1p(-curves).T
    moved = special.softmax(told, axis=1) @ curves - curves.mean(axis=0)
    now = _step(evidence.mass, posterior.right_, checks)
    saved, best = np.empty(n_draws), np.empty(n_draws)
    for i, (truth, move) in enumerate(zip(truths, moved, strict=True)):
        then = _step(evidence.mass, (posterior.right_ + move).clip(0, 1), checks)
        cost = _cost(evidence.mass, truth, checks)
        saved[i], best[i] = cost[now] - cost[then], cost[now] - cost.min()
    error = saved.std(ddof=1) / np.sqrt(n_draws)
    return SavingOfLabels(*(1000 * float(x) for x in (saved.mean(), error, best.mean())))


def _cost(mass: FloatArray, right: FloatArray, checks: float) -> FloatArray:
    return np.asarray(np.append(0.0, np.cumsum(mass)) + checks * from_above(mass * (1 - right)))


def _step(mass: FloatArray, right: FloatArray, checks: float) -> int:
    return int(np.argmin(_cost(mass, right, checks)))
