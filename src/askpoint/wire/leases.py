"""Leases of a classifier in use: what a decider elsewhere asks for, and what became of what it handed in."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from askpoint.wire.fields import CaseKey, Request, about

__all__ = ["HandInResult", "LeaseAsked", "LeaseFile", "LeaseOut", "LeasesOut", "RefusedCase"]


@dataclass(frozen=True, kw_only=True)
class LeaseAsked(Request):
    """A decider elsewhere wants to answer some cases alone."""

    decider: CaseKey = field(metadata=about("Its name, for people."))
    answers: int | None = field(
        default=None,
        metadata=about("At most; by default an eighth of what may be leased, over the deciders."),
    )
    seconds: float = field(default=600, metadata=about("For how long; receipts may come later."))
    deciders: int = field(default=1, metadata=about("How many share the classifier."))


@dataclass(frozen=True, kw_only=True)
class LeaseFile(Request):
    """What a decider wrote, as a text."""

    text: str = field(metadata=about("The receipts, as LeasedDecider.receipts().to_json() says."))


@dataclass(frozen=True, kw_only=True)
class RefusedCase:
    """A case whose key was decided with something else before; its answer counts as a mistake."""

    key: str
    error: str


@dataclass(frozen=True, kw_only=True)
class HandInResult:
    """What became of the receipts of a lease; the same receipts again change nothing."""

    lease: int
    decided: int = field(metadata=about("New cases."))
    answered: int = field(metadata=about("Of which the decider decided alone."))
    repeated: int = field(metadata=about("Cases that were decided before, with the same."))
    booked: int = field(metadata=about("Answers that count as mistakes permanently."))
    refused: list[RefusedCase]
    events: list[str]


@dataclass(frozen=True, kw_only=True)
class LeaseOut:
    """A lease of which no receipts came yet: all its answers count as mistakes until they do."""

    number: int
    decider: str
    answers: int
    threshold: float | None = field(metadata=about("Null: it sends every case to review."))
    granted: datetime
    expires: datetime


@dataclass(frozen=True, kw_only=True)
class LeasesOut:
    """In their order."""

    leases: list[LeaseOut]
