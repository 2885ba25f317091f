"""A capacity of people's days: the threshold that keeps it, and how often a day exceeds it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from askpoint.answers.value.model_cases import ModelCases
from askpoint.errors import InputError, LogError
from askpoint.value.daily_capacity import DayThreshold, daily_load, threshold_for_days

__all__ = ["DailyLoadAnswer", "daily_load_of"]


@dataclass(frozen=True)
class DailyLoadAnswer:
    """What the next day asks.

    Parameters
    ----------
    limit : float
        Cases that people can take on a day.
    kept : float
        With this probability a day is to keep it.
    n_days : int
        Whole days of the log.
    cut_short : bool
        Whether the first and the last day were left out.
    found : DayThreshold
        The threshold that keeps it, and what the next day asks with it.
    on_average : float
        Chance that a day exceeds the limit with a threshold that asks so many on average.
    """

    limit: float
    kept: float
    n_days: int
    cut_short: bool
    found: DayThreshold
    on_average: float


def daily_load_of(case: ModelCases, kept: float) -> DailyLoadAnswer:
    """Return the threshold that keeps a capacity of days with a probability."""
    log, objective = case.log, case.question.objective
    limit = objective.capacity
    if limit is None or limit < 1:
        raise InputError(
            f"a day's capacity is a whole number of cases, AskAtMost(400); got {objective}"
        )
    if log is None or log.days is None:
        raise LogError("a day's capacity takes the days of the cases: name the column (--time)")
    day, confidence = log.days.numbers, case.places.lowest
    if log.days.has_times:
        inside = (day > day.min()) & (day < day.max())
        day, confidence = day[inside], confidence[inside]
    found = threshold_for_days(confidence, day, limit, kept=kept)
    n_days = len(np.unique(day))
    # so many cases lie below it that a day asks its capacity on average
    rank = int(min(limit * n_days, len(confidence)))
    even = np.append(np.sort(confidence), np.inf)[rank]
    chance = daily_load(confidence, day, float(even)).chance_above(limit)
    return DailyLoadAnswer(limit, kept, n_days, log.days.has_times, found, chance)
