"""Classifiers in use, and decisions about cases."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from askpoint.wire.content import ImageCase
from askpoint.wire.fields import MOST_ITEMS, CaseKey, Number, Request, about

__all__ = [
    "CaseBatch",
    "CaseDecision",
    "CaseDecisions",
    "CaseItem",
    "CaseKeys",
    "ClassifierIncident",
    "ClassifierState",
    "ClassifierStatus",
    "DeletedCases",
    "ImageUpload",
    "ProposedVersion",
    "RegionAsked",
    "UploadedImage",
    "WaitingCase",
]


@dataclass(frozen=True, kw_only=True)
class ClassifierState:
    """The state of a classifier, in the words of its page."""

    kind: str = field(
        metadata=about(
            "answering, closed, learning, waiting, shadow, empty (no version or no case yet) or archived."
            " An archived one refuses every case with 410."
        )
    )
    word: str
    why: str
    since: datetime | None = field(metadata=about("Null where nothing was decided yet."))


@dataclass(frozen=True, kw_only=True)
class RegionAsked(Request):
    """In which region of an incident a version is to ask."""

    region: int = field(metadata=about("1 for the first on the incident's page."))


@dataclass(frozen=True, kw_only=True)
class ProposedVersion:
    """A version that waits for an owner."""

    version: int
    why: str


@dataclass(frozen=True, kw_only=True)
class ClassifierIncident:
    """An incident that has not ended, in the words of its page."""

    number: int
    since: datetime
    page: str = field(metadata=about("Its address."))
    count: str = field(metadata=about("How many wrong answers went out since it began."))
    wrong: float | None = field(metadata=about("The same, best guess; null where it is not known."))
    wrong_range: list[float] | None = field(metadata=about("Lower and upper end of its 95% range."))


@dataclass(frozen=True, kw_only=True)
class ClassifierStatus:
    """A classifier in use."""

    id: str
    title: str
    mode: str = field(metadata=about("shadow, rollout or all."))
    rollout: float = field(
        metadata=about("Share of the cases that it decides, in the mode rollout.")
    )
    policy: str | None = field(metadata=about("Which decides; null while none was adopted."))
    hash: str | None = field(metadata=about("Of its document, with which it began."))
    classes: list[str]
    model_version: str = field(metadata=about("Batches must name it."))
    threshold: float | None = field(
        metadata=about("It decides alone from here up; null: every case goes to review.")
    )
    waiting: bool = field(metadata=about("Whether it asks everything because no labels come."))
    decided: int
    answered: int
    asked: int
    audited: int
    to_label: int = field(metadata=about("Cases that wait for a label."))
    state: ClassifierState
    incident: ClassifierIncident | None = None


@dataclass(frozen=True, kw_only=True)
class CaseItem(Request):
    """A case to decide: with probabilities, with prediction and confidence, or with a ladder's outputs.

    Numbers are numbers, not texts or true.
    """

    key: CaseKey
    probabilities: list[Number] | dict[str, Number] | None = field(
        default=None, metadata=about("One for each class, by its name or in the policy's order.")
    )
    prediction: str | None = None
    confidence: Number | None = None
    outputs: dict[str, Number | str | None] | None = field(
        default=None,
        metadata=about("By a ladder's policy: what its rungs said so far, by column of the log."),
    )
    case: Any = field(
        default=None, metadata=about("What people see if it is asked or audited; else not kept.")
    )
    group: str | None = field(default=None, metadata={"max_length": 100})


@dataclass(frozen=True, kw_only=True)
class CaseBatch(Request):
    """Cases of one version of the model."""

    items: list[CaseItem] = field(metadata={"min_length": 1, "max_length": MOST_ITEMS})
    model_version: str = ""


@dataclass(frozen=True, kw_only=True)
class CaseDecision:
    """What was decided about a case."""

    key: str
    action: str = field(
        metadata=about(
            "answer, ask, audit (answer, people check it later), hold, or call: send it again with that rung's output."
        )
    )
    would: str | None = field(metadata=about("Where it is held in shadow: what was decided."))
    prediction: str | None = field(metadata=about("Null while the case waits for a rung."))
    policy: str
    propensity: float | None = field(
        metadata=about("The chance that people label it; null outside.")
    )
    call: str | None = field(
        metadata=about("By a ladder's policy: the rung whose output it waits for, else null.")
    )


@dataclass(frozen=True, kw_only=True)
class CaseDecisions:
    """One for each item, in their order."""

    decisions: list[CaseDecision]


@dataclass(frozen=True, kw_only=True)
class WaitingCase:
    """A case that waits for a label; it says neither what the model said nor why it is asked."""

    key: str
    case: Any = field(metadata=about("Its content; null where none was given, or it was deleted."))
    opened: datetime


@dataclass(frozen=True, kw_only=True)
class CaseKeys(Request):
    """Cases by their keys."""

    keys: list[CaseKey] = field(metadata={"min_length": 1, "max_length": MOST_ITEMS})


@dataclass(frozen=True, kw_only=True)
class ImageUpload(Request):
    """An image that a case will be."""

    image: str = field(
        metadata=about("data:image/png;base64,..., in PNG, JPEG or WebP; 700 kB at most.")
    )


@dataclass(frozen=True, kw_only=True)
class UploadedImage:
    """A case that is an image, to be sent as the `case` of a decision within a day."""

    case: ImageCase


@dataclass(frozen=True, kw_only=True)
class DeletedCases:
    """How many contents were deleted."""

    deleted: int
