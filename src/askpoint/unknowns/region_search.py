"""Search for readable regions by beam, and what chance makes of many of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array

from askpoint.measures.inputs import FloatArray
from askpoint.unknowns.conditions import Condition

__all__ = ["adjust_p_values", "all_hold", "distinguishing_terms", "search_regions"]

_BEAM = 20
_GAIN = 0.5  # standard errors that a further condition must add
_LEAST_SCORE = 1.5  # standard errors below which nothing is suggested


def search_regions(
    table: csc_array,
    excess: FloatArray,
    variance: FloatArray,
    *,
    most_conditions: int,
    most_regions: int,
    least: int,
    score: Callable[[FloatArray, FloatArray], FloatArray] | None = None,
) -> list[tuple[int, ...]]:
    """Return regions with much excess, each without the cases of those before it.

    `score` says how good sums of excess and variance are, by default in standard errors.
    """
    score = score or _standard_errors
    alive = np.ones(len(excess))
    candidates: list[tuple[int, ...]] = []
    while len(candidates) < most_regions and table.shape[1]:
        best: tuple[float, tuple[int, ...]] = (_LEAST_SCORE, ())
        beam: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
        for _ in range(most_conditions):
            longer = []
            for reached, which in beam:
                mask = alive * all_hold(table, which)
                scores = score(table.T @ (mask * excess), table.T @ (mask * variance))
                scores[table.T @ mask < least] = -np.inf
                top = np.argsort(-scores, kind="stable")[:_BEAM]
                longer += [
                    (float(scores[j]), tuple(sorted((*which, int(j)))))
                    for j in top
                    if scores[j] > reached + _GAIN and j not in which
                ]
            beam = sorted(set(longer), reverse=True)[:_BEAM]
            if not beam:
                break
            if beam[0][0] > best[0] + (_GAIN if best[1] else 0):
                best = beam[0]
        if not best[1]:
            break
        candidates.append(best[1])
        alive[all_hold(table, best[1])] = 0
    return candidates


def _standard_errors(excess: FloatArray, variance: FloatArray) -> FloatArray:
    scores: FloatArray = excess / np.sqrt(variance + 0.5)
    return scores


def all_hold(table: csc_array, which: tuple[int, ...]) -> NDArray[np.bool_]:
    """Say where all of some conditions hold."""
    held: NDArray[np.bool_] = np.asarray(table[:, list(which)].sum(axis=1)) == len(which)
    return held.reshape(-1)


def adjust_p_values(p_values: Sequence[float], alpha: float) -> list[tuple[int, float]]:
    """Return those below alpha with their adjusted p-values, rising (Holm)."""
    adjusted, kept = 0.0, []
    for rank, i in enumerate(np.argsort(p_values, kind="stable").tolist()):
        adjusted = max(adjusted, min(1.0, p_values[i] * (len(p_values) - rank)))
        if adjusted > alpha:
            break
        kept.append((i, adjusted))
    return kept


def distinguishing_terms(
    table: csc_array,
    inside: NDArray[np.bool_],
    conditions: Sequence[Condition],
    own: tuple[int, ...],
    n: int = 5,
) -> tuple[str, ...]:
    """Conditions that hold more often inside than outside, by their log odds in standard errors."""
    held_in = table.T @ inside.astype(np.float64) + 0.5
    held_out = table.T @ (~inside).astype(np.float64) + 0.5
    not_in, not_out = inside.sum() + 1 - held_in, (~inside).sum() + 1 - held_out
    error = np.sqrt(1 / held_in + 1 / held_out + 1 / not_in + 1 / not_out)
    score = np.log(held_in * not_out / (held_out * not_in)) / error
    score[list(own)] = -np.inf
    top = np.argsort(-score, kind="stable")[:n]
    return tuple(str(conditions[j]) for j in top if score[j] > 2)
