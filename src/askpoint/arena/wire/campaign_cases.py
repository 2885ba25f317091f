"""Cases of a campaign as its players and its organiser see them, and rulings on them."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from datetime import datetime

from askpoint.wire.content import CaseContent
from askpoint.wire.fields import Request, about

__all__ = [
    "CaseTry",
    "FindAnswer",
    "FindQuestion",
    "FindToCompare",
    "ImageFile",
    "JudgeVote",
    "OrganiserRuling",
    "OwnCase",
    "RulingAppeal",
    "RulingStatus",
    "SubmittedCase",
]


@dataclass(frozen=True, kw_only=True)
class CaseTry(Request):
    """A case to try."""

    case: str | dict[str, float | str] = field(
        metadata=about(
            "A text, one value for each of the campaign's features, or the address of a web "
            "page where cases are pages; where they are images "
            '{"image": "data:image/png;base64,..."}, in PNG, JPEG or WebP.'
        )
    )


@dataclass(frozen=True, kw_only=True)
class OwnCase:
    """A player's own case."""

    id: str
    case: CaseContent
    state: str = field(metadata=about("tried, turned-away, submitted or judged."))
    reason: str = field(metadata=about("Why it was turned away; else empty."))
    tried: datetime
    submitted: datetime | None
    decision: str | None = field(metadata=about("The model's; null where it is not shown."))
    confidence: float | None
    points: dict[str, int] | None = field(
        metadata=about(
            "What each ruling would bring, base pay included; null where it is not shown."
        )
    )
    why: list[str]
    ruling: str | None = field(metadata=about("open, referred, ruled, appealed or final."))
    truth: str | None = field(metadata=about("What judges ruled it to be."))
    awarded: int
    appeal_until: datetime | None


@dataclass(frozen=True, kw_only=True)
class RulingAppeal(Request):
    """Why a ruling is wrong."""

    why: str = field(metadata={"max_length": 1000})


@dataclass(frozen=True, kw_only=True)
class JudgeVote:
    """What a judge said."""

    judge: str
    choice: str
    at: datetime
    void: bool


@dataclass(frozen=True, kw_only=True)
class SubmittedCase:
    """A case as its organiser sees it."""

    id: str
    player: str
    case: CaseContent
    state: str
    tried: datetime
    submitted: datetime | None
    probabilities: dict[str, float]
    decision: str
    model: str
    family: str
    place: str
    ruling: str | None
    appeal: str
    truth: str | None
    awarded: int
    votes: list[JudgeVote]


@dataclass(frozen=True, kw_only=True)
class RulingStatus:
    """What judges decide on: a submitted or a drawn case."""

    id: str
    kind: str = field(metadata=about("submitted or drawn."))
    case: CaseContent
    state: str = field(metadata=about("open, referred, ruled, appealed or final."))
    options: list[str]
    answer: str | None
    opened: datetime
    ruled_at: datetime | None
    reserved: int
    votes: list[JudgeVote]


@dataclass(frozen=True, kw_only=True)
class OrganiserRuling(Request):
    """The organiser's word on a case."""

    choice: str


@dataclass(frozen=True, kw_only=True)
class ImageFile:
    """An image with its content."""

    kind: str = field(metadata=about("image/png or image/jpeg."))
    width: int
    height: int
    data: str = field(metadata=about("The file, in base64."))

    @property
    def content(self) -> bytes:
        """The bytes of its file."""
        return base64.b64decode(self.data)


@dataclass(frozen=True, kw_only=True)
class FindToCompare:
    """A find that judges say is the same as another one, or new."""

    case: str
    text: str
    others: list[str] = field(metadata=about("What other finds say, the nearest first."))


@dataclass(frozen=True, kw_only=True)
class FindQuestion:
    """The find that one is asked about."""

    asked: FindToCompare | None = field(metadata=about("Null where nothing is asked."))


@dataclass(frozen=True, kw_only=True)
class FindAnswer(Request):
    """What a find is."""

    case: str
    same: int = field(
        metadata=about(
            "0 for a new find, or the place of the same one in `others`, where the first is 1."
        )
    )
