"""Rows and the game's own objects: players and probes."""

from __future__ import annotations

import askpoint.arena.server.probes.models as models
from askpoint.arena.game.feedback import Resemblance
from askpoint.arena.game.player import PlayerState
from askpoint.arena.game.probe import Prize, ProbeState
from askpoint.measures.model_answer import ModelAnswer

__all__ = ["CHANGING", "player_of", "probe_of", "store_player", "store_probe", "take_in"]


def player_of(row: models.Player) -> PlayerState:
    """Return the game's player."""
    return PlayerState(
        row.user.username, row.campaign_id, row.at, row.judged, row.found, barred=row.barred
    )


def store_player(row: models.Player, player: PlayerState) -> None:
    """Keep what changed."""
    row.at, row.judged, row.found, row.barred = (
        player.at,
        player.judged,
        player.found,
        player.barred,
    )
    row.save(update_fields=["at", "judged", "found", "barred"])


def probe_of(row: models.Probe) -> ProbeState:
    """Return the game's probe."""
    answer = None  # where a tag is challenged
    if row.probabilities:
        answer = ModelAnswer(tuple(row.probabilities), row.decision, row.model)
    return ProbeState(
        id=row.id,
        campaign=row.campaign_id,
        player=row.player.user.username,
        digest=row.digest,
        options=tuple(row.options),
        prizes=tuple(Prize(points, found) for points, found in row.prizes),
        tried=row.tried,
        at=row.at,
        answer=answer,
        resemblance=Resemblance(row.similarity, row.similarity_classifier),
        state=row.state,
        reason=row.reason,
        submitted=row.submitted,
        truth=row.truth,
        awarded=row.awarded,
        round=row.round,
        final=row.final,
        family=row.family,
        place=row.place,
    )


CHANGING = (
    "prizes",
    "at",
    "state",
    "reason",
    "submitted",
    "truth",
    "awarded",
    "round",
    "final",
    "family",
    "place",
    "similarity",
    "similarity_classifier",
    "similarity_reason",
)
"""What moves change; the rest of a row stays as it was tried."""


def take_in(row: models.Probe, probe: ProbeState) -> None:
    """Let a row say what the game's probe says, without saving it."""
    row.options = list(probe.options)
    row.prizes = [list(prize) for prize in probe.prizes]
    row.at, row.state, row.reason = probe.at, probe.state, probe.reason
    row.submitted, row.truth = probe.submitted, probe.truth
    row.awarded, row.round, row.final = probe.awarded, probe.round, probe.final
    row.family, row.place = probe.family, probe.place
    if probe.resemblance is not None:
        row.similarity = probe.resemblance.similarity
        row.similarity_classifier = probe.resemblance.classifier


def store_probe(row: models.Probe, probe: ProbeState, *, new: bool = False) -> None:
    """Keep what changed; a new row is saved whole."""
    take_in(row, probe)
    if new:
        row.save(force_insert=True)
    else:
        row.save(update_fields=CHANGING)
