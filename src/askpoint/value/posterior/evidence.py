"""Cases counted in groups by their rank: all that the posterior needs of a log."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from askpoint.measures.inputs import BoolArray, FloatArray, IntArray
from askpoint.value.posterior.scale import Scale, z_of_ranks

__all__ = ["Evidence"]

_GROUPS = 256  # of equal mass; the outer ones are parted twice more
_SEGMENTS = 64
_OUTER = (1 / 512, 1 / 1024)
_TIED, _LEAST_TIED = 0.02, 2  # a value of so many cases is a group and a segment of its own


@dataclass(frozen=True, eq=False)
class Evidence:
    """Groups of cases of about one rank, from the least sure to the surest.

    `lowest` is the least confidence of each group, so that answering from there on answers the
    group and all above it. `mass` is the share of all cases; `right` and `wrong` are labels, in
    numbers of cases that tell as much. `z` and `z_rank` say where a group lies on either scale.
    Groups of one `segment` depart from the base curve alike; a tie is one group and one segment.
    """

    scale: Scale
    lowest: FloatArray
    mass: FloatArray
    z: FloatArray
    z_rank: FloatArray
    segment: IntArray
    is_tie: BoolArray
    right: FloatArray
    wrong: FloatArray
    n_cases: float

    @classmethod
    def of_cases(
        cls, scale: Scale, confidence: FloatArray, weight: FloatArray | None, n_cases: float
    ) -> Evidence:
        """Group cases with their weights (one each without); none has a label yet."""
        values, counts, mass = _distinct(confidence, weight)
        share = mass / mass.sum()
        upto = np.cumsum(share)
        middle = upto - share / 2
        tied = (share >= _TIED) & (counts >= _LEAST_TIED)
        fine = np.floor(_GROUPS * middle)
        for edge in _OUTER:
            fine = fine + (middle >= edge) + (middle >= 1 - edge)
        starts = _starts(fine, tied)
        group_mass = np.add.reduceat(share, starts)
        is_tie = tied[starts]
        centre = np.add.reduceat(share * middle, starts) / group_mass
        segment = np.cumsum(_is_start(np.floor(_SEGMENTS * middle), tied)[starts]) - 1
        # a segment may begin inside a group of few values; it then begins with the next group
        segment = np.unique(segment, return_inverse=True)[1]
        z = np.add.reduceat(share * scale.z(values), starts) / group_mass
        none = np.zeros(len(starts))
        return cls(
            scale=scale, lowest=values[starts], mass=group_mass, z=z, z_rank=z_of_ranks(centre), segment=segment, is_tie=is_tie,
            right=none, wrong=none, n_cases=n_cases,
        )  # fmt: skip

    def group_of(self, confidence: FloatArray) -> IntArray:
        """Return the group of each confidence; what lies below all belongs to the first."""
        place: IntArray = np.searchsorted(self.lowest, confidence, side="right") - 1
        return place.clip(0)

    def with_labels(self, confidence: FloatArray, right: FloatArray, wrong: FloatArray) -> Evidence:
        """Return the same groups with these labels, counted at their confidences."""
        lowest = self.lowest
        if len(confidence) and confidence.min() < lowest[0]:
            lowest = np.append(confidence.min(), lowest[1:])
        right, wrong = (self.count(confidence, counts) for counts in (right, wrong))
        return replace(self, lowest=lowest, right=right, wrong=wrong)

    def count(self, confidence: FloatArray, counts: FloatArray) -> FloatArray:
        """Return sums of counts over the cases of each group."""
        some = counts != 0
        if not some.all():
            confidence, counts = confidence[some], counts[some]
        place = self.group_of(confidence)
        return np.bincount(place, counts, len(self.lowest)).astype(np.float64)

    @property
    def labels(self) -> FloatArray:
        """Labels of each group, in numbers of cases that tell as much."""
        return self.right + self.wrong

    @property
    def n_labelled(self) -> float:
        """Labels, in numbers of cases that tell as much."""
        return float(self.labels.sum())


def _distinct(
    confidence: FloatArray, weight: FloatArray | None
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Distinct values in order, how many cases each has, and their mass."""
    if weight is None or (weight[0] == weight).all():
        values = np.sort(confidence)
        starts = np.flatnonzero(np.append(True, values[1:] != values[:-1]))
        counts = np.diff(np.append(starts, len(values))).astype(np.float64)
        return values[starts], counts, counts
    order = np.argsort(confidence)
    values, mass = confidence[order], weight[order]
    starts = np.flatnonzero(np.append(True, values[1:] != values[:-1]))
    sums = np.add.reduceat(mass, starts)
    # places of a sketch hold several cases each, so that a mass of 2 is two of them
    counts = np.maximum(np.diff(np.append(starts, len(values))), sums)
    return values[starts], counts, sums


def _is_start(part: FloatArray, tied: BoolArray) -> BoolArray:
    """Whether a value begins a part; a tie is one of its own."""
    begins = np.append(True, (part[1:] != part[:-1]) | tied[1:] | tied[:-1])
    return np.asarray(begins)


def _starts(part: FloatArray, tied: BoolArray) -> IntArray:
    return np.flatnonzero(_is_start(part, tied))
