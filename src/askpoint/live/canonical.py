"""One way to write a value, so that a digest of it can be computed again anywhere."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["canonical_block", "canonical_json", "chain_hash", "content_digest"]

_CANONICAL = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
)
_TEXTS = json.JSONEncoder(ensure_ascii=False)


def canonical_json(value: Any) -> str:
    """JSON with sorted keys, no spaces, shortest floats; NaN and infinity are refused."""
    return _CANONICAL.encode(value)


def canonical_block(columns: Mapping[str, NDArray[Any] | Sequence[str | None]]) -> bytes:
    """Columns of one length as bytes: numbers as they lie in memory, texts as a JSON list."""
    parts = []
    for name, column in columns.items():
        if isinstance(column, np.ndarray):
            little = column
            if not column.dtype.str.startswith(("<", "|")):
                little = column.astype(column.dtype.newbyteorder("<"))
            head, body = f"{name} {little.dtype.str}", little.tobytes()
        else:
            head, body = f"{name} text", _TEXTS.encode(list(column)).encode()
        parts += [f"{head} {len(column)} {len(body)}\n".encode(), body]
    return b"".join(parts)


def chain_hash(previous: str, block: bytes) -> str:
    """SHA-256 of the hash before and of this block: what comes later vouches for all before."""
    return hashlib.sha256(previous.encode() + block).hexdigest()


def content_digest(content: str | None) -> str | None:
    """Digest that stands for a case's content in the chain, so that the content can be deleted."""
    return None if content is None else hashlib.sha256(content.encode()).hexdigest()
