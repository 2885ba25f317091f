"""Which question next: the one whose answer is expected to tell most."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from askpoint.elicitation.posterior import Posterior
from askpoint.measures.inputs import FloatArray

__all__ = ["Aim", "Exchange", "expected_gain", "next_exchange"]

Aim = Literal["ratios", "shares"]
"""What is to become certain: how many times one weight is another, or shares of one whole."""

_QUANTILES = (0.25, 0.5, 0.75)


class Exchange(NamedTuple):
    """Weight i against weight j, at a ratio.

    Attributes
    ----------
    first, second : int
        Two weights.
    ratio : float
        Logarithm of how many of the second are given for one of the first.
    """

    first: int
    second: int
    ratio: float

    @property
    def m(self) -> float:
        """The ratio as a share of both: the first is preferred if a_i / (a_i + a_j) is above."""
        return float(1 / (1 + np.exp(-self.ratio)))


def next_exchange(posterior: Posterior, aim: Aim = "ratios") -> Exchange:
    """Choose among all pairs of weights at quartiles of their posterior ratio."""
    cloud = posterior.cloud
    logs, mass = cloud.log_weights, cloud.mass
    first, second = np.triu_indices(logs.shape[1], 1)
    differences = logs[:, first] - logs[:, second]
    order = np.argsort(differences, axis=0)
    cumulated = np.cumsum(mass[order], axis=0)
    columns = np.arange(len(first))
    ratios = np.stack(
        [
            differences[
                order[(cumulated < level).sum(axis=0).clip(max=len(mass) - 1), columns], columns
            ]
            for level in _QUANTILES
        ]
    )
    offered = (differences[:, None, :] - ratios).reshape(len(mass), -1)
    level, pair = divmod(int(expected_gain(posterior, offered, aim).argmax()), len(first))
    return Exchange(int(first[pair]), int(second[pair]), float(ratios[level, pair]))


def expected_gain(posterior: Posterior, ratio: FloatArray, aim: Aim = "ratios") -> FloatArray:
    """What the answer to each of many questions is expected to tell."""
    cloud = posterior.cloud
    mass = cloud.mass
    chances = np.stack(posterior.chances(ratio))
    if aim == "ratios":
        return np.asarray(_entropy(np.tensordot(mass, chances, (0, 1))) - mass @ _entropy(chances))
    shares = cloud.shares - cloud.weights
    weighted = mass[:, None] * chances
    moved = np.einsum("anc,nk->ack", weighted, shares, optimize=True)
    likely = np.maximum(weighted.sum(axis=1), 1e-12)
    return np.asarray((np.square(moved).sum(axis=-1) / likely).sum(axis=0))


def _entropy(chances: FloatArray) -> FloatArray:
    """Entropy over the first axis, in nats."""
    return np.asarray(-(chances * np.log(np.maximum(chances, 1e-300))).sum(axis=0))
