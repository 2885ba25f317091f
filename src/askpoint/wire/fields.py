"""Descriptions and limits of the fields of wire types, as OpenAPI has them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

__all__ = [
    "LONGEST_KEY",
    "MOST_ITEMS",
    "MOST_LABELS",
    "CaseKey",
    "Length",
    "Number",
    "Request",
    "Strictly",
    "about",
]

LONGEST_KEY = 200
"""Characters of the key of a case."""

MOST_ITEMS = 1000
"""Of one batch: what is chained together."""

MOST_LABELS = 1000
"""Of one batch."""


class Request:
    """What a request holds; a field that is unknown was misspelled, and is refused."""

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}


@dataclass(frozen=True)
class Length:
    """How long a text may be: an annotation that pydantic reads, without a need to import it here.

    Parameters
    ----------
    shortest, longest : int
        Characters.
    """

    shortest: int
    longest: int

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> dict[str, Any]:
        """Return the schema of the text with its limits."""
        return {**handler(source), "min_length": self.shortest, "max_length": self.longest}


CaseKey = Annotated[str, Length(1, LONGEST_KEY)]
"""The key of a case."""


class Strictly:
    """Nothing but the type itself: an annotation that pydantic reads."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> dict[str, Any]:
        """Return the schema of the type, without what could be read as it."""
        return {**handler(source), "strict": True}


Number = Annotated[float, Strictly()]
"""A number: no text that reads like one, and no true."""


def about(description: str, **limits: Any) -> dict[str, Any]:
    """Return the metadata of a field: its description, and limits under their names in pydantic.

    Examples
    --------
    >>> about("How many at most.", ge=1)
    {'description': 'How many at most.', 'ge': 1}
    """
    return {"description": description, **limits}
