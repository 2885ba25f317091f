"""What the arena adds to askpoint."""

from __future__ import annotations

from askpoint.registry import Plugin

__all__ = ["WING"]

WING = Plugin(
    name="arena",
    commands={"simulate": "askpoint.arena.cli.simulate:simulate_command"},
    names={
        "answer_simulation": "askpoint.arena.answers.answer:answer_simulation",
        "ArenaClient": "askpoint.arena.client.arena_client:ArenaClient",
        "ArmsDisplay": "askpoint.arena.displays.crowd:ArmsDisplay",
    },
    reports={"CrowdAnswer": "askpoint.arena.reports.document:CROWD_REPORT"},
    server="askpoint.arena.server.server_parts:PARTS",
)
"""Beat the Machine: game, simulated crowd, and the server's campaigns."""
