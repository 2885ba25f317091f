"""What a mistake and a check cost, as draws: the price is uncertain, and people err."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from askpoint.errors import ObjectiveError
from askpoint.measures.inputs import FloatArray, as_finite, as_same_length
from askpoint.measures.intervals import Interval

__all__ = ["Price", "draw_checks", "draw_people_wrong"]


@dataclass(frozen=True, eq=False)
class Price:
    """Checks worth one mistake (1 / rho), and how often the people who are asked are wrong.

    `checks` is one number or one of each draw. `people_wrong` (1 - h) is one number, one of each
    group of cases, or of each draw (rows) and group (columns).
    """

    checks: FloatArray
    people_wrong: FloatArray

    def __init__(self, checks: ArrayLike, people_wrong: ArrayLike = 0.0) -> None:
        number = np.asarray(checks, dtype=np.float64)
        wrong = np.asarray(people_wrong, dtype=np.float64)
        if not (np.isfinite(number).all() and (number >= 1).all()):
            raise ObjectiveError(f"checks worth one mistake must be at least 1, got {number.min()}")
        if not ((wrong >= 0) & (wrong <= 1)).all():
            raise ObjectiveError("people are wrong at a rate between 0 and 1")
        object.__setattr__(self, "checks", number)
        object.__setattr__(self, "people_wrong", wrong)

    @property
    def mean_checks(self) -> float:
        """What a mistake costs in expectation."""
        return float(self.checks.mean())

    def asking(self, n_groups: int) -> FloatArray:
        """Cost of asking one case, in checks: of each draw or all (rows) and group (columns)."""
        wrong = np.broadcast_to(
            self.people_wrong, np.broadcast_shapes(self.people_wrong.shape, (1, n_groups))
        )
        return np.asarray(1 + self.checks.reshape(-1, 1) * wrong)


def draw_checks(
    interval: Interval, n: int, rng: np.random.Generator, *, level: float = 0.95
) -> FloatArray:
    """Draw checks worth one mistake: log-normal with this interval, never below 1."""
    if not 0 < interval.lower <= interval.upper < np.inf:
        raise ObjectiveError(
            f"an interval of a price has two finite ends above 0, got {interval.lower} and "
            f"{interval.upper}"
        )
    ends = np.log([interval.lower, interval.upper])
    spread = (ends[1] - ends[0]) / (2 * special.ndtri((1 + level) / 2))
    return np.asarray(np.exp(rng.normal(ends.mean(), spread, n)).clip(min=1))


def draw_people_wrong(
    right: ArrayLike,
    cases: ArrayLike,
    edges: ArrayLike,
    confidence: FloatArray,
    n: int,
    rng: np.random.Generator,
) -> FloatArray:
    """Draw how often people are wrong at each confidence, from counts in bins of confidence.

    Jeffreys' posterior in each bin; one draw a row.
    """
    hits, seen = as_finite(right, "right"), as_finite(cases, "cases")
    as_same_length(hits, seen, ("right", "cases"))
    wrong = rng.beta(seen - hits + 0.5, hits + 0.5, (n, len(seen)))
    return np.asarray(wrong[:, np.searchsorted(as_finite(edges, "edges"), confidence, "right")])
