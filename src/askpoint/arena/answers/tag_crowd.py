"""Ask what a simulated tag challenge does to a model's labels, by the share of cheats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from askpoint.arena.answers.contest import Contest, contest_world
from askpoint.arena.simulation.crowd import Habits
from askpoint.arena.simulation.experiment import SeedFigure, mean_figure, ratio_figure
from askpoint.arena.simulation.tagging import TagOutcome, play_tags
from askpoint.errors import InputError

__all__ = ["CHEATERS", "TagAnswer", "TagLine", "answer_tags"]

CHEATERS = (0.0, 0.25, 0.5)
"""Shares of newcomers who propose anything."""

_POINTS_PER_CENT = 50


@dataclass(frozen=True, kw_only=True)
class TagLine:
    """A share of cheats over all seeds.

    Parameters
    ----------
    cheaters : float
        The share.
    before, after : Figure
        Labels of 100 that are right, as the model gave them and at the end.
    better : Figure
        Of 100 challenges, those that judges preferred.
    spoiled : Figure
        Of 100 items, those whose label was right and is wrong now.
    cents : Figure
        All that was paid for each label more that is right.
    honest, cheat : Figure
        Points for a step of an honest player and of a cheat.
    """

    cheaters: float
    before: SeedFigure
    after: SeedFigure
    better: SeedFigure
    spoiled: SeedFigure
    cents: SeedFigure
    honest: SeedFigure
    cheat: SeedFigure


@dataclass(frozen=True, eq=False)
class TagAnswer:
    """All that was played; see `answer_tags`."""

    contest: Contest
    habits: Habits
    seeds: int
    n_items: int
    lines: tuple[TagLine, ...]


def answer_tags(
    contest: Contest,
    *,
    seeds: int = 5,
    items: int = 300,
    progress: Callable[[str], None] | None = None,
) -> TagAnswer:
    """Let simulated crowds propose better labels than the model's, with more and more cheats.

    Parameters
    ----------
    contest : Contest
        The model and its cases.
    seeds : int, default=5
        How often everything is played, from the seeds 1, 2, ...
    items : int, default=300
        Items of a challenge.
    progress : callable, optional
        Told in a line what has been done.

    Returns
    -------
    TagAnswer
        A line for each share of cheats.

    Raises
    ------
    InputError
        If a number is out of its range.
    """
    if seeds < 1:
        raise InputError(f"seeds must be at least 1; got {seeds}")
    tell, habits = progress or (lambda _: None), Habits()
    outcomes_by_share: dict[float, list[TagOutcome]] = {share: [] for share in CHEATERS}
    for seed in range(1, seeds + 1):
        layout, luck = np.random.Generator(np.random.PCG64(seed)).spawn(2)
        world = contest_world(contest, layout)
        states = luck.spawn(len(CHEATERS))
        for share, state in zip(CHEATERS, states, strict=True):
            crowd = replace(habits, cheaters=share)
            outcomes_by_share[share].append(play_tags(world, crowd, state, n_items=items))
        tell(f"playing: {seed} of {seeds} seeds done")
    lines = tuple(_line(share, played) for share, played in outcomes_by_share.items())
    return TagAnswer(contest, habits, seeds, items, lines)


def _line(share: float, played: list[TagOutcome]) -> TagLine:
    items = [outcome.n_items / 100 for outcome in played]
    return TagLine(
        cheaters=share,
        before=ratio_figure([outcome.right_before for outcome in played], items),
        after=ratio_figure([outcome.right_after for outcome in played], items),
        better=ratio_figure(
            [100 * outcome.n_better for outcome in played],
            [outcome.n_challenges for outcome in played],
        ),
        spoiled=ratio_figure([outcome.spoiled for outcome in played], items),
        cents=ratio_figure(
            [outcome.paid / _POINTS_PER_CENT for outcome in played],
            [outcome.right_after - outcome.right_before for outcome in played],
        ),
        honest=mean_figure([outcome.honest_points for outcome in played]),
        cheat=mean_figure([outcome.cheat_points for outcome in played])
        if share
        else SeedFigure(None, None),
    )
