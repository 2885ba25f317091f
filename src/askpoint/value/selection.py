"""Labels exist mostly where somebody looked: are they where the model was unsure?"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from askpoint.errors import InputError
from askpoint.measures.clusters import cluster_sums
from askpoint.measures.inputs import BoolArray, FloatArray, IntArray, as_same_length
from askpoint.measures.sampling import effective_size

__all__ = [
    "LabelDependence",
    "depends_on_confidence_alone",
    "label_selection",
    "selection_from_counts",
]

_P_VALUE = 1e-3
_SELECTED = 0.005  # of permutations, as for votes (`askpoint.measures.label_draws`)
_CELLS = 20  # parts of the ranks that labels are drawn from
_SIZES = 8  # classes of clusters by their size
_MOST = 1_000_000_000  # cases that are permuted; beyond, the first test is enough
_FEWEST = 10
_TURNS = 0.25
_DISTANCE = 0.05  # below it even a certain difference moves no verdict by much


@dataclass(frozen=True)
class LabelDependence:
    """Whether the labelled cases look like the others in their confidence.

    Parameters
    ----------
    labelled, unlabelled : int
        Number of cases of each kind.
    distance : float
        Greatest difference of two distributions of confidence (Kolmogorov-Smirnov): labelled
        against other cases; with weights, the weighted labelled cases against all.
    p_value : float
        Probability of such a difference if labels were given at random.
    p_random : float or None
        The same, where randomness is given, by at most 9,999 permutations of which cases are labelled: the least of three statistics (five parts
        of the ranks of confidence, the mean rank, how far ranks lie from the middle), times three; None with
        weights.
    shares : ndarray of shape (n_tenths,)
        Labelled share in each tenth of the cases, from the least sure to the surest (fewer where
        confidences are tied).
    """

    labelled: int
    unlabelled: int
    distance: float
    p_value: float
    shares: FloatArray
    p_random: float | None = None

    @property
    def is_selective(self) -> bool:
        """Whether labels depend on confidence: beyond chance, and enough to matter."""
        is_odd = self.p_random is not None and self.p_random < _SELECTED
        return (is_odd or self.p_value < _P_VALUE) and self.distance >= _DISTANCE

    @property
    def extremes(self) -> str:
        """Where labels are rarest and where they are most frequent, in words."""
        least, most = int(np.argmin(self.shares)), int(np.argmax(self.shares))
        return (
            f"in part {least + 1} of {len(self.shares)}, from the least sure to the surest, {self.shares[least]:.1%} "
            f"have a label, in part {most + 1} {self.shares[most]:.1%}"
        )


def label_selection(
    confidence: FloatArray,
    labelled: BoolArray,
    *,
    weight: FloatArray | None = None,
    mass: FloatArray | None = None,
    cluster: IntArray | None = None,
    rng: np.random.Generator | None = None,
) -> LabelDependence | None:
    """Compare the confidence of cases with and without a label.

    Weights that are meant to make the labelled cases stand for all are put to the test: so
    weighted, the labelled cases must look like all of them. Cases of one cluster count as one: the
    permutations, for which `rng` is needed, draw clusters, each in the place of a random case of its own.
    """
    as_same_length(confidence, labelled, ("confidence", "labelled"))
    n = int(labelled.sum())
    if n == 0:
        raise InputError("no case is labelled; label at least some")
    if n == len(labelled):
        return None
    part = labelled.astype(np.float64)
    if weight is None:
        others = 1 - part
        units, rest = (_units(cluster, rows) for rows in (labelled, ~labelled))
        size = units * rest / (units + rest)
    else:
        as_same_length(confidence[labelled], weight, ("labelled cases", "weights"))
        part[labelled] = weight
        others = np.ones(len(labelled)) if mass is None else mass.astype(np.float64)
        size = effective_size(
            weight if cluster is None else cluster_sums(weight, cluster[labelled])
        )
    distance = _distance(confidence, part, others)
    inner = np.quantile(confidence, np.linspace(0.1, 0.9, 9))
    tenth = np.searchsorted(np.unique(inner), confidence, side="right")
    cases, hits = np.bincount(tenth), np.bincount(tenth, labelled)
    return LabelDependence(
        n,
        len(labelled) - n,
        distance,
        float(special.kolmogorov(distance * math.sqrt(size))),
        hits[cases > 0] / cases[cases > 0],
        None
        if weight is not None or rng is None
        else _permute_labels(confidence, labelled, cluster, rng),
    )


def _permute_labels(
    confidence: FloatArray,
    labelled: BoolArray,
    cluster: IntArray | None,
    rng: np.random.Generator,
) -> float:
    from askpoint.measures.label_draws import cut_parts

    if cluster is None:
        return _draw_p_value(confidence, np.ones(len(labelled), dtype=np.int64), labelled, rng)
    # labelled cases first, in random order: each cluster is one of its own labelled cases, or one of all
    order = np.lexsort([rng.random(len(labelled)), ~labelled, cluster])
    _, first, size = np.unique(cluster[order], return_index=True, return_counts=True)
    one = order[first]
    # in a larger cluster some case is labelled more often: only clusters of one size change places
    return _draw_p_value(
        confidence[one],
        np.ones(len(one), dtype=np.int64),
        labelled[one],
        rng,
        cut_parts(size, np.ones(len(size), dtype=np.int64), _SIZES),
    )


def _draw_p_value(
    confidence: FloatArray,
    items: IntArray,
    labelled: IntArray | BoolArray,
    rng: np.random.Generator,
    stratum: IntArray | None = None,
) -> float:
    """Permute which cases are labelled, in cells of about equal rank."""
    from askpoint.measures.label_draws import cut_parts, draw_p_value

    part = cut_parts(confidence, items, _CELLS)
    home = np.zeros(len(part), dtype=np.int64) if stratum is None else stratum
    cells, at = np.unique(np.column_stack([home, part]), axis=0, return_inverse=True)
    at = at.ravel()
    n = np.bincount(at, items).astype(np.int64)
    mass = np.bincount(part, items)
    middle = ((np.cumsum(mass) - mass / 2) / mass.sum())[cells[:, 1]]
    return draw_p_value(
        n,
        np.bincount(at, labelled).astype(np.int64),
        rng,
        scores=[middle, np.abs(middle - 0.5)],
        parts=[cut_parts(middle, n)],
        stratum=cells[:, 0],
    )


def _units(cluster: IntArray | None, rows: BoolArray) -> int:
    """How many cases, or clusters, some rows are."""
    return int(rows.sum()) if cluster is None else len(np.unique(cluster[rows]))


def depends_on_confidence_alone(confidence: FloatArray, chance: FloatArray) -> bool:
    """Whether cases of one confidence are labelled with one chance, as far as the labels show.

    In order of confidence each chance then lies between its neighbours', but for where the chance
    turns or is rounded: altogether by at most a quarter of the range of chances, on their
    logarithms. It takes 10 labels to tell.
    """
    as_same_length(confidence, chance, ("confidence", "chances"))
    if len(chance) < _FEWEST:
        return False
    order = np.lexsort([chance, confidence])
    score, log_chance = confidence[order], np.log(chance[order])
    span = float(np.ptp(log_chance))
    tied = float(np.diff(log_chance)[np.diff(score) == 0].sum())
    inner, before, after = log_chance[1:-1], log_chance[:-2], log_chance[2:]
    above = (inner - np.maximum(before, after)).clip(min=0)
    below = (np.minimum(before, after) - inner).clip(min=0)
    return tied + float((above + below).sum()) <= _TURNS * span


def selection_from_counts(
    confidence: FloatArray,
    labelled: IntArray,
    unlabelled: IntArray,
    rng: np.random.Generator | None = None,
) -> LabelDependence | None:
    """Compare the confidence of cases with and without a label, from their counts."""
    n, m = int(labelled.sum()), int(unlabelled.sum())
    if m == 0:
        return None
    distance = float(np.abs(labelled.cumsum() / n - unlabelled.cumsum() / m).max())
    p_value = float(special.kolmogorov(distance * math.sqrt(n * m / (n + m))))
    ends = (labelled + unlabelled).cumsum()
    place = np.linspace(0.1, 0.9, 9) * (n + m - 1)
    low, high = (
        confidence[np.searchsorted(ends, rank, side="right")]
        for rank in (np.floor(place), np.minimum(np.floor(place) + 1, n + m - 1))
    )
    inner = low + (place - np.floor(place)) * (high - low)
    tenth = np.searchsorted(np.unique(inner), confidence, side="right")
    cases, hits = np.bincount(tenth, labelled + unlabelled), np.bincount(tenth, labelled)
    total = labelled + unlabelled
    p_random = None
    if rng is not None and n + m < _MOST:
        p_random = _draw_p_value(confidence, total, labelled, rng)
    return LabelDependence(n, m, distance, p_value, hits[cases > 0] / cases[cases > 0], p_random)


def _distance(confidence: FloatArray, one: FloatArray, other: FloatArray) -> float:
    """Greatest difference of two weighted distribution functions of the same confidences."""
    order = np.argsort(confidence)
    score = confidence[order]
    last = np.append(score[1:] != score[:-1], True)  # of the cases of equal confidence
    gap = (one / one.sum() - other / other.sum())[order].cumsum()[last]
    return float(np.abs(gap).max())
