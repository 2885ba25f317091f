"""One uniform draw for each key: whether a case is audited can be recomputed, and not foreseen."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np

from askpoint.errors import InputError
from askpoint.measures.inputs import BoolArray, FloatArray

__all__ = ["ASKED_AGAIN", "DOUBLED", "audit_draws", "draws_again", "draws_double", "secret_hash"]

ASKED_AGAIN = 0.2
"""Share of the silent cases that is asked again."""
DOUBLED = 0.2
"""Share of the labelled cases that a second person labels."""
_AGAIN_DIGITS, _DOUBLE_DIGITS = 2.0**22, 2.0**37  # the first digits of a draw decide about audits
_BLOCK = 64  # bytes of SHA-256
_SEPARATOR = b"\x1f"
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


def audit_draws(secret: bytes, policy: str, keys: Iterable[str]) -> FloatArray:
    """First 53 bits of HMAC-SHA256(secret, policy, 0x1F, key), over 2^53.

    References
    ----------
    Krawczyk, Bellare and Canetti, RFC 2104 (1997).
    """
    if len(secret) < 16:
        raise InputError(f"a secret needs at least 16 bytes; got {len(secret)}")
    key = (hashlib.sha256(secret).digest() if len(secret) > _BLOCK else secret).ljust(_BLOCK, b"\0")
    inner = hashlib.sha256(key.translate(_INNER))
    inner.update(policy.encode() + _SEPARATOR)
    outer = hashlib.sha256(key.translate(_OUTER))
    digests = []
    for name in keys:
        first, second = inner.copy(), outer.copy()
        first.update(name.encode())
        second.update(first.digest())
        digests.append(second.digest()[:8])
    numbers = np.frombuffer(b"".join(digests), dtype=">u8")
    return (numbers >> np.uint64(11)).astype(np.float64) / 2.0**53


def draws_again(draw: FloatArray) -> BoolArray:
    """Which cases are asked again if their label does not come; independent of which are audited."""
    return np.asarray((draw * _AGAIN_DIGITS) % 1 < ASKED_AGAIN)


def draws_double(draw: FloatArray) -> BoolArray:
    """Which cases a second person labels; independent of the other two."""
    return np.asarray((draw * _DOUBLE_DIGITS) % 1 < DOUBLED)


def secret_hash(secret: bytes) -> str:
    """What is published before a policy opens; the secret itself when it closes."""
    try:
        return hashlib.sha256(secret).hexdigest()
    except TypeError:
        kind = type(secret).__name__
        raise InputError(
            f"a secret must be bytes; got {kind}. Draw one with secrets.token_bytes(32)"
        ) from None
