"""The account that a token stands for."""

from __future__ import annotations

from typing import Any

from ninja import Router

from askpoint.server.api.access import Bearer
from askpoint.server.api.serializers import serialize_account
from askpoint.wire.token_account import TokenAccount

__all__ = ["account", "router"]

router = Router(tags=["everybody"])


@router.get("", auth=Bearer(), response=TokenAccount)
def account(request: Any) -> TokenAccount:
    """Return whose token it is, and what it opens."""
    return serialize_account(request.auth)
