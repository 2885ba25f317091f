"""Addresses of notifiers, checked when they are named: a wrong one is no error of the network, tried for days."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from askpoint.errors import InputError

__all__ = ["check_file", "check_folder", "check_mail", "check_web"]


def check_web(address: str) -> None:
    """Refuse what is no address of the web."""
    try:
        parts = urlsplit(address)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise InputError(f"a webhook's address starts with https:// or http://; got {address!r}")


def check_mail(address: str) -> None:
    """Refuse what is no mail address."""
    name, _, host = address.rpartition("@")
    if not name or not host or any(letter.isspace() for letter in address):
        raise InputError(f"a mail address is NAME@HOST; got {address!r}")


def check_file(address: str) -> None:
    """Refuse a file in a folder that does not exist."""
    path = Path(address)
    if path.is_dir() or not path.parent.is_dir():
        raise InputError(f"a file in a folder that exists is wanted; got {address!r}")


def check_folder(address: str) -> None:
    """Refuse what is no folder."""
    if not Path(address).is_dir():
        raise InputError(f"the folder of a git repository is wanted; got {address!r}")
