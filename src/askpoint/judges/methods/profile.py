"""Intervals near failure: by the likelihood of the votes, which needs no delta method.

Where a judge is nearly blind, a label rare or an estimate at its edge, the error of an
evaluation is far from normal. The profile likelihood asks instead how far one number can move
before the votes, whatever the other numbers, become too unlikely.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, special

from askpoint.errors import InputError, NotEstimableError
from askpoint.judges.sketch.vote_sketch import VoteSketch
from askpoint.measures.inputs import FloatArray, as_level
from askpoint.measures.intervals import Interval

__all__ = ["NEAR_BLIND", "RARE_ITEMS", "ProfileIntervals", "near_failure", "profile_intervals"]

NEAR_BLIND = 0.3
"""Below this |d_i| = |P_ia + P_ib - 1| the delta method holds less often than it says."""

RARE_ITEMS = 20
"""As few expected items of a label make a label rare for the delta method."""

_FEWEST = 5  # expected items of a label, below which there is no interval
_WIDEST = 0.5
_EDGE = float(special.logit(1 - 1e-6))
_STARTS = (0.5, 0.2, 0.8)
_MOST_JUDGES = 12
_NEWTON = 200
_STRIDE = 3.0  # logits
_FLAT = 1e-7
_GAIN = 1e-9
_CLOSE = 2e-4


@dataclass(frozen=True)
class ProfileIntervals:
    """Intervals by profile likelihood; None where the votes do not tell.

    Attributes
    ----------
    prevalence : mapping of label to Interval or None
    accuracy : mapping of judge to mapping of label to Interval or None
    reasons : mapping of str to str
        Why a number has no interval: by label, or by judge and label ("ann, ham").
    """

    prevalence: Mapping[str, Interval | None]
    accuracy: Mapping[str, Mapping[str, Interval | None]]
    reasons: Mapping[str, str]


def near_failure(prevalence: float, accuracy: FloatArray, n_items: float) -> bool:
    """Whether the delta method's intervals are not to be believed: a blind judge, a rare label."""
    d = accuracy.sum(axis=1) - 1
    inside = (accuracy > 0).all() and (accuracy < 1).all() and 0 < prevalence < 1
    rare = n_items * min(prevalence, 1 - prevalence) < RARE_ITEMS
    return bool(np.abs(d).min() < NEAR_BLIND or rare or not inside)


def profile_intervals(sketch: VoteSketch, *, level: float = 0.95) -> ProfileIntervals:
    """Return intervals for judges who err independently, where the delta method fails.

    Parameters
    ----------
    sketch : VoteSketch
        Three judges or more and two labels; items that not all of them judged count, too.
    level : float, default=0.95
        Interval coverage.

    Returns
    -------
    ProfileIntervals

    Raises
    ------
    InputError
        If there are fewer than 3 or more than 12 judges, or not two labels.
    NotEstimableError
        If nobody voted.

    Notes
    -----
    {theta: 2 (l_max - l_prof(theta)) <= chi2_1(level)} of the latent class model. A label with
    fewer than 5 expected items has no interval, nor has anything whose interval would hold
    both sides of the label swap (all d_i change their signs) or be wider than .5.

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
            f"profile intervals are for 3 to {_MOST_JUDGES} judges and two labels, got "
            f"{len(sketch.judges)} and {len(sketch.labels)}"
        )
    votes, counts = sketch.cells()
    if not (votes >= 0).any():
        raise NotEstimableError("nobody voted, so there is nothing to tell intervals from")
    fit = _LatentClass(votes, counts)
    best = fit.maximum()
    bound = float(special.chdtri(1, 1 - as_level(level, "level"))) / 2
    n, k = float(counts.sum()), len(sketch.judges)
    p = float(special.expit(best.x[0]))
    reasons: dict[str, str] = {}

    def interval(place: int, name: str) -> Interval | None:
        try:
            low, high = fit.interval(place, best, bound)
        except _Swapped:
            reasons[name] = "the votes fit both a label and its opposite"
            return None
        if high - low > _WIDEST:
            reasons[name] = f"anything from {low:.2f} to {high:.2f} fits the votes"
            return None
        return Interval(low, high)

    first, second = sketch.labels
    rare = [label for label, share in ((first, p), (second, 1 - p)) if n * share < _FEWEST]
    if rare:
        why = f"fewer than {_FEWEST} items of {rare[0]!r} are expected"
        return ProfileIntervals(
            dict.fromkeys(sketch.labels),
            {judge: dict.fromkeys(sketch.labels) for judge in sketch.judges},
            dict.fromkeys(sketch.labels, why)
            | {f"{judge}, {label}": why for judge in sketch.judges for label in sketch.labels},
        )
    prevalence = {first: interval(0, first)}
    found = prevalence[first]
    prevalence[second] = None if found is None else Interval(1 - found.upper, 1 - found.lower)
    if found is None:
        reasons[second] = reasons[first]
    accuracy = {
        judge: {
            label: interval(1 + k * column + row, f"{judge}, {label}")
            for column, label in enumerate(sketch.labels)
        }
        for row, judge in enumerate(sketch.judges)
    }
    return ProfileIntervals(prevalence, accuracy, reasons)


class _Swapped(Exception):  # noqa: N818
    """The profile reached the other side of the label swap."""


@dataclass(frozen=True)
class _Fit:
    x: FloatArray
    loss: float


class _LatentClass:
    """The likelihood of vote patterns, in logits: of p, of all P_ia, of all P_ib."""

    def __init__(self, votes: NDArray[np.int16], counts: NDArray[np.int64]) -> None:
        self.said = ((votes == 0).astype(np.float64), (votes == 1).astype(np.float64))
        self.voted = (votes >= 0).astype(np.float64)
        self.counts = counts.astype(np.float64)
        self.k = votes.shape[1]

    def expand(self, x: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        """Return minus the log-likelihood, its gradient, and its curvature (Louis' formula)."""
        a, b = x[1 : 1 + self.k], x[1 + self.k :]
        p, A, B = special.expit(x[0]), special.expit(a), special.expit(b)
        # log P(right) = x - softplus(x), log P(wrong) = -softplus(x)
        log_a = self.said[0] @ a - self.voted @ np.logaddexp(0, a) - np.logaddexp(0, -x[0])
        log_b = self.said[1] @ b - self.voted @ np.logaddexp(0, b) - np.logaddexp(0, x[0])
        total = np.logaddexp(log_a, log_b)
        r = np.exp(log_a - total)
        in_a, in_b = self.counts * r, self.counts * (1 - r)
        score_a = self.said[0] - self.voted * A
        score_b = self.said[1] - self.voted * B
        gradient = np.concatenate(
            [[in_a.sum() - self.counts.sum() * p], in_a @ score_a, in_b @ score_b]
        )
        between = np.column_stack([np.ones(len(r)), score_a, -score_b])
        complete = np.concatenate(
            [
                [self.counts.sum() * p * (1 - p)],
                (in_a @ self.voted) * A * (1 - A),
                (in_b @ self.voted) * B * (1 - B),
            ]
        )
        curvature = np.diag(complete) - (between.T * (self.counts * r * (1 - r))) @ between
        return -float(self.counts @ total), -gradient, curvature

    def fit(self, start: FloatArray, place: int | None = None, value: float = 0.0) -> _Fit:
        """Return the best fit near `start`, with one logit held at a value if so wished.

        Newton steps, damped until they help; logits stay within those of 1e-6 and 1 - 1e-6.
        """
        x = start.copy()
        free = np.ones(len(x), dtype=bool)
        if place is not None:
            x[place], free[place] = value, False
        loss, gradient, curvature = self.expand(x)
        damping = 1e-3
        for _ in range(_NEWTON):
            stuck = (np.abs(x) >= _EDGE) & (x * gradient < 0)
            moving = np.flatnonzero(free & ~stuck)
            if not len(moving) or np.abs(gradient[moving]).max() < _FLAT:
                break
            matrix = curvature[np.ix_(moving, moving)]
            scale = np.abs(np.diag(matrix)).max() + 1e-12
            while damping < 1e9:
                trial = x.copy()
                try:
                    factor = linalg.cho_factor(matrix + damping * scale * np.eye(len(moving)))
                except linalg.LinAlgError:
                    damping = max(10 * damping, 1e-6)
                    continue
                step = -linalg.cho_solve(factor, gradient[moving])
                step *= min(1.0, _STRIDE / np.abs(step).max())
                trial[moving] = np.clip(x[moving] + step, -_EDGE, _EDGE)
                new = self.expand(trial)
                if new[0] <= loss:
                    break
                damping = max(10 * damping, 1e-6)
            else:
                break
            gained, x = loss - new[0], trial
            loss, gradient, curvature = new
            damping /= 10
            if gained < _GAIN:
                break
        return _Fit(x, loss)

    def starts(self) -> list[FloatArray]:
        logit = float(special.logit(0.7))
        return [np.concatenate([[special.logit(p)], np.full(2 * self.k, logit)]) for p in _STARTS]

    def maximum(self) -> _Fit:
        """Return the best fit on the side where judges are better than chance together."""
        fits = [self._righted(self.fit(start)) for start in self.starts()]
        return min(fits, key=lambda fit: fit.loss)

    def _righted(self, fit: _Fit) -> _Fit:
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
            0.0 if low <= -_EDGE else float(special.expit(low)),
            1.0 if high >= _EDGE else float(special.expit(high)),
        )

    def _end(self, place: int, best: _Fit, bound: float, side: float) -> float:
        """Walk away from the best value until the votes become too unlikely."""
        enough = best.loss + bound
        near, step = best, 0.25
        while True:
            inner = near.x[place]
            if side * inner >= _EDGE:
                break
            outer = float(np.clip(inner + side * step, -_EDGE, _EDGE))
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
