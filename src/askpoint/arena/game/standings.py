"""Who leads: players by the points they were awarded, with what can be said of their precision."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from askpoint.arena.game.family import is_new_find
from askpoint.arena.game.probe import ProbeState
from askpoint.measures.intervals import Interval, binomial_interval

__all__ = ["PlayerStanding", "PlayerTally", "rank_players", "tally_probes"]


class PlayerTally(NamedTuple):
    """What a player has done so far.

    Parameters
    ----------
    player : str
        Who.
    points : int
        Awarded, base pay included.
    submitted, judged, found : int
        Cases submitted, of them judged, of them errors of the kind that is sought; what repeats
        an earlier find is not counted again.
    """

    player: str
    points: int
    submitted: int
    judged: int
    found: int


class PlayerStanding(NamedTuple):
    """A line of the table of players.

    Parameters
    ----------
    rank : int
        From 1; equal points share a rank, and the next one is left out.
    tally : Tally
        The player's counts.
    precision : Interval or None
        95% interval (Clopper and Pearson) of the share of found cases; None before the
        first case is judged.
    """

    rank: int
    tally: PlayerTally
    precision: Interval | None


def tally_probes(probes: Iterable[ProbeState]) -> tuple[PlayerTally, ...]:
    """Count each player's probes; a database may count them itself."""
    counts: dict[str, list[int]] = {}
    for probe in probes:
        if probe.submitted is not None:
            line = counts.setdefault(probe.player, [0, 0, 0, 0])
            line[0] += probe.awarded
            line[1] += 1
            line[2] += probe.truth is not None
            line[3] += is_new_find(probe)
    return tuple(PlayerTally(player, *line) for player, line in sorted(counts.items()))


def rank_players(tallies: Iterable[PlayerTally]) -> tuple[PlayerStanding, ...]:
    """Order players by their points."""
    ordered = sorted(tallies, key=lambda tally: (-tally.points, tally.player))
    standings: list[PlayerStanding] = []
    for place, tally in enumerate(ordered, start=1):
        tied = standings and standings[-1].tally.points == tally.points
        precision = binomial_interval(tally.found, tally.judged) if tally.judged else None
        standings.append(PlayerStanding(standings[-1].rank if tied else place, tally, precision))
    return tuple(standings)
