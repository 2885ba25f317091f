"""What wings and plugins show on the front page beside classifiers in use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["HomeSections"]


@dataclass(frozen=True, kw_only=True)
class HomeSections:
    """What one package shows on the front page, for one visitor.

    Parameters
    ----------
    before, after : str, default=""
        Templates above and below the classifiers in use.
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
