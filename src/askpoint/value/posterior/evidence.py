"""Cases counted by where they lie on the scale: all that the posterior needs of a log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from askpoint.measures.inputs import FloatArray, IntArray
from askpoint.value.posterior.scale import NODES, LogitScale, RankScale, Scale, node

__all__ = ["Evidence", "scale_of"]


def scale_of(confidence: FloatArray, mass: FloatArray | None = None) -> Scale:
    """Logits where all confidences are between 0 and 1, else ranks."""
    if confidence.size and (confidence.min() < 0 or confidence.max() > 1):
        return RankScale.of(confidence, mass)
    return LogitScale.of(confidence)


@dataclass(frozen=True, eq=False)
class Evidence:
    """Groups of cases of about one confidence, from the least sure to the surest.

    `lowest` is the least confidence of each group, so that answering from there on answers the
    group and all above it. `mass` is the share of all cases; `right` and `wrong` are labels, in
    numbers of cases that tell as much.
    """

    scale: Scale
    nodes: IntArray
    lowest: FloatArray
    mass: FloatArray
    right: FloatArray
    wrong: FloatArray
    n_cases: float

    @classmethod
    def count(
        cls,
        scale: Scale,
        confidence: FloatArray,
        weight: FloatArray | None,
        n_cases: float,
        labelled: FloatArray,
        right: NDArray[Any],
        wrong: NDArray[Any],
    ) -> Evidence:
        """Group cases with their weights (one each without), and labels counted elsewhere."""
        place = node(scale.z(confidence))
        mass = np.bincount(place, weight, len(NODES)).astype(np.float64)
        lowest = np.full(len(NODES), np.inf)
        np.minimum.at(lowest, place, confidence)
        known = place
        if labelled is not confidence:
            known = node(scale.z(labelled))
            np.minimum.at(lowest, known, labelled)
        hits, misses = (
            np.bincount(known, counts, len(NODES)).astype(np.float64) for counts in (right, wrong)
        )
        found = np.flatnonzero(mass + hits + misses)
        share = mass[found] / mass.sum()
        return cls(scale, found, lowest[found], share, hits[found], misses[found], n_cases)

    @property
    def z(self) -> FloatArray:
        """Where each group lies on the scale."""
        return np.asarray(NODES[self.nodes])

    @property
    def n_labelled(self) -> float:
        """Labels, in numbers of cases that tell as much."""
        return float(self.right.sum() + self.wrong.sum())
