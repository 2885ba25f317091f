"""The likelihood of votes whose judges err independently, and Newton's way to its top."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, special

from askpoint.measures.inputs import BoolArray, FloatArray

__all__ = ["EDGE", "LatentClass", "maximise"]

EDGE = float(special.logit(1 - 1e-6))
"""Logits stay within those of 1e-6 and 1 - 1e-6."""

_NEWTON = 200
_STRIDE = 3.0  # logits
_FLAT = 1e-7
_GAIN = 1e-9

_Expansion = tuple[float, FloatArray, FloatArray]


class LatentClass:
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


def maximise(
    expand: Callable[[FloatArray], _Expansion], start: FloatArray, free: BoolArray
) -> tuple[FloatArray, float]:
    """Return the top near `start` and minus its log-likelihood: Newton steps, damped until they help."""
    x = start.copy()
    loss, gradient, curvature = expand(x)
    damping = 1e-3
    for _ in range(_NEWTON):
        stuck = (np.abs(x) >= EDGE) & (x * gradient < 0)
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
            trial[moving] = np.clip(x[moving] + step, -EDGE, EDGE)
            new = expand(trial)
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
    return x, loss
