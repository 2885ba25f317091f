"""Secrets of a workspace, sealed by a key that follows from the server's own: the database cannot read them."""

from __future__ import annotations

import base64

from cryptography.fernet import Fernet, InvalidToken
from django.utils.crypto import salted_hmac

from askpoint.errors import InputError

__all__ = ["seal", "unseal"]


def _key(workspace: str, what: str) -> Fernet:
    digest = salted_hmac("askpoint.seal", f"{workspace}\0{what}", algorithm="sha256").digest()
    return Fernet(base64.urlsafe_b64encode(digest))


def seal(workspace: str, what: str, secret: str) -> bytes:
    """Return a secret that only this server opens, and only as this workspace's, for this use."""
    return _key(workspace, what).encrypt(secret.encode())


def unseal(workspace: str, what: str, sealed: bytes) -> str:
    """Return a secret that was sealed.

    Raises
    ------
    InputError
        If another server, workspace or use sealed it.
    """
    try:
        return _key(workspace, what).decrypt(sealed).decode()
    except InvalidToken:
        raise InputError(
            f"the {what} of this workspace was sealed by another secret of the server: enter it again"
        ) from None
