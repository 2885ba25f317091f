"""Ask when the early notice tells of a topic that players are told of, and how often it is false."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from askpoint.arena.answers.contest import Contest, contest_world
from askpoint.arena.simulation.crowd import Habits
from askpoint.arena.simulation.experiment import terms_of
from askpoint.arena.simulation.topic_notices import TopicNotice, notices_of, play_with_notice
from askpoint.arena.simulation.world import World
from askpoint.errors import InputError

__all__ = ["DriftAnswer", "answer_drift"]


@dataclass(frozen=True, eq=False)
class DriftAnswer:
    """All that was played; see `answer_drift`.

    Parameters
    ----------
    contest : Contest
        On what.
    habits : Habits
        The crowd's.
    design : int
        The design that was played, with those below it.
    n_cases, after : int
        Cases of a campaign, and those after which the topic is told.
    told, quiet : tuple of Noticed
        Campaigns with a topic that is told, and as many without one.
    """

    contest: Contest
    habits: Habits
    design: int
    n_cases: int
    after: int
    told: tuple[TopicNotice, ...]
    quiet: tuple[TopicNotice, ...]

    @property
    def noticed(self) -> tuple[TopicNotice, ...]:
        """The campaigns in which a notice came after the topic was told."""
        return tuple(one for one in self.told if one.first is not None)

    @property
    def delays(self) -> list[tuple[int, int]]:
        """Judged cases from the topic's first one to the notice; and those of the topic."""
        return [
            (one.first - one.told + 1, one.n_seen)
            for one in self.told
            if one.first is not None and one.told is not None
        ]

    @property
    def false(self) -> tuple[int, int]:
        """Notices where nothing was told, and the periods in which one could have come."""
        both = (*self.told, *self.quiet)
        return sum(one.early for one in both), sum(one.n_quiet for one in both)


def answer_drift(
    contest: Contest,
    *,
    design: int = 4,
    seeds: int = 5,
    cases: int = 500,
    search_precision: float | None = None,
    progress: Callable[[str], None] | None = None,
) -> DriftAnswer:
    """Tell all players of a topic in the middle of a campaign, and watch for a rise of errors.

    Parameters
    ----------
    contest : Contest
        The model and its cases.
    design : int, default=4
        The design, with those below it.
    seeds : int, default=5
        Campaigns with a topic, from the seeds 1, 2, ...; and as many without.
    cases : int, default=500
        Cases of a campaign; the topic is told after two fifths of them.
    search_precision : float, optional
        As in `askpoint.arena.simulation.crowd.Habits`.
    progress : callable, optional
        Told in a line what has been done.

    Returns
    -------
    DriftAnswer
        What was noticed, campaign by campaign.

    Raises
    ------
    InputError
        If a number is out of its range.
    NotEstimableError
        If there are too few cases for a time of reference.
    """
    if seeds < 1:
        raise InputError(f"seeds must be at least 1; got {seeds}")
    tell = progress or (lambda _: None)
    habits = Habits() if search_precision is None else Habits(search_precision=search_precision)
    after = 2 * cases // 5
    notices: tuple[list[TopicNotice], list[TopicNotice]] = ([], [])
    for seed in range(1, seeds + 1):
        layout, *luck = np.random.Generator(np.random.PCG64(seed)).spawn(3)
        world = contest_world(contest, layout)
        terms = terms_of(world, design)
        for kept, state, moment in zip(notices, luck, (after, None), strict=True):
            end, topic = play_with_notice(world, terms, habits, state, n_cases=cases, after=moment)
            kept.append(notices_of(end, topic, _words(world)))
        tell(f"playing: {seed} of {seeds} seeds done")
    return DriftAnswer(contest, habits, design, cases, after, tuple(notices[0]), tuple(notices[1]))


def _words(world: World) -> Callable[[int, str], str]:
    """Watch texts by their words, and what is no text by the topic's name."""
    if world.embed is None:
        return lambda _, text: text
    return lambda row, _: "kind" + re.sub(r"\W", "", world.topics[row] or "plain")
