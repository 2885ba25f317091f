"""Accounts, as programs see them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from askpoint.wire.fields import about

__all__ = ["TokenAccount"]


@dataclass(frozen=True, kw_only=True)
class TokenAccount:
    """Whom a token stands for, and what it opens."""

    name: str
    role: str
    scope: str
    campaign: str | None = field(metadata=about("The only one that the token opens; null for all."))
    expires: datetime
