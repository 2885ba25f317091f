"""Cases that one person holds, and what that person says of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from askpoint.wire.content import CaseContent
from askpoint.wire.fields import Request, about

__all__ = ["CaseChoice", "CaseReturn", "ClaimedCase", "HeldCase"]


@dataclass(frozen=True, kw_only=True)
class ClaimedCase:
    """A case that one holds; it says neither who sent it nor what the model said."""

    id: str
    case: CaseContent
    options: list[str]
    until: datetime = field(metadata=about("Then it goes back to the queue."))


@dataclass(frozen=True, kw_only=True)
class HeldCase:
    """The case that one holds."""

    held: ClaimedCase | None = field(metadata=about("Null where nothing waits."))


@dataclass(frozen=True, kw_only=True)
class CaseChoice(Request):
    """A vote on the case that one holds."""

    case: str
    choice: str


@dataclass(frozen=True, kw_only=True)
class CaseReturn(Request):
    """The case that is given back."""

    case: str
