"""Keys of what a workspace holds: its title, as an address can have it, and something that no other has."""

from __future__ import annotations

import re
import secrets

__all__ = ["make_key"]


def make_key(title: str, kind: str) -> str:
    """Return a key by a title; by its kind where no letter or digit of the title may stand in an address."""
    name = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:30] or kind
    return f"{name}-{secrets.token_hex(3)}"
