"""A campaign: its state, its budget, and whether it still takes cases."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from askpoint.arena.game.terms import CampaignTerms
from askpoint.arena.game.transaction import LedgerAccount, LedgerTransaction, as_points, transfer
from askpoint.errors import RuleError
from askpoint.labelling.clock import check_clock

__all__ = [
    "CampaignState",
    "add_funds",
    "check_accepting",
    "check_pools",
    "close_campaign",
    "open_campaign",
    "return_funds",
]


@dataclass(frozen=True)
class CampaignState:
    """A campaign and its state: draft, open or closed.

    Parameters
    ----------
    id : str
        Its name.
    terms : Terms
        Fixed once it is open.
    at : datetime
        When it last changed.
    state : str, default="draft"
        draft, open or closed.
    """

    id: str
    terms: CampaignTerms
    at: datetime
    state: str = "draft"

    @property
    def funding(self) -> LedgerAccount:
        """Where its money comes from."""
        return LedgerAccount("funding", self.id)

    @property
    def budget(self) -> LedgerAccount:
        """What it may still promise."""
        return LedgerAccount("budget", self.id)

    @property
    def reserved(self) -> LedgerAccount:
        """What it has promised."""
        return LedgerAccount("reserved", self.id)


def add_funds(
    campaign: CampaignState, points: int, key: str, now: datetime
) -> tuple[LedgerTransaction, ...]:
    """Add to a campaign's budget."""
    check_clock(now, campaign.at)
    as_points(points, "a funding", least=1)
    key = f"fund/{campaign.id}/{key}"
    return transfer(key, now, points, campaign.funding, campaign.budget, campaign.id)


def return_funds(
    campaign: CampaignState, points: int, key: str, now: datetime
) -> tuple[LedgerTransaction, ...]:
    """Take unpromised points out of a campaign that is not open."""
    check_clock(now, campaign.at)
    as_points(points, "a return of funds", least=1)
    if campaign.state == "open":
        raise RuleError(
            "still-open", f"players rely on the budget of {campaign.id!r}: close it first"
        )
    key = f"return/{campaign.id}/{key}"
    return transfer(key, now, points, campaign.budget, campaign.funding, campaign.id)


def open_campaign(campaign: CampaignState, available: int, now: datetime) -> CampaignState:
    """Open a draft to its players; from now on its terms are fixed."""
    check_clock(now, campaign.at)
    if campaign.state == "open":
        raise RuleError("already-open", f"campaign {campaign.id!r} is open already")
    if available < campaign.terms.most_promised:
        raise RuleError(
            "budget",
            f"one case may cost {campaign.terms.most_promised} points with all its votes, and "
            f"the budget of {campaign.id!r} holds {available}; add funds first",
        )
    return replace(campaign, state="open", at=now)


def close_campaign(campaign: CampaignState, now: datetime) -> CampaignState:
    """Stop taking cases; what is submitted is judged and paid."""
    check_clock(now, campaign.at)
    if campaign.state != "open":
        raise RuleError("not-open", f"campaign {campaign.id!r} is {campaign.state}, not open")
    return replace(campaign, state="closed", at=now)


def check_accepting(campaign: CampaignState, available: int) -> None:
    """Check that a campaign takes cases: it is open and its budget carries one more."""
    if campaign.state != "open":
        raise RuleError("not-open", f"campaign {campaign.id!r} is {campaign.state}, not open")
    if available < campaign.terms.most_promised:
        raise RuleError(
            "budget",
            f"the budget of {campaign.id!r} is used up, and it takes no more cases; what is "
            "submitted is honoured",
        )


def check_pools(person: str, role: str, held: str | None, *, organises: bool = False) -> None:
    """Check that a person who joins a campaign is not in its other pool, and does not run it."""
    if organises:
        raise RuleError(
            "own-campaign",
            f"{person} runs this campaign and has the last word in it, and so neither plays nor "
            "judges here",
        )
    if held not in (None, role):
        raise RuleError(
            "other-pool",
            f"{person} is a {held} here and cannot be a {role} too: players and judges are "
            "separate, so that nobody rules on their own winnings",
        )
