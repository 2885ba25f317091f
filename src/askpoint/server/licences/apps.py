"""The app: its queue is registered when it is ready."""

from __future__ import annotations

import importlib

from django.apps import AppConfig

__all__ = ["LicencesConfig"]


class LicencesConfig(AppConfig):
    """Licences of agents."""

    name = "askpoint.server.licences"

    def ready(self) -> None:
        """Make the queue of agents known."""
        importlib.import_module("askpoint.server.licences.queue")
