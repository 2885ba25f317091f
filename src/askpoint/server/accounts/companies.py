"""Companies by whose OpenID Connect people may sign in: files named at the start of the server."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings

from askpoint.errors import InputError

__all__ = ["form_origins", "known_companies", "read_companies"]

_KEYS = {"id", "name", "server", "client_id", "secret"}


def read_companies(paths: Sequence[str]) -> list[dict[str, Any]]:
    """Return what the files of `--openid` say, as django-allauth takes it.

    Parameters
    ----------
    paths : sequence of str
        JSON objects with the keys id, name, server, client_id, secret.

    Raises
    ------
    InputError
        If a file is not there, is no such object, or names a server without https.
    """
    return [_read(Path(path)) for path in paths]


def _read(path: Path) -> dict[str, Any]:
    try:
        said = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise InputError(f"--openid: {path} cannot be read: {error.strerror}") from None
    except ValueError:
        raise InputError(f"--openid: {path} is not JSON") from None
    if not (
        isinstance(said, dict)
        and set(said) == _KEYS
        and all(isinstance(it, str) and it for it in said.values())
    ):
        raise InputError(f"--openid: {path} must hold the texts {', '.join(sorted(_KEYS))}")
    if not (said["id"].isascii() and said["id"].replace("-", "").isalnum()):
        raise InputError(f"--openid: id must be letters, digits and hyphens; got {said['id']!r}")
    server = urlsplit(said["server"])
    if server.scheme != "https" and server.hostname not in ("127.0.0.1", "localhost"):
        raise InputError(f"--openid: server must begin with https://; got {said['server']!r}")
    return {
        "provider_id": said["id"],
        "name": said["name"],
        "client_id": said["client_id"],
        "secret": said["secret"],
        "settings": {"server_url": said["server"]},
    }


def known_companies() -> list[dict[str, Any]]:
    """Return by whose sign-in people may come in."""
    return list(settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"])


def form_origins() -> list[str]:
    """Return where a form of the sign-in page may lead: browsers follow it there only if the page says so."""
    servers = (urlsplit(one["settings"]["server_url"]) for one in known_companies())
    return [f"{server.scheme}://{server.netloc}" for server in servers]
