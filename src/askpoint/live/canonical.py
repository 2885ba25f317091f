"""One way to write a value, so that a digest of it can be computed again anywhere."""

from __future__ import annotations

import hashlib
import json
import math
from typing import Any

__all__ = ["canonical_json", "chain_hash", "content_digest", "is_same_but_rounding"]

_ROUNDING = 1e-9  # exp and log of NumPy differ by 1e-16 from processor to processor, and a life adds that up
_CANONICAL = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
)


def canonical_json(value: Any) -> str:
    """JSON with sorted keys, no spaces, shortest floats; NaN and infinity are refused."""
    return _CANONICAL.encode(value)


def is_same_but_rounding(one: Any, two: Any) -> bool:
    """Return whether two plain values are the same, but for the last digits in which processors compute otherwise."""
    if isinstance(one, float) and isinstance(two, float):
        return math.isclose(one, two, rel_tol=_ROUNDING, abs_tol=_ROUNDING)
    if type(one) is not type(two):
        return False
    if isinstance(one, dict):
        return one.keys() == two.keys() and all(
            is_same_but_rounding(value, two[name]) for name, value in one.items()
        )
    if isinstance(one, list):
        return len(one) == len(two) and all(map(is_same_but_rounding, one, two))
    return bool(one == two)


def chain_hash(previous: str, block: bytes) -> str:
    """SHA-256 of the hash before and of this block: what comes later vouches for all before."""
    return hashlib.sha256(previous.encode() + block).hexdigest()


def content_digest(content: str | None, salt: bytes = b"") -> str | None:
    """Digest that stands for a case's content in the log, so that the content can be deleted.

    Random bytes before it (`salt`) keep whoever knows the digest from trying short contents; they go with
    the content.
    """
    return None if content is None else hashlib.sha256(salt + content.encode()).hexdigest()
