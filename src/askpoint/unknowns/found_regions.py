"""What every region is that one half of the cases suggests and the other half tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from askpoint.errors import InputError
from askpoint.measures.clusters import design_effect
from askpoint.measures.inputs import FloatArray, IntArray, as_level
from askpoint.unknowns.conditions import Condition
from askpoint.unknowns.population import PopulationEstimate

__all__ = ["FoundRegion", "check_search", "repeats_in"]

_FEW_CLUSTERS = 10  # too few to tell how alike their cases are


@dataclass(frozen=True, kw_only=True)
class FoundRegion:
    """A region, and what the half of the cases says of it that took no part in the search.

    Parameters
    ----------
    conditions : tuple of Condition
        All hold together.
    share : float
        Share of the cases looked at that lie in it.
    n_cases, n_mistakes : int
        Cases of the other half in it, and mistakes among them.
    p_value : float
        How often chance alone gives what was found, for the number of regions tried (Holm).
    mistakes : PopulationEstimate
        Share of mistakes in it, with its interval, from the other half.
    estimated : float
        Mean cost that the model estimates in it.
    """

    conditions: tuple[Condition, ...]
    share: float
    n_cases: int
    n_mistakes: int
    p_value: float
    mistakes: PopulationEstimate
    estimated: float

    @property
    def name(self) -> str:
        """Its conditions in words."""
        return " and ".join(map(str, self.conditions))

    def holds(self, columns: Mapping[str, Any], texts: Mapping[str, Sequence[str]]) -> IntArray:
        """Return the rows of other cases that lie in it."""
        inside = [condition.holds(columns, texts) for condition in self.conditions]
        rows: IntArray = np.flatnonzero(np.logical_and.reduce(inside))
        return rows


def check_search(alpha: float, level: float, **counts: int) -> None:
    """Check the numbers of a search for regions.

    Raises
    ------
    InputError
        If one is out of range.
    """
    as_level(alpha, "alpha")
    as_level(level, "level")
    if min(counts.values()) < 1:
        *first, last = counts
        raise InputError(f"{', '.join(first)} and {last} must be at least 1")


def repeats_in(rows: IntArray, excess: FloatArray, group: IntArray | None) -> float:
    """Return how many cases of a region count as one, where cases of a cluster err together."""
    if group is None:
        return 1.0
    return design_effect(excess[rows], group[rows], few=_FEW_CLUSTERS)
