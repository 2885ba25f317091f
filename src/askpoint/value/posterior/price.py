"""What a mistake and a check cost, as draws: the price is uncertain, and people err."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from askpoint.errors import ObjectiveError
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.measures.inputs import FloatArray, as_finite, as_same_length
from askpoint.measures.intervals import Interval

__all__ = ["Price", "draw_checks", "draw_costs", "draw_people_wrong"]

_LEVEL = 0.9  # of the intervals that costs carry, where they do not say


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
            raise ObjectiveError(f"checks per mistake must be at least 1; got {number.min()}")
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
    interval: Interval,
    n: int,
    rng: np.random.Generator,
    *,
    level: float = 0.95,
    middle: float | None = None,
) -> FloatArray:
    """Draw checks per mistake: log-normal with this interval, never below 1.

    Around its middle, or another median that was stated, with the same spread.
    """
    if not 0 < interval.lower <= interval.upper < np.inf:
        raise ObjectiveError(
            f"an interval of a price has two finite ends above 0; got {interval.lower} and "
            f"{interval.upper}"
        )
    ends = np.log([interval.lower, interval.upper])
    spread = (ends[1] - ends[0]) / (2 * special.ndtri((1 + level) / 2))
    centre = ends.mean() if middle is None else np.log(middle)
    return np.asarray(np.exp(rng.normal(centre, spread, n)).clip(min=1))


def draw_costs(
    costs: CostMatrix, n: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray] | None:
    """Draw factors on what mistakes cost, by the interval that `costs` carry; None without one.

    Of each draw (rows) and true class (columns), and of each draw for all classes: what they are
    worth in checks. The interval holds "cost" and "checks" by class, each [low, high], and their
    "level"; anything else is not understood as one. All are log-normal.
    """
    found = costs.interval
    names = [str(name) for name in costs.classes]
    alone, beside = (
        _spreads(found.get(key), names, found.get("level")) for key in ("cost", "checks")
    )
    if alone is None and beside is None:
        return None
    own = np.zeros(len(names)) if alone is None else alone
    common = 0.0
    if beside is not None:
        common = float(np.sqrt(np.median(np.maximum(beside**2 - own**2, 0.0))))
    drawn = own * rng.standard_normal((n, len(names)))
    return np.exp(drawn), np.exp(common * rng.standard_normal(n))


def _spreads(content: Any, names: list[str], level: Any) -> FloatArray | None:
    """Deviations of the logarithms, of intervals by class; None where they are not stated so."""
    if not isinstance(content, Mapping) or set(content) != set(names):
        return None
    try:
        ends = np.array([content[name] for name in names], dtype=np.float64)
    except (TypeError, ValueError):
        return None
    if ends.shape != (len(names), 2) or not (np.isfinite(ends) & (ends > 0)).all():
        return None
    if (ends[:, 0] > ends[:, 1]).any():
        return None
    covered = level if isinstance(level, float) and 0 < level < 1 else _LEVEL
    width = np.log(ends[:, 1] / ends[:, 0])
    return np.asarray(width / (2 * special.ndtri((1 + covered) / 2)))


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
