"""Pay that is final only when it is earned.

::

    reserved ──vote, award──> held ──the judge passes; the hold has passed──> earned
                               └──the judge fails──> budget

A judge's votes are held until the test on gold cases is passed: then all of them are earned. Where it fails, exactly
the pay of the votes that are held goes back. An award is held for a time after the ruling, and until the judges who
decided have passed; after a week it is final in any case.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from askpoint.arena.game.campaign import CampaignState
from askpoint.arena.game.friends import deciding_pair
from askpoint.arena.game.probe import ProbeState
from askpoint.arena.game.ruling import Ruling
from askpoint.arena.game.settlement import Move, final_award
from askpoint.arena.game.transaction import (
    POINTS_PER_CENT,
    LedgerAccount,
    LedgerTransaction,
    transfer,
)
from askpoint.errors import RuleError
from askpoint.labelling.clock import check_clock
from askpoint.labelling.gold_test import is_likely_careful
from askpoint.labelling.reviewer import Reviewer

__all__ = [
    "DECIDED_AFTER",
    "LONGEST_HOLD",
    "MOST_UNPROVEN",
    "award_due",
    "check_unproven",
    "close_held_votes",
    "finish_award",
    "hold_start",
    "settle_held_votes",
    "void_held_votes",
]

MOST_UNPROVEN = 500 * POINTS_PER_CENT
"""Points that may be held for a judge who has not passed the test yet."""

LONGEST_HOLD = timedelta(days=7)
"""How long after the ruling an award is held at most."""

DECIDED_AFTER = timedelta(days=14)
"""How long after a campaign's end an organiser may decide on votes without a verdict; then they are paid."""


def settle_held_votes(
    campaign: CampaignState, judge: Reviewer, now: datetime
) -> tuple[Reviewer, tuple[LedgerTransaction, ...]]:
    """Pay the votes that a passed test has just proven, or take back those held when it failed."""
    if judge.due:
        key = f"pass/{campaign.id}/{judge.id}/{judge.passes}"
        return replace(judge, due=0), _earn(campaign, judge.id, judge.due, key, now)
    if judge.stopped and judge.held:
        return void_held_votes(campaign, judge, judge.held, now)
    return judge, ()


def void_held_votes(
    campaign: CampaignState, judge: Reviewer, n_votes: int, now: datetime
) -> tuple[Reviewer, tuple[LedgerTransaction, ...]]:
    """Take back the pay of so many votes, of those that are held: exactly so many times the price of a vote."""
    n_votes = min(n_votes, judge.held)
    key = f"void/{campaign.id}/{judge.id}/{now.isoformat()}"
    points, held = n_votes * campaign.terms.pay.vote, LedgerAccount("held", judge.id)
    posted = transfer(key, now, points, held, campaign.budget, campaign.id)
    return replace(judge, held=judge.held - n_votes, at=check_clock(now, judge.at)), posted


def check_unproven(campaign: CampaignState, judge: Reviewer) -> None:
    """Check that a judge who never passed the test has not too much pay held already.

    Raises
    ------
    RuleError
        ``unproven``.
    """
    if not campaign.terms.protocol.holds_pay or judge.passes:
        return
    if (judge.held + 1) * campaign.terms.pay.vote > MOST_UNPROVEN:
        raise RuleError(
            "unproven",
            f"{judge.held} votes are held, and no test was passed yet: more are taken when the organiser has added "
            "gold cases, or decided",
        )


def _earn(
    campaign: CampaignState, judge: str, n_votes: int, key: str, now: datetime
) -> tuple[LedgerTransaction, ...]:
    points = n_votes * campaign.terms.pay.vote
    held, earned = LedgerAccount("held", judge), LedgerAccount("earned", judge)
    return transfer(key, now, points, held, earned, campaign.id)


def close_held_votes(
    campaign: CampaignState,
    judge: Reviewer,
    now: datetime,
    *,
    pays: bool | None = None,
) -> tuple[Reviewer, tuple[LedgerTransaction, ...]] | None:
    """Settle what is held when a campaign has ended; None while the organiser has to decide.

    A judge whom the evidence takes for careful is paid; of others the organiser decides (`pays`), and after
    `DECIDED_AFTER` they are paid.
    """
    if not campaign.terms.protocol.holds_pay or campaign.state != "closed":
        return None
    if not judge.held or judge.stopped:
        return None
    careful = is_likely_careful(judge.evidence, passed=judge.passes > 0)
    if pays is None and not careful and now < campaign.at + DECIDED_AFTER:
        return None
    if pays is False:
        return void_held_votes(campaign, judge, judge.held, now)
    key = f"close/{campaign.id}/{judge.id}/{now.isoformat()}"
    after = replace(judge, held=0, proven=now, at=check_clock(now, judge.at))
    return after, _earn(campaign, judge.id, judge.held, key, now)


def hold_start(judge: Reviewer) -> datetime | None:
    """Return from when on votes of a judge are held; None for all."""
    return None if judge.proven is None else judge.proven + timedelta(microseconds=1)


def award_due(
    campaign: CampaignState, ruling: Ruling, judges: Mapping[str, Reviewer]
) -> datetime | None:
    """Return from when on an award is final; None while that depends on judges who have not passed.

    The organiser's word needs no judge.
    """
    if ruling.ruled_at is None or ruling.state not in ("ruled", "final"):
        return None
    earliest = ruling.ruled_at + campaign.terms.hold
    if ruling.state == "final" or not campaign.terms.protocol.holds_pay:
        return earliest
    for vote in ruling.counted:
        judge = judges.get(vote.reviewer)
        proven = None if judge is None else judge.proven
        if vote.choice == ruling.answer and (proven is None or vote.at > proven):
            return None
    return earliest


def finish_award(
    campaign: CampaignState,
    ruling: Ruling,
    probe: ProbeState,
    now: datetime,
    *,
    judges: Mapping[str, Reviewer],
    suspicious: Collection[frozenset[str]] = (),
    compared: bool = True,
    repeating: bool = False,
) -> Move | None:
    """Let a player withdraw an award that is due; None while it is held.

    It is not due before judges have `compared` the find with earlier ones. What a suspicious pair of judges has decided
    goes to the organiser (`askpoint.arena.game.friends`), and so does a find of who is `repeating` own ones.
    """
    if probe.final or probe.truth is None or not campaign.terms.holds_awards:
        return None
    if ruling.ruled_at is None or ruling.state not in ("ruled", "final"):
        return None
    due = award_due(campaign, ruling, judges) if compared else None
    longest = ruling.ruled_at + max(LONGEST_HOLD, campaign.terms.hold)
    if now < (longest if due is None else min(due, longest)):
        return None
    doubtful = deciding_pair(ruling) in suspicious or (repeating and probe.prize.found)
    if ruling.state == "ruled" and doubtful:
        return Move(replace(ruling, state="referred", at=check_clock(now, ruling.at)))
    final = replace(probe, final=True, at=check_clock(now, probe.at))
    return Move(ruling, final, transactions=final_award(final))
