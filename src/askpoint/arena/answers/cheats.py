"""Ask what cheats earn for certain, by the hour and by the visit, beside honest people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from askpoint.arena.simulation.experiment import SeedFigure, ratio_figure
from askpoint.arena.simulation.visits import (
    HONEST_JUDGE,
    HONEST_PLAYER,
    JUDGES,
    PLAYERS,
    Visit,
    judge_visit,
    player_visit,
)
from askpoint.errors import InputError

__all__ = ["CheatAnswer", "CheatLine", "answer_cheats"]

_HOUR = 3600.0


@dataclass(frozen=True, kw_only=True)
class CheatLine:
    """What one way to judge or to play earns.

    Parameters
    ----------
    name, role : str
        The way, and whether it is a judge's or a player's.
    honest : bool
        Whether nothing is wrong with it.
    per_hour, per_visit : float
        Final points, in the mean.
    per_hour_of_honest, per_visit_of_honest : SeedFigure
        The same over those of the honest person, with intervals over visits.
    stopped : float
        Share of the visits that the test ended.
    """

    name: str
    role: str
    honest: bool
    per_hour: float
    per_visit: float
    per_hour_of_honest: SeedFigure
    per_visit_of_honest: SeedFigure
    stopped: float


@dataclass(frozen=True)
class CheatAnswer:
    """All ways, honest ones first; see `answer_cheats`."""

    visits: int
    votes: int
    lines: tuple[CheatLine, ...]


def answer_cheats(
    *,
    visits: int = 400,
    votes: int = 240,
    seed: int = 0,
    progress: Callable[[str], None] | None = None,
) -> CheatAnswer:
    """Play each way to judge and to play so many times.

    Raises
    ------
    InputError
        If a number is out of its range.
    """
    if visits < 2 or votes < 1:
        raise InputError(f"visits and votes must be at least 2 and 1; got {visits} and {votes}")
    tell = progress or (lambda _: None)
    lines: list[CheatLine] = []
    states = iter(np.random.Generator(np.random.PCG64(seed)).spawn(2 + len(JUDGES) + len(PLAYERS)))
    for role, usual, others in (
        ("judge", HONEST_JUDGE, JUDGES),
        ("player", HONEST_PLAYER, PLAYERS),
    ):
        base: list[Visit] = []
        for who in (usual, *others):
            state = next(states)
            if role == "judge":
                played = [judge_visit(who, state, votes=votes) for _ in range(visits)]
            else:
                played = [player_visit(who, state) for _ in range(visits)]
            base = base or played
            lines.append(_line(who.name, role, played, base))
        tell(f"{role}s: {len(others) + 1} ways played")
    return CheatAnswer(visits, votes, tuple(lines))


def _line(name: str, role: str, played: list[Visit], base: list[Visit]) -> CheatLine:
    points = sum(visit.points for visit in played)
    hours = sum(visit.seconds for visit in played) / _HOUR
    honest_hour = sum(visit.points for visit in base) / (sum(v.seconds for v in base) / _HOUR)
    honest_visit = sum(visit.points for visit in base) / len(base)
    return CheatLine(
        name=name,
        role=role,
        honest=name.startswith(("honest", "poor")),
        per_hour=points / hours,
        per_visit=points / len(played),
        per_hour_of_honest=ratio_figure(
            [visit.points for visit in played],
            [visit.seconds / _HOUR * honest_hour for visit in played],
        ),
        per_visit_of_honest=ratio_figure(
            [visit.points for visit in played], [honest_visit] * len(played)
        ),
        stopped=sum(visit.stopped for visit in played) / len(played),
    )
