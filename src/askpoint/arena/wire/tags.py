"""Items of a tag challenge, and better labels that players propose."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from askpoint.wire.fields import Request, about

__all__ = ["LONGEST_LABEL", "LabelProposal", "OrganiserTagItem", "ProposedLabel", "TagItem"]

LONGEST_LABEL = 80
"""Characters of a label."""


@dataclass(frozen=True, kw_only=True)
class TagItem:
    """An item of a tag challenge, as its players see it."""

    number: int
    item: str
    label: str
    state: str = field(metadata=about("as-tagged, replaced or challenged."))
    own: bool = field(metadata=about("Whether the label is one's own."))


@dataclass(frozen=True, kw_only=True)
class OrganiserTagItem:
    """An item as its organiser sees it."""

    number: int
    item: str
    label: str | None = field(metadata=about("null until the model has tagged it."))
    state: str = field(metadata=about("untagged, as-tagged, replaced or challenged."))
    first: str | None = field(metadata=about("The machine's label."))
    holder: str | None = field(metadata=about("Whose label it is; null for the machine's."))
    proposal: str | None = field(metadata=about("The proposal that is not ruled yet."))


@dataclass(frozen=True, kw_only=True)
class ProposedLabel(Request):
    """A better label."""

    label: str = field(metadata={"max_length": LONGEST_LABEL})


@dataclass(frozen=True, kw_only=True)
class LabelProposal:
    """A better label that somebody proposes; it is judged like any case."""

    id: str
    player: str
    number: int = field(metadata=about("Of the item."))
    item: str
    against: str = field(metadata=about("The label that it had."))
    label: str
    submitted: datetime | None
    ruling: str | None = field(metadata=about("open, referred, ruled, appealed or final."))
    preferred: str | None = field(metadata=about("The label that judges preferred."))
    awarded: int
