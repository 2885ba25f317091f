"""Campaigns, and what their organisers change."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from askpoint.wire.fields import Request, about

__all__ = ["CampaignStatus", "FundsChange", "StateChange"]

_MOST_POINTS = 10**12


@dataclass(frozen=True, kw_only=True)
class CampaignStatus:
    """A campaign, as far as the role sees it."""

    id: str
    title: str
    state: str = field(metadata=about("draft, open or closed."))
    classes: list[str]
    warning: str
    vote: int = field(metadata=about("Points for a judge's vote."))
    wanted: str | None = field(metadata=about("What players look for; null for judges."))
    rules: list[str] | None = field(metadata=about("In plain words; null for judges."))
    guide: str | None = field(metadata=about("What judges go by; null for players."))
    features: list[dict[str, Any]] | None = field(
        metadata=about("Of a case that is a row; empty where it is a text, null for judges.")
    )
    most: int | None = field(metadata=about("The points that a case reserves; null for judges."))
    budget: int | None = field(metadata=about("Points that are free; for the organiser."))
    reserved: int | None = field(metadata=about("Points that are promised; for the organiser."))


@dataclass(frozen=True, kw_only=True)
class StateChange(Request):
    """What becomes of a campaign."""

    state: Literal["open", "closed"]


@dataclass(frozen=True, kw_only=True)
class FundsChange(Request):
    """Points for the budget."""

    points: int = field(
        metadata=about(
            "More than 0 to add, less to take out of a campaign that is not open.",
            ge=-_MOST_POINTS,
            le=_MOST_POINTS,
        )
    )
