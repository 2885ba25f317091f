"""Where labels do not tell how often the model is right: the worst and the best that may be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from askpoint.answers.value.label_gaps import in_holes
from askpoint.answers.value.model_cases import ModelCases
from askpoint.answers.value.posteriors import posterior_of
from askpoint.value.posterior.prospects import draw_prospects

__all__ = ["WorstCase", "worst_case"]


@dataclass(frozen=True)
class WorstCase:
    """Bounds on the share of mistakes if the model decided every case.

    Parameters
    ----------
    unknown : float
        Share of the cases at confidences without a label: all of them may be right, or wrong.
    low, high : float
        Share of mistakes among all cases, at least and at most.
    """

    unknown: float
    low: float
    high: float


def worst_case(case: ModelCases) -> WorstCase:
    """Bound the mistakes: by the posterior where there are labels, by nothing elsewhere."""
    places = case.places
    by_costs = case.question.objective.costs is not None
    posterior = posterior_of(places, is_weighted=False, is_score=by_costs)
    found = draw_prospects(posterior, np.random.default_rng(case.question.seed))
    open_ones = in_holes(case, by_chance=True)
    group = np.searchsorted(found.thresholds[:-1], places.lowest, side="right") - 1
    mass = np.bincount(group.clip(0), places.mass * ~open_ones, len(found.mass))
    wrong = (1 - found.right_draws) @ (mass / places.mass.sum())
    low, high = np.quantile(wrong, [0.025, 0.975]).tolist()
    unknown = places.share(open_ones)
    return WorstCase(unknown, low, high + unknown)
