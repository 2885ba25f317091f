"""Intervals near failure: by the likelihood of the votes, which needs no delta method.

Where a judge is nearly blind, a label rare or an estimate at its edge, the error of an
evaluation is far from normal. The profile likelihood asks instead how far one number can move
before the votes, whatever the other numbers, become too unlikely.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from askpoint.errors import InputError, NotEstimableError
from askpoint.judges.evaluation import EvaluationIntervals
from askpoint.judges.methods.latent_class import EDGE, LatentClass, maximise
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.measures.inputs import FloatArray, as_level
from askpoint.measures.intervals import Interval

__all__ = ["NEAR_BLIND", "RARE_ITEMS", "near_failure", "profile_intervals"]

NEAR_BLIND = 0.3
"""Below this |d_i| = |P_ia + P_ib - 1| the delta method holds less often than it says."""

RARE_ITEMS = 20
"""As few expected items of a label make a label rare for the delta method."""

_FEWEST = 5  # expected items of a label, below which there is no interval
_STARTS = (0.5, 0.2, 0.8)
_MOST_JUDGES = 10
_CLOSE = 2e-4


def near_failure(prevalence: float, accuracy: FloatArray, n_items: float) -> bool:
    """Whether the delta method's intervals are not to be believed: a blind judge, a rare label."""
    d = accuracy.sum(axis=1) - 1
    inside = (accuracy > 0).all() and (accuracy < 1).all() and 0 < prevalence < 1
    rare = n_items * min(prevalence, 1 - prevalence) < RARE_ITEMS
    return bool(np.abs(d).min() < NEAR_BLIND or rare or not inside)


def profile_intervals(sketch: VoteSketch, *, level: float = 0.95) -> EvaluationIntervals:
    """Return intervals for judges who err independently, where the delta method fails.

    Parameters
    ----------
    sketch : VoteSketch
        Three judges or more and two labels; items that not all of them judged count, too.
    level : float, default=0.95
        Interval coverage.

    Returns
    -------
    EvaluationIntervals

    Raises
    ------
    InputError
        If there are fewer than 3 or more than 10 judges, or not two labels.
    NotEstimableError
        If nobody voted.

    Notes
    -----
    {theta: 2 (l_max - l_prof(theta)) <= chi2_1(level)} of the latent class model. A label with
    fewer than 5 expected items has no interval, nor has anything whose interval would hold
    both sides of the label swap (all d_i change their signs). Wide ones are kept: without those
    wider than .5 the rest held .80 of prevalences, being those of the most extreme estimates.

    Examples
    --------
    >>> from askpoint.judges.methods.profile import profile_intervals
    >>> from askpoint.judges.sketch.vote_sketch import VoteSketch
    >>> votes = VoteSketch(["ann", "bob", "cy"], ["ham", "spam"])
    >>> votes.update_codes(
    ...     [[0, 0, 0], [1, 1, 1], [0, 0, 1], [0, 1, 0], [1, 0, 0]], [900, 60, 20, 25, 30]
    ... )
    >>> low, high = profile_intervals(votes).prevalence["spam"]
    >>> low < 0.06 < high
    True
    """
    if not 3 <= len(sketch.judges) <= _MOST_JUDGES or len(sketch.labels) != 2:
        raise InputError(
            f"profile intervals are for 3 to {_MOST_JUDGES} judges and two labels; got "
            f"{len(sketch.judges)} and {len(sketch.labels)}"
        )
    votes, counts = sketch.cells()
    if not (votes >= 0).any():
        raise NotEstimableError("nobody voted, so there is nothing to tell intervals from")
    fit = _Profile(votes, counts)
    best = fit.maximum()
    bound = float(special.chdtri(1, 1 - as_level(level, "level"))) / 2
    n, k = float(counts.sum()), len(sketch.judges)
    p = float(special.expit(best.x[0]))
    reasons: dict[str, str] = {}

    def interval(place: int, name: str) -> Interval | None:
        try:
            return Interval(*fit.interval(place, best, bound))
        except _Swapped:
            reasons[name] = "the votes fit both a label and its opposite"
            return None

    first, second = sketch.labels
    rare = [label for label, share in ((first, p), (second, 1 - p)) if n * share < _FEWEST]
    if rare:
        why = f"fewer than {_FEWEST} items of {rare[0]!r} are expected"
        return EvaluationIntervals(
            dict.fromkeys(sketch.labels),
            {judge: dict.fromkeys(sketch.labels) for judge in sketch.judges},
            dict.fromkeys(sketch.labels, why)
            | {f"{judge}, {label}": why for judge in sketch.judges for label in sketch.labels},
        )
    prevalence = {first: interval(0, first)}
    estimate = prevalence[first]
    prevalence[second] = (
        None if estimate is None else Interval(1 - estimate.upper, 1 - estimate.lower)
    )
    if estimate is None:
        reasons[second] = reasons[first]
    accuracy = {
        judge: {
            label: interval(1 + k * column + row, f"{judge}, {label}")
            for column, label in enumerate(sketch.labels)
        }
        for row, judge in enumerate(sketch.judges)
    }
    return EvaluationIntervals(prevalence, accuracy, reasons)


class _Swapped(Exception):  # noqa: N818
    """The profile reached the other side of the label swap."""


@dataclass(frozen=True)
class _Fit:
    x: FloatArray
    loss: float


class _Profile:
    """The likelihood of vote patterns with one number held at a value."""

    def __init__(self, votes: NDArray[np.int16], counts: NDArray[np.int64]) -> None:
        self.model = LatentClass(votes, counts)
        self.k = votes.shape[1]

    def fit(self, start: FloatArray, place: int | None = None, value: float = 0.0) -> _Fit:
        """Return the best fit near `start`, with one logit held at a value if so wished."""
        x = start.copy()
        free = np.ones(len(x), dtype=bool)
        if place is not None:
            x[place], free[place] = value, False
        return _Fit(*maximise(self.model.expand, x, free))

    def starts(self) -> list[FloatArray]:
        logit = float(special.logit(0.7))
        return [np.concatenate([[special.logit(p)], np.full(2 * self.k, logit)]) for p in _STARTS]

    def maximum(self) -> _Fit:
        """Return the best fit on the side where judges are better than chance together."""
        fits = [self._swap_if_inverted(self.fit(start)) for start in self.starts()]
        return min(fits, key=lambda fit: fit.loss)

    def _swap_if_inverted(self, fit: _Fit) -> _Fit:
        """Swap the labels of a fit whose judges are worse than chance together."""
        if not self.is_swapped(fit.x):
            return fit
        a, b = fit.x[1 : 1 + self.k], fit.x[1 + self.k :]
        return _Fit(np.concatenate([[-fit.x[0]], -b, -a]), fit.loss)

    def is_swapped(self, x: FloatArray) -> bool:
        return bool(special.expit(x[1:]).sum() < self.k)

    def interval(self, place: int, best: _Fit, bound: float) -> tuple[float, float]:
        low, high = (self._end(place, best, bound, side) for side in (-1.0, 1.0))
        return (
            0.0 if low <= -EDGE else float(special.expit(low)),
            1.0 if high >= EDGE else float(special.expit(high)),
        )

    def _end(self, place: int, best: _Fit, bound: float, side: float) -> float:
        """Walk away from the best value until the votes become too unlikely."""
        enough = best.loss + bound
        near, step = best, 0.25
        while True:
            inner = near.x[place]
            if side * inner >= EDGE:
                break
            outer = float(np.clip(inner + side * step, -EDGE, EDGE))
            fit = self.fit(near.x, place, outer)
            if fit.loss <= enough:
                near, step = fit, 2 * step
                continue
            near, outer = self._between(place, near, outer, enough)
            fresh = min(
                (self.fit(start, place, outer) for start in self.starts()),
                key=lambda fit: fit.loss,
            )
            if fresh.loss > enough:
                break
            near, step = fresh, 0.25  # another hill of the likelihood reaches farther
        if self.is_swapped(near.x):
            raise _Swapped
        return float(near.x[place])

    def _between(self, place: int, near: _Fit, outer: float, enough: float) -> tuple[_Fit, float]:
        """Halve the way between a value that fits and one that does not."""
        while abs(special.expit(outer) - special.expit(near.x[place])) > _CLOSE:
            middle = (near.x[place] + outer) / 2
            fit = self.fit(near.x, place, middle)
            if fit.loss <= enough:
                near = fit
            else:
                outer = middle
        return near, outer
