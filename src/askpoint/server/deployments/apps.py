"""The app: its queue is registered when it is ready."""

from __future__ import annotations

import importlib

from django.apps import AppConfig

__all__ = ["DeploymentsConfig"]


class DeploymentsConfig(AppConfig):
    """Classifiers in use."""

    name = "askpoint.server.deployments"

    def ready(self) -> None:
        """Make the queue of classifiers known, and what waiting cases put into webhooks."""
        importlib.import_module("askpoint.server.deployments.queue")
        importlib.import_module("askpoint.server.deployments.second_opinions")
