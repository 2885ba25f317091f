"""Checks that take no labels, and only some panels allow: all trios, the alarm, failures by size."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from askpoint.errors import NotEstimableError
from askpoint.judges.checks.alarms import Alarm, alarm
from askpoint.judges.families import same_family
from askpoint.judges.methods.independent import IndependentEvaluation
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.judges.trios.batch import TrioEvaluations, evaluate_moments
from askpoint.judges.trios.counts import TrioMoments, trio_moments
from askpoint.judges.trios.search import failure_rates

__all__ = ["evaluate_trios", "failures_by_size", "raise_alarm"]

_MOST_TRIOS = 20_000
_MOST_VOTES = 40_000  # in distinct patterns, times labels; beyond, the programme takes its time
_MOST_JUDGES = 500
_SIZES = (25, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000)


def evaluate_trios(sketch: VoteSketch, families: Mapping[str, str]) -> TrioEvaluations:
    """Evaluate all trios of judges of different families.

    Raises
    ------
    NotEstimableError
        If there are too few judges or too many, more labels than two, or one family in every trio.
    """
    n = len(sketch.judges)
    if n < 4 or len(sketch.labels) != 2:
        raise NotEstimableError("they take four judges or more, and two labels")
    if n * (n - 1) * (n - 2) // 6 > _MOST_TRIOS:
        raise NotEstimableError(f"{n} judges make more than {_MOST_TRIOS} trios")
    moments = trio_moments(sketch)
    related = same_family(sketch.judges, families)
    i, j, k = moments.trios.T
    apart = ~(related[i, j] | related[i, k] | related[j, k])
    if not apart.any():
        raise NotEstimableError("every trio has two judges of one family")
    kept = {name: counts[apart] for name, counts in vars(moments).items()}
    return evaluate_moments(TrioMoments(**kept))


def raise_alarm(sketch: VoteSketch, required: float) -> Alarm:
    """Say whether judges contradict each other too much, where that can be computed in time.

    Raises
    ------
    NotEstimableError
        If it cannot.
    """
    n_votes = int((sketch.cells().votes >= 0).sum())
    if len(sketch.judges) > _MOST_JUDGES or n_votes * len(sketch.labels) > _MOST_VOTES:
        raise NotEstimableError("too many judges with too different votes for the linear programme")
    return alarm(sketch, required=required)


def failures_by_size(
    sketch: VoteSketch, found: IndependentEvaluation | None
) -> tuple[tuple[int, float], ...]:
    """Return how often three judges' answer would fail, for each number of items up to theirs."""
    if found is None or found.n_items < min(_SIZES):
        return ()
    sizes = [size for size in _SIZES if size <= found.n_items]
    rates = failure_rates(sketch, sizes, np.random.default_rng(0), n_draws=1000)
    return tuple(zip(sizes, rates.tolist(), strict=True))
