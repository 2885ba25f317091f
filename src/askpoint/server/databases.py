"""A database by its URL: a SQLite file, or PostgreSQL for many."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from askpoint.errors import InputError

__all__ = ["database_of"]


def database_of(url: str) -> dict[str, Any]:
    """Return Django's description of a database.

    Parameters
    ----------
    url : str
        sqlite:///FILE (four slashes for an absolute path), or
        postgresql://USER:PASSWORD@HOST:PORT/NAME.

    Returns
    -------
    dict

    Raises
    ------
    InputError
        For any other.
    """
    parts = urlsplit(url)
    if parts.scheme == "sqlite" and len(parts.path) > 1 and not parts.netloc:
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": str(Path(unquote(parts.path[1:])).absolute()),
            "CONN_MAX_AGE": None,
            "OPTIONS": {
                # A transaction that reads first and writes later could not be retried; so the
                # write lock is taken at once. FULL: what is acknowledged survives a power cut.
                "transaction_mode": "IMMEDIATE",
                "timeout": 60,  # as long as the stores of deployments wait
                # What is deleted, an unlawful image say, is overwritten on the disk.
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; "
                "PRAGMA secure_delete=ON;",
            },
        }
    if parts.scheme in ("postgresql", "postgres") and len(parts.path) > 1:
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": unquote(parts.path[1:]),
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": parts.hostname or "",
            "PORT": str(parts.port or ""),
            "CONN_MAX_AGE": None,
            "CONN_HEALTH_CHECKS": True,
            "OPTIONS": dict(parse_qsl(parts.query)),
        }
    raise InputError(
        "a database is sqlite:///FILE or postgresql://USER:PASSWORD@HOST:PORT/NAME; "
        f"got one that starts with {parts.scheme or 'nothing'}:"
    )
