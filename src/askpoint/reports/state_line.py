"""The state of what is in use in one line: the same words on pages, in the API, in mail and chat."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

__all__ = ["StateLine"]


@dataclass(frozen=True)
class StateLine:
    """A state, and what follows from it.

    Parameters
    ----------
    kind : {"answering", "closed", "learning", "waiting", "shadow", "empty", "archived"}
        Its shape and colour on pages.
    word : str
        In a few words.
    why : str
        In a sentence or two.
    since : datetime or None
        Since when.
    """

    kind: Literal["answering", "closed", "learning", "waiting", "shadow", "empty", "archived"]
    word: str
    why: str
    since: datetime | None = None
