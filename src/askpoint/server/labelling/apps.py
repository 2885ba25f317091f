"""The app: what a reviewer said counts when they sign out."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_out

__all__ = ["LabellingConfig"]


class LabellingConfig(AppConfig):
    """What people label."""

    name = "askpoint.server.labelling"

    def ready(self) -> None:
        """Count held votes when their reviewer signs out."""
        user_logged_out.connect(_count_votes, dispatch_uid="askpoint.labelling")


def _count_votes(user: Any = None, **_: Any) -> None:
    from askpoint.server.labelling.desk import count_votes_of  # needs the models of all apps

    if user is not None:
        count_votes_of(user.username)
