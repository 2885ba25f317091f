"""The list of classifiers on home: those of one state, fifty at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.core.paginator import Page, Paginator

from askpoint.server.deployments.state_lines import ClassifierRow

__all__ = ["Fleet", "StateFilter", "fleet_of"]

_ON_A_PAGE = 50
_FEW = 10  # of which the worst state stands in sight
_WORDS = {
    "closed": "Closed",
    "waiting": "Waiting for labels",
    "empty": "No case yet",
    "learning": "Learning",
    "shadow": "Shadow",
    "answering": "Answering",
    "archived": "Archived",
}


class StateFilter(NamedTuple):
    """A state that some classifiers are in, and how many; all of them have the kind ""."""

    kind: str
    word: str
    n: int


@dataclass(frozen=True)
class Fleet:
    """Classifiers of one state, or of all where the state is "", and which states there are to choose from."""

    state: str
    page: Page[ClassifierRow]
    filters: tuple[StateFilter, ...]

    @property
    def query(self) -> str:
        """What stands before the number of a page in its address."""
        return f"state={self.state}&" if self.state else ""


def fleet_of(rows: Sequence[ClassifierRow], state: str, page: str | None) -> Fleet:
    """Return what home lists of these rows; a state that there is not is that of all."""
    state = state if state in _WORDS else ""
    numbers = Counter[str](row.state.kind for row in rows)
    found = [row for row in rows if state in {"", row.state.kind}]
    filters = [StateFilter("", "All", len(rows))]
    filters += [
        StateFilter(kind, word, numbers[kind])
        for kind, word in _WORDS.items()
        if numbers[kind] or kind == state
    ]
    is_offered = state or len(rows) > _FEW
    return Fleet(
        state,
        Paginator(found, _ON_A_PAGE).get_page(page),
        tuple(filters) if is_offered else (),
    )
