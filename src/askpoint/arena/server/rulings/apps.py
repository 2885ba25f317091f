"""The app: its queue is registered when it is ready."""

from __future__ import annotations

import importlib

from django.apps import AppConfig

__all__ = ["RulingsConfig"]


class RulingsConfig(AppConfig):
    """Judges, votes and rulings."""

    name = "askpoint.arena.server.rulings"

    def ready(self) -> None:
        """Make the queue of campaigns known."""
        importlib.import_module("askpoint.arena.server.judges.queue")
