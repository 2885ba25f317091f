"""One way to write a value, so that a digest of it can be computed again anywhere."""

from __future__ import annotations

import hashlib
import json
from typing import Any

__all__ = ["canonical_json", "chain_hash", "content_digest"]

_CANONICAL = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
)


def canonical_json(value: Any) -> str:
    """JSON with sorted keys, no spaces, shortest floats; NaN and infinity are refused."""
    return _CANONICAL.encode(value)


def chain_hash(previous: str, block: bytes) -> str:
    """SHA-256 of the hash before and of this block: what comes later vouches for all before."""
    return hashlib.sha256(previous.encode() + block).hexdigest()


def content_digest(content: str | None, salt: bytes = b"") -> str | None:
    """Digest that stands for a case's content in the log, so that the content can be deleted.

    Random bytes before it (`salt`) keep whoever knows the digest from trying short contents; they go with
    the content.
    """
    return None if content is None else hashlib.sha256(salt + content.encode()).hexdigest()
