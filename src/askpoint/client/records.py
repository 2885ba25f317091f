"""What the API says, as records; the fields are those of its OpenAPI document."""

from __future__ import annotations

import base64
import types
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

__all__ = [
    "Account",
    "Brought",
    "Campaign",
    "Case",
    "Classifier",
    "Decided",
    "Entry",
    "Held",
    "Item",
    "Labelled",
    "Line",
    "Payout",
    "Picture",
    "Played",
    "Proposal",
    "RefusedLine",
    "Ruled",
    "RunItem",
    "Taken",
    "Transaction",
    "Vote",
    "Wanted",
    "record_of",
]

_T = TypeVar("_T")
_Text = str | dict[str, Any]


@dataclass(frozen=True)
class Account:
    """Whom a token stands for, and what it opens."""

    name: str
    role: str
    scope: str
    campaign: str | None
    expires: datetime
    balance: int


@dataclass(frozen=True)
class Campaign:
    """A campaign, as far as the token's role sees it."""

    id: str
    title: str
    state: str
    classes: list[str]
    warning: str
    vote: int
    wanted: str | None
    rules: list[str] | None
    guide: str | None
    features: list[dict[str, Any]] | None
    most: int | None
    budget: int | None
    reserved: int | None


@dataclass(frozen=True)
class Played:
    """A player's own case."""

    id: str
    case: _Text
    state: str
    reason: str
    tried: datetime
    submitted: datetime | None
    decision: str | None
    confidence: float | None
    points: dict[str, int] | None
    why: list[str]
    ruling: str | None
    truth: str | None
    awarded: int
    appeal_until: datetime | None


@dataclass(frozen=True)
class Vote:
    """What a judge said."""

    judge: str
    choice: str
    at: datetime
    void: bool


@dataclass(frozen=True)
class Case:
    """A case as its organiser sees it."""

    id: str
    player: str
    case: _Text
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
    votes: list[Vote]


@dataclass(frozen=True)
class Ruled:
    """What judges decide on."""

    id: str
    kind: str
    case: _Text
    state: str
    options: list[str]
    answer: str | None
    opened: datetime
    ruled_at: datetime | None
    reserved: int
    votes: list[Vote]


@dataclass(frozen=True)
class RefusedLine:
    """A line of a file that was not taken, and why."""

    line: int
    text: str
    why: str


@dataclass(frozen=True)
class Brought:
    """What became of a file of labels; all lines that are not refused were taken."""

    kept: int
    counted: int
    refused: list[RefusedLine]


@dataclass(frozen=True)
class Held:
    """A case that a judge holds."""

    id: str
    case: _Text
    options: list[str]
    until: datetime


@dataclass(frozen=True)
class Picture:
    """An image with its content, in base64."""

    kind: str
    width: int
    height: int
    data: str

    @property
    def content(self) -> bytes:
        """The bytes of its file."""
        return base64.b64decode(self.data)


@dataclass(frozen=True)
class Item:
    """An item of a tag challenge, as its players see it."""

    number: int
    item: str
    label: str
    state: str
    own: bool


@dataclass(frozen=True)
class RunItem:
    """An item as its organiser sees it."""

    number: int
    item: str
    label: str | None
    state: str
    first: str | None
    holder: str | None
    proposal: str | None


@dataclass(frozen=True)
class Proposal:
    """A better label that somebody proposes."""

    id: str
    player: str
    number: int
    item: str
    against: str
    label: str
    submitted: datetime | None
    ruling: str | None
    preferred: str | None
    awarded: int


@dataclass(frozen=True)
class Line:
    """A line of an account."""

    at: datetime
    what: str
    about: str
    campaign: str
    points: int
    balance: int


@dataclass(frozen=True)
class Entry:
    """Points that come to an account, or leave it."""

    account: str
    points: int


@dataclass(frozen=True)
class Transaction:
    """A transaction of a campaign's ledger."""

    key: str
    at: datetime
    about: str
    reverses: str | None
    entries: list[Entry]


@dataclass(frozen=True)
class Payout:
    """Whole cents on their way."""

    id: str
    payee: str
    cents: int
    points: int
    state: str
    planned: datetime
    at: datetime
    reference: str


@dataclass(frozen=True)
class Classifier:
    """A classifier in use."""

    id: str
    title: str
    mode: str
    share: float
    policy: str | None
    hash: str | None
    classes: list[str]
    model_version: str
    threshold: float | None
    waiting: bool
    decided: int
    answered: int
    asked: int
    audited: int
    to_label: int


@dataclass(frozen=True)
class Decided:
    """What was decided about a case."""

    key: str
    action: str
    would: str | None
    prediction: str
    policy: str
    propensity: float | None


@dataclass(frozen=True)
class Taken:
    """What became of labels."""

    kept: int
    counted: int
    events: list[str]


@dataclass(frozen=True)
class Labelled:
    """A label."""

    key: str
    label: str
    judge: str
    source: str
    truth: str | None
    counts: bool
    at: datetime


@dataclass(frozen=True)
class Wanted:
    """A case that waits for a label."""

    key: str
    case: Any
    opened: datetime


def record_of(kind: type[_T], said: dict[str, Any]) -> _T:
    """Return the record that a JSON object holds; fields of a newer server are left out."""
    hints = get_type_hints(kind)
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    return kind(**{name: _value(hints[name], said[name]) for name in names})


def _value(hint: Any, said: Any) -> Any:
    if said is None:
        return None
    if hint is datetime or (isinstance(hint, types.UnionType) and datetime in get_args(hint)):
        return datetime.fromisoformat(said)
    if get_origin(hint) is list and get_args(hint)[0] in (Vote, Entry, RefusedLine):
        return [record_of(get_args(hint)[0], item) for item in said]
    return said
