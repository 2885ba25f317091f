"""What judges do: claim a case, give it back, vote; a case that is ruled is settled at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from askpoint.arena.game.campaign import CampaignState
from askpoint.arena.game.player import PlayerState
from askpoint.arena.game.probe import ProbeState
from askpoint.arena.game.settlement import Move, settle
from askpoint.arena.game.transaction import LedgerAccount, LedgerTransaction, transfer
from askpoint.errors import RuleError
from askpoint.labelling.clock import check_clock
from askpoint.labelling.judge import Judge, check_judge, may_skip, see_gold
from askpoint.labelling.lease import drop_leases, grant_lease, held_lease
from askpoint.labelling.ruling import Ruling
from askpoint.labelling.votes import add_vote

__all__ = ["cast_vote", "claim_case", "give_back", "skip_case"]


def claim_case(
    campaign: CampaignState,
    ruling: Ruling,
    judge: Judge,
    now: datetime,
    *,
    agreements: Sequence[bool] = (),
) -> Move:
    """Claim a case for judging: the claim holds a place for the length of a lease."""
    check_clock(now, judge.at)
    check_judge(judge, ruling.campaign, campaign.terms.protocol, agreements)
    claimed = grant_lease(ruling, judge.id, campaign.terms.protocol, now)
    return _with_gold_pay(campaign, ruling, claimed, now)


def give_back(
    campaign: CampaignState, ruling: Ruling, now: datetime, judge: str | None = None
) -> Move:
    """Return claims to the queue: those that have ended, and that of a judge who skips."""
    return _with_gold_pay(campaign, ruling, drop_leases(ruling, now, judge), now)


def skip_case(campaign: CampaignState, ruling: Ruling, judge: Judge, now: datetime) -> Move:
    """Give a claimed case back for good: it is not offered to this judge again.

    Skips are counted and limited, so that nobody chooses what to judge.
    """
    check_clock(now, judge.at)
    protocol = campaign.terms.protocol
    if held_lease(ruling, judge.id, now) is None:
        raise RuleError("no-lease", f"{judge.id} holds no claim on case {ruling.id} to give back")
    if not may_skip(judge, protocol):
        raise RuleError(
            "too-many-skips",
            f"{judge.skipped} cases are skipped after {judge.voted} votes, and more can be only "
            f"after more votes ({protocol.skip_share:.0%} of them); vote as you think likelier, or "
            "take a break",
        )
    move = give_back(campaign, ruling, now, judge.id)
    after = replace(move.ruling, skipped=(*ruling.skipped, judge.id))
    if after.kind != "gold" and len(after.skipped) >= protocol.most_skips:
        after = replace(after, state="referred", leases=())
    return replace(move, ruling=after, judge=replace(judge, skipped=judge.skipped + 1, at=now))


def _with_gold_pay(
    campaign: CampaignState, before: Ruling, after: Ruling, now: datetime, voter: str | None = None
) -> Move:
    """Keep the pay of a gold vote reserved exactly as long as its lease stands."""
    posted: tuple[LedgerTransaction, ...] = ()
    if before.kind == "gold":
        pay, budget, reserved = campaign.terms.pay.vote, campaign.budget, campaign.reserved
        for lease in before.leases:
            if lease not in after.leases and lease.judge != voter:
                key = f"release/{before.id}/{lease.number}"
                posted += transfer(key, now, pay, reserved, budget, before.id)
        for lease in after.leases:
            if lease not in before.leases:
                key = f"reserve/{before.id}/{lease.number}"
                posted += transfer(key, now, pay, budget, reserved, before.id)
        after = replace(after, reserved=pay * len(after.leases))
    return Move(after, transactions=posted)


def cast_vote(
    campaign: CampaignState,
    ruling: Ruling,
    judge: Judge,
    choice: str,
    now: datetime,
    *,
    probe: ProbeState | None = None,
    player: PlayerState | None = None,
    family: Sequence[ProbeState] = (),
) -> Move:
    """Vote on a claimed case; the vote is paid, and a case that is ruled is settled."""
    check_clock(now, judge.at)
    check_judge(judge, ruling.campaign, campaign.terms.protocol)
    voted = add_vote(ruling, judge.id, choice, campaign.terms.protocol, now)
    pay, earned = campaign.terms.pay.vote, LedgerAccount("earned", judge.id)
    key = f"vote/{ruling.id}/{judge.id}"
    posted = transfer(key, now, pay, campaign.reserved, earned, ruling.id)
    if ruling.kind == "gold":
        right = choice == ruling.gold
        judge = see_gold(judge, right=right, protocol=campaign.terms.protocol, now=now)
        gold = _with_gold_pay(campaign, ruling, voted, now, judge.id)
        return replace(gold, judge=judge, transactions=posted + gold.transactions)
    voted = replace(voted, reserved=ruling.reserved - pay)
    judge = replace(judge, voted=judge.voted + 1, at=now)
    if voted.state != "ruled":
        return Move(voted, judge=judge, transactions=posted)
    settled = settle(campaign, voted, now, probe=probe, player=player, family=family)
    return replace(settled, judge=judge, transactions=posted + settled.transactions)
