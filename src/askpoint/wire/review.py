"""Cases that one person holds, and what that person says of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from askpoint.wire.content import CaseContent
from askpoint.wire.fields import Request, about

__all__ = ["CaseChoice", "CaseReturn", "ClaimedCase", "HeldCase", "UnsureCase"]


@dataclass(frozen=True, kw_only=True)
class ClaimedCase:
    """A case that one holds; it says neither who sent it nor what the model said."""

    id: str
    case: CaseContent
    options: list[str]
    until: datetime = field(metadata=about("Then it goes back to the queue."))
    before: str | None = field(
        default=None, metadata=about("What was said of it, and taken back; null if nothing was.")
    )
    guideline: str = field(default="", metadata=about("What to go by; empty if nobody wrote it."))
    guideline_version: int | None = None


@dataclass(frozen=True, kw_only=True)
class HeldCase:
    """The case that one holds."""

    held: ClaimedCase | None = field(metadata=about("Null where nothing waits."))
    undo: str | None = field(
        default=None, metadata=about("The case whose vote can be taken back; null where none can.")
    )


@dataclass(frozen=True, kw_only=True)
class CaseChoice(Request):
    """A vote on the case that one holds."""

    case: str
    choice: str
    note: str = field(default="", metadata=about("For the owner, with the label."))


@dataclass(frozen=True, kw_only=True)
class CaseReturn(Request):
    """The case that is given back."""

    case: str


@dataclass(frozen=True, kw_only=True)
class UnsureCase(Request):
    """A case of which one cannot say what it is."""

    case: str
    reason: str = field(metadata=about("Why: `unclear`, `guideline`, `several` or `broken`."))
    note: str = field(default="", metadata=about("For the owner."))
