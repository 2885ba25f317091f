"""What the API says: one record for each kind of thing, in the words of the pages."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Generic, TypeVar

from ninja import Field, Schema
from pydantic import BaseModel, ConfigDict

__all__ = [
    "Account",
    "Brought",
    "Campaign",
    "Case",
    "Classifier",
    "Decided",
    "Entry",
    "Given",
    "Held",
    "ImageCase",
    "ImageName",
    "Item",
    "Labelled",
    "Line",
    "Page",
    "Paged",
    "Payout",
    "Picture",
    "Played",
    "Proposal",
    "RefusedLine",
    "Ruled",
    "RunItem",
    "Said",
    "Segments",
    "Statement",
    "Taken",
    "Transaction",
    "Vote",
    "Wanted",
    "WebPage",
]

_T = TypeVar("_T")

_FARTHEST = 10**9


class Given(Schema):
    """What a request brings; a field that is unknown was misspelled, and is refused."""

    model_config = ConfigDict(extra="forbid")


class Page(Schema):
    """Which part of a long list is wanted."""

    limit: int = Field(100, ge=1, le=1000, description="How many at most.")
    offset: int = Field(0, ge=0, le=_FARTHEST, description="How many to leave out before them.")


class Paged(Schema, Generic[_T]):
    """A part of a list, and how long the whole is."""

    items: list[_T]
    count: int


class Account(Schema):
    """Whom a token stands for, and what it opens."""

    name: str
    role: str
    scope: str
    campaign: str | None = Field(description="The only one that the token opens; null for all.")
    expires: datetime
    balance: int = Field(description="Points on the own account; 1,000 are 20 cents.")


class Campaign(Schema):
    """A campaign, as far as the role sees it."""

    id: str
    title: str
    state: str = Field(description="draft, open or closed.")
    classes: list[str]
    warning: str
    vote: int = Field(description="Points for a judge's vote.")
    wanted: str | None = Field(description="What players look for; null for judges.")
    rules: list[str] | None = Field(description="In plain words; null for judges.")
    guide: str | None = Field(description="What judges go by; null for players.")
    features: list[dict[str, Any]] | None = Field(
        description="Of a case that is a row; empty where it is a text, null for judges."
    )
    most: int | None = Field(description="The points that a case reserves; null for judges.")
    budget: int | None = Field(description="Points that are free; for the organiser.")
    reserved: int | None = Field(description="Points that are promised; for the organiser.")


class Segments(Schema):
    """What was kept of a web page."""

    url: str
    title: str
    body: str
    metadata: str
    cut: bool = Field(description="Whether the page was longer.")


class WebPage(Schema):
    """A case that is a web page."""

    page: Segments


class ImageName(Schema):
    """What names an image; its content is asked for by itself."""

    sha256: str
    kind: str
    width: int
    height: int


class ImageCase(Schema):
    """A case that is an image."""

    image: ImageName


Said = str | dict[str, float | str] | WebPage | ImageCase
"""A case: a text, a row of features, a web page, or an image."""


class Picture(Schema):
    """An image with its content."""

    kind: str = Field(description="image/png or image/jpeg.")
    width: int
    height: int
    data: str = Field(description="The file, in base64.")


class Played(Schema):
    """A player's own case."""

    id: str
    case: Said
    state: str = Field(description="tried, turned-away, submitted or judged.")
    reason: str = Field(description="Why it was turned away; else empty.")
    tried: datetime
    submitted: datetime | None
    decision: str | None = Field(description="The model's; null where it is not shown.")
    confidence: float | None
    points: dict[str, int] | None = Field(
        description="What each ruling would bring, base pay included; null where it is not shown."
    )
    why: list[str]
    ruling: str | None = Field(description="open, referred, ruled, appealed or final.")
    truth: str | None = Field(description="What judges ruled it to be.")
    awarded: int
    appeal_until: datetime | None


class Vote(Schema):
    """What a judge said."""

    judge: str
    choice: str
    at: datetime
    void: bool


class Case(Schema):
    """A case as its organiser sees it."""

    id: str
    player: str
    case: Said
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


class Ruled(Schema):
    """What judges decide on: a submitted or a drawn case."""

    id: str
    kind: str = Field(description="submitted or drawn.")
    case: Said
    state: str = Field(description="open, referred, ruled, appealed or final.")
    options: list[str]
    answer: str | None
    opened: datetime
    ruled_at: datetime | None
    reserved: int
    votes: list[Vote]


class RefusedLine(Schema):
    """A line that was not taken."""

    line: int
    text: str
    why: str


class Brought(Schema):
    """What became of a file; all lines that are not refused were taken."""

    kept: int
    counted: int
    refused: list[RefusedLine]


class Held(Schema):
    """A case that a judge holds: without its player, score or reward."""

    id: str
    case: Said
    options: list[str]
    until: datetime = Field(description="Then it goes back to the queue.")


class Item(Schema):
    """An item of a tag challenge, as its players see it."""

    number: int
    item: str
    label: str
    state: str = Field(description="as-tagged, replaced or challenged.")
    own: bool = Field(description="Whether the label is one's own.")


class RunItem(Schema):
    """An item as its organiser sees it."""

    number: int
    item: str
    label: str | None = Field(description="null until the model has tagged it.")
    state: str = Field(description="untagged, as-tagged, replaced or challenged.")
    first: str | None = Field(description="The machine's label.")
    holder: str | None = Field(description="Whose label it is; null for the machine's.")
    proposal: str | None = Field(description="The proposal that is not ruled yet.")


class Proposal(Schema):
    """A better label that somebody proposes; it is judged like any case."""

    id: str
    player: str
    number: int = Field(description="Of the item.")
    item: str
    against: str = Field(description="The label that it had.")
    label: str
    submitted: datetime | None
    ruling: str | None = Field(description="open, referred, ruled, appealed or final.")
    preferred: str | None = Field(description="The label that judges preferred.")
    awarded: int


class Line(Schema):
    """A line of an account."""

    at: datetime
    what: str
    about: str
    campaign: str
    points: int
    balance: int


class Statement(Paged[Line]):
    """An account's lines, the newest first."""

    balance: int


class Entry(Schema):
    """Points that come to an account, or leave it."""

    account: str
    points: int


class Transaction(Schema):
    """A transaction of a campaign's ledger; its entries sum to zero."""

    key: str
    at: datetime
    about: str
    reverses: str | None
    entries: list[Entry]


class Payout(Schema):
    """Whole cents on their way."""

    id: str
    payee: str
    cents: int
    points: int
    state: str = Field(description="planned, sending, lookup, sent, unknown or cancelled.")
    planned: datetime
    at: datetime
    reference: str


class Classifier(Schema):
    """A classifier in use."""

    id: str
    title: str
    mode: str = Field(description="shadow, share or all.")
    share: float = Field(description="Of the cases, where it decides a share of them.")
    policy: str | None = Field(description="Which decides; null while none was adopted.")
    hash: str | None = Field(description="Of its document, with which it began.")
    classes: list[str]
    model_version: str = Field(description="Batches must state it.")
    threshold: float | None = Field(
        description="It answers from here on; null: it asks everything."
    )
    waiting: bool = Field(description="Whether it asks everything because no labels come.")
    decided: int
    answered: int
    asked: int
    audited: int
    to_label: int = Field(description="Cases that wait for a label.")


class Decided(BaseModel):
    """What was decided about a case."""

    # no Schema of ninja, which takes long for many

    key: str
    action: str = Field(description="answer, ask, audit (answer, people check it later), or hold.")
    would: str | None = Field(description="Where it is held in shadow: what was decided.")
    prediction: str
    policy: str
    propensity: float | None = Field(description="The chance that people label it; null outside.")


class Taken(Schema):
    """What became of labels."""

    kept: int = Field(description="Those that are new.")
    counted: int = Field(
        description="The first of each asked or audited case; others are feedback."
    )
    events: list[str] = Field(description="What they set off, in words.")


class Labelled(Schema):
    """A label."""

    key: str
    label: str
    judge: str
    source: str = Field(description="asked, audit, golden or feedback.")
    truth: str | None
    counts: bool
    at: datetime


class Wanted(Schema):
    """A case that waits for a label; it says neither what the model said nor why it is asked."""

    key: str
    case: Any = Field(description="Its content; null where none was given, or it was deleted.")
    opened: datetime
