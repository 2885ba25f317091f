"""Who may send more than others: an organiser who is signed in, a log."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.sessions.backends.db import SessionStore
from django.core.handlers.wsgi import WSGIRequest
from django.db import DatabaseError, close_old_connections
from django.urls import reverse

from askpoint.server.accounts.seats import organised_workspaces

__all__ = ["most_sent", "too_large"]

_FORM = 1_000_000  # bytes of a request around its file


def most_sent(environ: dict[str, Any]) -> int:
    """Return how many bytes a request may have that brings a log; zero for any other."""
    if environ.get("REQUEST_METHOD") != "POST" or environ.get("PATH_INFO") != reverse(
        "log-reports"
    ):
        return 0
    request = WSGIRequest({**environ, "CONTENT_LENGTH": "0"})
    try:
        close_old_connections()
        request.session = SessionStore(request.COOKIES.get(settings.SESSION_COOKIE_NAME))
        user: Any = get_user(request)
        may = user.is_authenticated and bool(organised_workspaces(user))
    except DatabaseError:
        return 0
    return settings.ASKPOINT.most_log + _FORM if may else 0


def too_large(n_bytes: int) -> str:
    """Say how much was given, how much is allowed, and what to do."""
    return (
        f"A log has at most {settings.ASKPOINT.most_log:,} bytes here, and this request has {n_bytes:,}. Bring "
        "its newest rows, only the columns that are needed, or Parquet, which is smaller; or use `askpoint "
        "value` on your own machine. The administrator of the server sets the limit with --most-log."
    )
