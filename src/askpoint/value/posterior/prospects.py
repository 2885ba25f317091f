"""What every threshold will do to new cases, as draws from the posterior."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from askpoint.measures.inputs import FloatArray
from askpoint.value.posterior.rightness_model import RightnessModel

__all__ = ["Expected", "Prospects", "draw_prospects", "from_above", "new_cases", "new_cases_of"]


class Expected(NamedTuple):
    """What to expect of new cases, and between what 95% of the time."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Prospects:
    """Groups of cases from the least sure to the surest, and how often answers will be right.

    `thresholds` answer a group and all above it; the last, infinity, asks everybody. `mass` is
    the share of each group among all cases, of which `n_cases` were seen. `right` is the
    posterior mean of each group's rate, `right_draws` are draws of it (rows). The numbers of new
    cases asked, and answered wrongly, vary so many times more than independent ones: the effects.
    `labels` and `labels_wrong` count the labels of each group, where there are such counts.
    """

    thresholds: FloatArray
    mass: FloatArray
    n_cases: float
    n_labelled: float
    right: FloatArray
    right_draws: FloatArray
    asked_effect: float = 1.0
    wrong_effect: float = 1.0
    labels: FloatArray | None = None
    labels_wrong: FloatArray | None = None

    @cached_property
    def asked(self) -> FloatArray:
        """Share of cases asked at each threshold."""
        shares = np.append(0.0, np.cumsum(self.mass)).clip(0, 1)
        shares[-1] = 1.0  # whatever round-off left
        return shares

    @cached_property
    def wrong(self) -> FloatArray:
        """Share of all cases answered wrongly at each threshold, in the posterior mean."""
        return from_above(self.mass * (1 - self.right))

    @cached_property
    def wrong_draws(self) -> FloatArray:
        """The same of each draw (rows)."""
        return from_above(self.mass * (1 - self.right_draws))


def from_above(values: FloatArray) -> FloatArray:
    """Sums over the groups answered at each threshold, the last of which answers none."""
    sums = np.cumsum(values[..., ::-1], axis=-1)[..., ::-1]
    return np.concatenate([sums, np.zeros((*values.shape[:-1], 1))], axis=-1)


def draw_prospects(
    posterior: RightnessModel, rng: np.random.Generator, *, n_draws: int = 1000
) -> Prospects:
    """Draw what every threshold will do to cases like those that the posterior has seen."""
    evidence = posterior.evidence_
    return Prospects(
        np.append(evidence.lowest, np.inf),
        evidence.mass,
        evidence.n_cases,
        posterior.n_labelled_,
        posterior.right_,
        posterior.draw_groups(n_draws, rng),
        labels=evidence.labels,
        labels_wrong=evidence.wrong,
    )


def new_cases(
    found: Prospects, step: int, n_new: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Draw how many of the next cases are asked and answered wrongly at one threshold."""
    return new_cases_of(found, found.asked[step], found.wrong_draws[:, step], n_new, rng)


def new_cases_of(
    found: Prospects, expected: float, wrong: FloatArray, n_new: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Draw how many of the next cases any rule asks about and answers wrongly.

    `expected` is the share of cases that it asks about, `wrong` the share of all cases that it
    answers wrongly, of each draw. The share asked is known from the cases seen only, and the next
    cases are a sample themselves.
    """
    share: FloatArray
    share = rng.beta(
        expected * found.n_cases + 0.5, (1 - expected) * found.n_cases + 0.5, len(wrong)
    )
    if expected in (0, 1):  # asking nobody or everybody is no matter of chance
        share = np.full(len(wrong), float(expected))
    share = _draw_overdispersed(share, n_new, found.asked_effect, rng)
    asked = rng.binomial(n_new, share)
    risk: FloatArray = wrong / max(1 - expected, np.finfo(np.float64).tiny)
    risk = _draw_overdispersed(risk.clip(0, 1), n_new, found.wrong_effect, rng)
    mistaken = rng.binomial(n_new - asked, risk)
    return asked.astype(np.float64), mistaken.astype(np.float64)


def _draw_overdispersed(
    share: FloatArray, n: int, effect: float, rng: np.random.Generator
) -> FloatArray:
    """Draw shares whose numbers among n vary so many times more than a binomial variable's."""
    if effect <= 1:
        return share
    like = max((n - 1) / (effect - 1) - 1, 1e-3)
    inside = share.clip(1e-9, 1 - 1e-9)
    drawn = rng.beta(inside * like, (1 - inside) * like)
    return np.where((share > 0) & (share < 1), drawn, share)
