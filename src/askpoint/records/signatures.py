"""Signatures of heads: Ed25519, by the package cryptography."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from typing import Any

from askpoint.errors import InputError
from askpoint.live.heads import Head

__all__ = ["KEY_BYTES", "can_check", "is_key_of", "is_signed", "sign_head"]

KEY_BYTES = 32
"""Of a signing key: any random bytes are one."""


def can_check() -> bool:
    """Return whether signatures can be made and checked here."""
    return importlib.util.find_spec("cryptography") is not None


def is_key_of(key: bytes, head: Head) -> bool:
    """Return whether a signing key is that of a head."""
    if len(key) != KEY_BYTES:
        return False
    made: bytes = (
        _ed25519().Ed25519PrivateKey.from_private_bytes(key).public_key().public_bytes_raw()
    )
    return made.hex() == head.signer


def sign_head(head: Head, key: bytes) -> Head:
    """Return a head with its signature.

    Raises
    ------
    InputError
        If the package cryptography is not installed.
    """
    signer = _ed25519().Ed25519PrivateKey.from_private_bytes(key)
    named = replace(head, signer=signer.public_key().public_bytes_raw().hex())
    return replace(named, signature=signer.sign(named.text.encode()).hex())


def is_signed(head: Head) -> bool:
    """Return whether the signature of a head is that of the key that stands in it.

    Raises
    ------
    InputError
        If the package cryptography is not installed.
    """
    ed25519 = _ed25519()
    from cryptography.exceptions import InvalidSignature

    try:
        signer = ed25519.Ed25519PublicKey.from_public_bytes(bytes.fromhex(head.signer))
        signer.verify(bytes.fromhex(head.signature), head.text.encode())
    except (InvalidSignature, ValueError):
        return False
    return True


def _ed25519() -> Any:
    try:
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError:
        raise InputError(
            'signed heads are an extra part: pip install "askpoint[receipts]"'
        ) from None
    return ed25519
