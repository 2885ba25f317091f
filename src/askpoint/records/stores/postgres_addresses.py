"""The address of a deployment in PostgreSQL: a database, and the deployment's name in it."""

from __future__ import annotations

import hashlib
import re
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from askpoint.errors import InputError

__all__ = ["Address", "is_address", "read_address"]

_SCHEMES = ("postgresql", "postgres")
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,49}")
_PREFIX = "askpoint"
_KEY = "deployment="


class Address(NamedTuple):
    """Where a deployment is.

    Attributes
    ----------
    conninfo : str
        What PostgreSQL's own library takes.
    name : str
        Of the deployment in its database; empty if there is only one.
    shown : str
        The address without user and password.
    """

    conninfo: str
    name: str
    shown: str

    def __str__(self) -> str:
        return self.shown

    @property
    def database(self) -> str:
        """The name of the database."""
        return urlsplit(self.shown).path.strip("/") or "policy"

    @property
    def schema(self) -> str:
        """The schema that holds its tables."""
        return f"{_PREFIX}_{self.name}" if self.name else _PREFIX

    @property
    def lock(self) -> int:
        """The number by which its writers wait for each other."""
        digest = hashlib.sha256(f"askpoint deployment {self.schema}".encode()).digest()
        return int.from_bytes(digest[:8], "big", signed=True)


def is_address(where: str) -> bool:
    """Say whether this is the address of a server, and no folder."""
    return "://" in where


def read_address(where: str) -> Address:
    """Read ``postgresql://USER:PASSWORD@HOST:PORT/DATABASE?deployment=NAME``."""
    parts = urlsplit(where)
    if parts.scheme not in _SCHEMES:
        raise InputError(
            f"a deployment lies in a folder of this machine, in ':memory:' or at postgresql://...; got "
            f"{parts.scheme}://..."
        )
    query = [text for text in parts.query.split("&") if text]
    names = [unquote(text[len(_KEY) :]) for text in query if text.startswith(_KEY)]
    name = names[-1] if names else ""
    if names and not _NAME.fullmatch(name):
        raise InputError(
            f"deployment={name[:80]} must be a name of at most 50 lower-case letters, digits, - and _; "
            "write it as postgresql://HOST/DATABASE?deployment=posts"
        )
    rest = "&".join(text for text in query if not text.startswith(_KEY))
    conninfo = parts._replace(scheme="postgresql", query=rest).geturl()
    hosts = parts.netloc.rpartition("@")[2]
    shown = f"postgresql://{hosts}{parts.path}" + (f"?deployment={name}" if name else "")
    return Address(conninfo, name, shown)
