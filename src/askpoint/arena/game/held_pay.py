"""Pay that is final only when it is earned.

::

    reserved ──vote, award──> held ──the judge passes; the hold has passed──> earned
                               └──the judge fails──> budget

A judge's votes are held until the test on gold cases is passed: then all of them are earned. Where it fails, exactly
the pay of the votes that are held goes back. A campaign that ends before pays for them, unless gold cases speak
against the judge: then only the organiser's word pays. An award is held for a time after the ruling, and until the judges who
decided have passed; after a week it is final in any case.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from askpoint.arena.game.campaign import CampaignState
from askpoint.arena.game.friends import deciding_judges
from askpoint.arena.game.probe import ProbeState
from askpoint.arena.game.review import ask_others
from askpoint.arena.game.ruling import Ruling
from askpoint.arena.game.settlement import Move, final_award, refuse_award
from askpoint.arena.game.transaction import (
    POINTS_PER_CENT,
    LedgerAccount,
    LedgerTransaction,
    transfer,
)
from askpoint.errors import RuleError
from askpoint.labelling.clock import check_clock
from askpoint.labelling.gold_test import speaks_against
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
    "is_doubted",
    "is_past_deciding",
    "settle_held_votes",
    "take_back_votes",
    "void_held_votes",
    "votes_of",
]

MOST_UNPROVEN = 500 * POINTS_PER_CENT
"""Points that may be held for a judge who has not passed the test yet."""

LONGEST_HOLD = timedelta(days=7)
"""How long after the ruling an award is held at most."""

DECIDED_AFTER = timedelta(days=14)
"""How long after a campaign's end an organiser may decide on votes and finds without a verdict.

After that finds are paid, and votes of judges against whom gold cases speak are not.
"""


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


def is_doubted(judge: Reviewer) -> bool:
    """Tell whether the gold cases since the last pass speak against a judge.

    Only then an organiser can take back the pay of held votes: dealing no gold takes nobody's pay.
    """
    return speaks_against(judge.evidence)


def take_back_votes(
    campaign: CampaignState, judge: Reviewer, n_votes: int, now: datetime
) -> tuple[Reviewer, tuple[LedgerTransaction, ...]]:
    """Take back the pay of votes that the organiser asks for again, if the gold cases speak against their judge.

    Else they stay held, and the test on gold cases decides on them as on all others.
    """
    if not n_votes or not campaign.terms.protocol.holds_pay or not is_doubted(judge):
        return judge, ()
    return void_held_votes(campaign, judge, n_votes, now)


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

    A judge against whom gold cases do not speak is paid; of others the organiser decides (`pays`). Who has not said by
    `DECIDED_AFTER` that they are paid has refused it: else a careless judge would only need an organiser who does not look.

    Raises
    ------
    RuleError
        ``careful``: the organiser cannot refuse the pay of a judge against whom gold cases do not speak.
    """
    if not campaign.terms.protocol.holds_pay or campaign.state != "closed":
        return None
    if not judge.held or judge.stopped:
        return None
    doubted = is_doubted(judge)
    if pays is None and doubted:
        if not is_past_deciding(campaign, now):
            return None
        pays = False
    if pays is False and not doubted:
        raise RuleError(
            "careful",
            f"the gold cases do not speak against {judge.id}: these votes are paid, and nobody can refuse that",
        )
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


def is_past_deciding(campaign: CampaignState, now: datetime) -> bool:
    """Return whether a campaign ended so long ago that the time in which its organiser decides is over."""
    return campaign.state == "closed" and now >= campaign.at + DECIDED_AFTER


def votes_of(probe: ProbeState, ruling: Ruling) -> list[tuple[str, bool]]:
    """Return the votes on a submitted case for `askpoint.arena.game.friends.suspects`."""
    return [(vote.reviewer, replace(probe, truth=vote.choice).prize.found) for vote in ruling.votes]


def finish_award(
    campaign: CampaignState,
    ruling: Ruling,
    probe: ProbeState,
    now: datetime,
    *,
    judges: Mapping[str, Reviewer],
    suspicious: Collection[frozenset[str]] = (),
    available: int = 0,
    compared: bool = True,
    repeating: bool = False,
    surely: bool = False,
) -> Move | None:
    """Let a player withdraw an award that is due; None while it is held.

    Where a case waits to be ruled again, or for the organiser, the award waits, too, until `DECIDED_AFTER` the campaign's
    end: nobody keeps what was earned by asking for votes again.

    It is not due before judges have `compared` the find with earlier ones. Where `suspicious` judges decided
    (`askpoint.arena.game.friends`), others are asked in their place, whom the `available` budget pays. A find of who is `repeating`
    own ones goes to the organiser; where that is `surely` so, it pays nothing unless the organiser says that it is new.
    """
    if probe.final or probe.truth is None or not campaign.terms.holds_awards:
        return None
    if ruling.ruled_at is None or ruling.state not in ("ruled", "final"):
        if not is_past_deciding(campaign, now):
            return None
        if surely and ruling.state == "referred" and probe.prize.found:
            return refuse_award(campaign, ruling, probe, now)
        final = replace(probe, final=True, at=check_clock(now, probe.at))
        return Move(ruling, final, transactions=final_award(final))
    due = award_due(campaign, ruling, judges) if compared else None
    longest = ruling.ruled_at + max(LONGEST_HOLD, campaign.terms.hold)
    if now < (longest if due is None else min(due, longest)):
        return None
    deciding = deciding_judges(ruling)
    aside = {judge for some in suspicious if some <= deciding for judge in some}
    if ruling.state == "ruled" and aside and probe.prize.found:
        return ask_others(campaign, ruling, aside, now, available=available, probe=probe)
    if ruling.state == "ruled" and repeating and probe.prize.found:
        return Move(replace(ruling, state="referred", at=check_clock(now, ruling.at)))
    final = replace(probe, final=True, at=check_clock(now, probe.at))
    return Move(ruling, final, transactions=final_award(final))
