"""Confidences at which no case has a label."""

from __future__ import annotations

import numpy as np

from askpoint.answers.value.model_cases import ModelCases
from askpoint.measures.inputs import BoolArray

__all__ = ["find_label_gap", "in_holes", "list_gaps"]

_CHANCE_OF_A_HOLE = 1e-3
_LEAST_HOLE = 0.01
_SPREAD, _ANYWHERE = 20, 0.2  # proposed cases: the first so many, and of the others this share


def find_label_gap(case: ModelCases) -> float:
    """Share of the cases at confidences that lack labels, where chance does not leave them out."""
    return case.places.share(in_holes(case))


def list_gaps(case: ModelCases) -> tuple[tuple[float, float, int], ...]:
    """Return the stretches of confidence that lack labels, with their rows, the largest first."""
    places, hole = case.places, in_holes(case)
    order = np.argsort(places.lowest, kind="stable")
    runs = np.flatnonzero(np.diff(hole[order].astype(np.int8), prepend=0, append=0))
    found = []
    for start, end in runs.reshape(-1, 2).tolist():
        rows = order[start:end]
        low, high = float(places.lowest[rows].min()), float(places.highest[rows].max())
        found.append((low, high, int(places.items[rows].sum())))
    return tuple(sorted(found, key=lambda gap: -gap[2]))


def in_holes(case: ModelCases, *, by_chance: bool = False) -> BoolArray:
    """Which places lie at confidences that lack labels; also where chance may do that, on demand.

    Between two labels (or beyond the last) lies a share of the cases; labels given at random would
    leave so great a gap anywhere with a probability of at most 1 in 1,000. Labels of one cluster are
    one. Of proposed cases a fifth is spread over all, once 20 are labelled.
    """
    places = case.places
    if not places.has_unlabelled:
        return np.zeros(len(places.lowest), dtype=np.bool_)
    at = np.unique(places.lowest, return_inverse=True)[1]
    labels = np.bincount(at, places.right + places.wrong)
    n = float(labels.sum())
    chosen = None if case.log is None else case.log.chosen
    if chosen is not None and case.log is not None:
        proposed = float((chosen & case.log.labelled).sum())
        n += -proposed + _ANYWHERE * max(proposed - _SPREAD, 0)
    if (
        places.cluster is not None and labels.any()
    ):  # cases that belong together leave gaps as one would
        n *= len(np.unique(places.cluster[places.right + places.wrong > 0])) / labels.sum()
    if (case.is_weighted and chosen is None) or not labels.any():
        return np.zeros(len(at), dtype=np.bool_)
    mass = np.bincount(at, places.mass) / places.mass.sum()
    ends = np.concatenate([[0.0], np.cumsum(mass)])
    some = np.flatnonzero(labels)
    # a gap goes from behind one labelled place to before the next
    gaps = np.append(ends[some], 1.0) - np.append(0.0, ends[some + 1])
    chance = (n + 1) * (1 - gaps.clip(0, 1)) ** n
    lacking = (gaps >= _LEAST_HOLE) & (by_chance | (chance < _CHANCE_OF_A_HOLE))
    return np.asarray((lacking[np.searchsorted(some, np.arange(len(mass)))] & (labels == 0))[at])
