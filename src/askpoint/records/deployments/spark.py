"""The audit draw of a key as an expression of Spark's SQL, so that every worker can make it."""

from __future__ import annotations

import hashlib

from askpoint.errors import InputError

__all__ = ["draw_expression"]

_BLOCK = 64  # bytes of SHA-256


def draw_expression(secret: bytes, policy: str, key: str = "key") -> str:
    """The SQL of first 53 bits of HMAC-SHA256(secret, policy, 0x1F, key), over 2^53.

    Examples
    --------
    >>> from askpoint.records.deployments.spark import draw_expression
    >>> draw_expression(b"sixteen or more!", "posts")[:40]
    'shiftrightunsigned(cast(conv(substr(sha2'
    """
    if len(secret) < 16:
        raise InputError(f"a secret needs at least 16 bytes; got {len(secret)}")
    if len(secret) > _BLOCK:
        secret = hashlib.sha256(secret).digest()
    inner, outer = (
        bytes(byte ^ pad for byte in secret.ljust(_BLOCK, b"\0")).hex() for pad in (0x36, 0x5C)
    )
    column = "`" + key.replace("`", "``") + "`"
    message = f"concat(unhex('{inner}{policy.encode().hex()}1f'), encode({column}, 'UTF-8'))"
    digest = f"sha2(concat(unhex('{outer}'), unhex(sha2({message}, 256))), 256)"
    bits = f"shiftrightunsigned(cast(conv(substr({digest}, 1, 16), 16, -10) as bigint), 11)"
    return f"{bits} / double(9007199254740992)"
