"""A campaign: its state, its budget, and whether it still takes cases."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from askpoint.errors import RuleError
from askpoint.game.clock import check_clock
from askpoint.game.terms import Terms
from askpoint.game.transaction import Account, Transaction, as_points, transfer

__all__ = [
    "Campaign",
    "add_funds",
    "check_accepting",
    "check_pools",
    "close_campaign",
    "open_campaign",
    "return_funds",
]


@dataclass(frozen=True)
class Campaign:
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
    terms: Terms
    at: datetime
    state: str = "draft"

    @property
    def funding(self) -> Account:
        """Where its money comes from."""
        return Account("funding", self.id)

    @property
    def budget(self) -> Account:
        """What it may still promise."""
        return Account("budget", self.id)

    @property
    def reserved(self) -> Account:
        """What it has promised."""
        return Account("reserved", self.id)


def add_funds(campaign: Campaign, points: int, key: str, now: datetime) -> tuple[Transaction, ...]:
    """Add to a campaign's budget.

    Parameters
    ----------
    campaign : Campaign
        In any state: also a closed one may need more for an appeal.
    points : int
        At least 1.
    key : str
        Names this funding, so that it happens once.
    now : datetime
        When.

    Returns
    -------
    tuple of Transaction

    Examples
    --------
    >>> from datetime import UTC, datetime
    >>> from askpoint.game.campaign import Campaign, add_funds
    >>> from askpoint.game.terms import Terms
    >>> from askpoint.measures.cost_matrix import CostMatrix
    >>> now = datetime(2026, 1, 1, tzinfo=UTC)
    >>> terms = Terms(CostMatrix.zero_one(["normal", "hate"]), designs=[1])
    >>> (posted,) = add_funds(Campaign("hate", terms, now), 5000, "first", now)
    >>> [(str(account), points) for account, points in posted.entries]
    [('funding:hate', -5000), ('budget:hate', 5000)]
    """
    check_clock(now, campaign.at)
    as_points(points, "a funding", least=1)
    key = f"fund/{campaign.id}/{key}"
    return transfer(key, now, points, campaign.funding, campaign.budget, campaign.id)


def return_funds(
    campaign: Campaign, points: int, key: str, now: datetime
) -> tuple[Transaction, ...]:
    """Take unpromised points out of a campaign that is not open.

    Parameters
    ----------
    campaign : Campaign
        Draft or closed.
    points : int
        At least 1; the ledger refuses more than the budget holds.
    key : str
        Names this return, so that it happens once.
    now : datetime
        When.

    Returns
    -------
    tuple of Transaction

    Raises
    ------
    RuleError
        ``still-open``, while players rely on the budget.
    """
    check_clock(now, campaign.at)
    as_points(points, "a return of funds", least=1)
    if campaign.state == "open":
        raise RuleError(
            "still-open", f"players rely on the budget of {campaign.id!r}: close it first"
        )
    key = f"return/{campaign.id}/{key}"
    return transfer(key, now, points, campaign.budget, campaign.funding, campaign.id)


def open_campaign(campaign: Campaign, available: int, now: datetime) -> Campaign:
    """Open a draft to its players; from now on its terms are fixed.

    Parameters
    ----------
    campaign : Campaign
        A draft, or one that was closed.
    available : int
        Points in its budget.
    now : datetime
        When.

    Returns
    -------
    Campaign

    Raises
    ------
    RuleError
        ``budget``, if the budget does not carry a single case; ``already-open``.
    """
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


def close_campaign(campaign: Campaign, now: datetime) -> Campaign:
    """Stop taking cases; what is submitted is judged and paid.

    Parameters
    ----------
    campaign : Campaign
        Open.
    now : datetime
        When.

    Returns
    -------
    Campaign

    Raises
    ------
    RuleError
        ``not-open``.
    """
    check_clock(now, campaign.at)
    if campaign.state != "open":
        raise RuleError("not-open", f"campaign {campaign.id!r} is {campaign.state}, not open")
    return replace(campaign, state="closed", at=now)


def check_accepting(campaign: Campaign, available: int) -> None:
    """Check that a campaign takes cases: it is open and its budget carries one more.

    Parameters
    ----------
    campaign : Campaign
        Where somebody wants to play.
    available : int
        Points in its budget.

    Raises
    ------
    RuleError
        ``not-open`` or ``budget``.
    """
    if campaign.state != "open":
        raise RuleError("not-open", f"campaign {campaign.id!r} is {campaign.state}, not open")
    if available < campaign.terms.most_promised:
        raise RuleError(
            "budget",
            f"the budget of {campaign.id!r} is used up, and it takes no more cases; what is "
            "submitted is honoured",
        )


def check_pools(person: str, role: str, held: str | None) -> None:
    """Check that a person who joins a campaign is not in its other pool.

    Parameters
    ----------
    person : str
        Who joins.
    role : {"player", "judge"}
        As what.
    held : str or None
        The role that the person has in this campaign already.

    Raises
    ------
    RuleError
        ``other-pool``.

    Examples
    --------
    >>> from askpoint.game.campaign import check_pools
    >>> check_pools("alice", "judge", "player")
    Traceback (most recent call last):
    askpoint.errors.RuleError: alice is a player here and can not be a judge too: players and \
judges are separate, so that nobody rules on their own winnings
    """
    if held not in (None, role):
        raise RuleError(
            "other-pool",
            f"{person} is a {held} here and can not be a {role} too: players and judges are "
            "separate, so that nobody rules on their own winnings",
        )
