"""What wings and plugins show on the front page beside classifiers in use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["HomeSections", "find_twice"]


def find_twice(titles: Iterable[str]) -> frozenset[str]:
    """Return the titles that occur more than once: what bears one is listed with its id."""
    return frozenset(title for title, n in Counter(titles).items() if n > 1)


@dataclass(frozen=True, kw_only=True)
class HomeSections:
    """What one package shows on the front page, for one visitor.

    Parameters
    ----------
    before, after : str, default=""
        Templates below the classifiers in use and their agents: where the visitor takes part, and what the
        visitor runs.
    context : mapping
        What the templates ask for.
    takes_part : bool, default=False
        Whether anything of it concerns the visitor.
    idle : str, default=""
        What to say to whom nothing concerns.
    """

    before: str = ""
    after: str = ""
    context: Mapping[str, Any] = field(default_factory=dict)
    takes_part: bool = False
    idle: str = ""
