"""The same world played by each design, and examined: figures with intervals over seeds."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy import stats

from askpoint.arena.game.designs import DESIGNS, PAPER_DESIGNS, SOUGHT_FROM, check_designs
from askpoint.arena.game.pay import PAPER_PAY, Pay
from askpoint.arena.game.terms import CampaignTerms
from askpoint.arena.simulation.campaign import play_campaign
from askpoint.arena.simulation.crowd import Habits
from askpoint.arena.simulation.machine import play_machine
from askpoint.arena.simulation.outcome import WayOutcome, examine, outcome_of
from askpoint.arena.simulation.world import World
from askpoint.errors import NotEstimableError
from askpoint.measures.intervals import Interval

__all__ = [
    "EXAMINATIONS",
    "SeedFigure",
    "calibrate",
    "difference_of_ratios",
    "mean_figure",
    "play_all",
    "ratio_figure",
    "terms_of",
]

_MACHINE_POOL = 1000  # cases it searches; it ranks them again and again
EXAMINATIONS = ("random", "stratified", "uncertainty")


class SeedFigure(NamedTuple):
    """A number over seeds, with its 95% interval; None where it is undefined."""

    value: float | None
    interval: Interval | None


def terms_of(world: World, design: int, pay: Pay = PAPER_PAY) -> CampaignTerms:
    """Terms of a campaign with the designs up to `design`, as the paper built them up."""
    check_designs([design])
    designs = [number for number in DESIGNS if number <= design]
    sought = world.sought if design >= SOUGHT_FROM else None
    return CampaignTerms(world.costs, designs, sought, pay)


def play_all(
    world: World,
    habits: Habits,
    rng: np.random.Generator,
    *,
    designs: Sequence[int] = PAPER_DESIGNS,
    machine: bool = False,
    n_cases: int = 500,
    pay: Pay = PAPER_PAY,
    progress: Callable[[str], None] | None = None,
) -> dict[str, WayOutcome]:
    """Examine a world in three ways and play it by each design, once."""
    outcomes: dict[str, WayOutcome] = {}

    def record_outcome(name: str, outcome: WayOutcome) -> None:
        outcomes[name] = outcome
        if progress is not None:
            progress(name)

    for method in EXAMINATIONS:
        record_outcome(
            method, examine(world, method, habits, pay, copy.deepcopy(rng), n_cases=n_cases)
        )
    for design in designs:
        terms = terms_of(world, design, pay)
        played = play_campaign(world, terms, habits, copy.deepcopy(rng), n_cases=n_cases)
        record_outcome(f"design {design}", outcome_of(played))
    if machine:
        terms = terms_of(world, max(SOUGHT_FROM, *designs), pay)
        state = copy.deepcopy(rng)
        played = play_machine(world, terms, habits, state, n_cases=n_cases, n_pool=_MACHINE_POOL)
        record_outcome("machine", outcome_of(played))
    return outcomes


def calibrate(
    world: World,
    habits: Habits,
    rng: np.random.Generator,
    *,
    target: float = 0.27,
    n_seeds: int = 10,
    n_steps: int = 5,
    n_cases: int = 500,
    pay: Pay = PAPER_PAY,
    progress: Callable[[str], None] | None = None,
) -> Habits:
    """Set the search precision so that design 4 finds sought errors at the paper's rate."""
    terms = terms_of(world, 4, pay)
    states = rng.spawn(n_seeds)

    def rate(precision: float) -> float:
        tried = replace(habits, search_precision=precision)
        found = [
            outcome_of(play_campaign(world, terms, tried, copy.deepcopy(state), n_cases=n_cases))
            for state in states
        ]
        share = float(np.mean([outcome.n_errors / outcome.n_cases for outcome in found]))
        if progress is not None:
            progress(f"search precision {precision:.3f}: {100 * share:.1f} errors per 100")
        return share

    low, high = 0.0, 1.0
    best = rate(high)
    if best < target:
        raise NotEstimableError(
            f"with design 4 the crowd finds at most {100 * best:.1f} errors per 100 cases, less "
            f"than the {100 * target:.0f} it should be calibrated to; play where the model errs more"
        )
    for _ in range(n_steps):
        middle = (low + high) / 2
        low, high = (low, middle) if rate(middle) > target else (middle, high)
    return replace(habits, search_precision=(low + high) / 2)


def mean_figure(values: Sequence[float]) -> SeedFigure:
    """Mean over seeds, with Student's interval."""
    return _figure(float(np.mean(values)), np.asarray(values, dtype=np.float64))


def ratio_figure(numerators: Sequence[float], denominators: Sequence[float]) -> SeedFigure:
    """Ratio of two sums over seeds: cents per unknown unknown, say.

    A seed without any unknown unknown counts in full, where a mean of ratios would be
    undefined. The interval is Student's on the linearised ratio.

    References
    ----------
    Cochran, Sampling Techniques (1977), section 6.3.
    """
    linear = _linearise(numerators, denominators)
    if linear is None:
        return SeedFigure(None, None)
    value, residuals = linear
    return _figure(value, value + residuals)


def difference_of_ratios(
    first: tuple[Sequence[float], Sequence[float]], second: tuple[Sequence[float], Sequence[float]]
) -> SeedFigure:
    """Difference of two such ratios that were played from the same states, seed by seed."""
    one, two = _linearise(*first), _linearise(*second)
    if one is None or two is None:
        return SeedFigure(None, None)
    value = one[0] - two[0]
    return _figure(value, value + one[1] - two[1])


def _linearise(
    numerators: Sequence[float], denominators: Sequence[float]
) -> tuple[float, np.ndarray] | None:
    above, below = np.asarray(numerators, float), np.asarray(denominators, float)
    if not below.sum():
        return None
    ratio = float(above.sum() / below.sum())
    return ratio, (above - ratio * below) / below.mean()


def _figure(value: float, spread: np.ndarray) -> SeedFigure:
    if len(spread) < 2:
        return SeedFigure(value, None)
    half = float(stats.t.ppf(0.975, len(spread) - 1) * spread.std(ddof=1) / np.sqrt(len(spread)))
    return SeedFigure(value, Interval(value - half, value + half))
