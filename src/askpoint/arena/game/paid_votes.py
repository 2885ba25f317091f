"""What judges do: claim a case, give it back, vote; a case that is ruled is settled at once.

The steps are those of `askpoint.labelling.steps`; here they are paid.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import askpoint.labelling.steps as steps
from askpoint.arena.game.campaign import CampaignState
from askpoint.arena.game.held_pay import check_unproven, settle_held_votes
from askpoint.arena.game.player import PlayerState
from askpoint.arena.game.probe import ProbeState
from askpoint.arena.game.ruling import Ruling
from askpoint.arena.game.settlement import Move, settle
from askpoint.arena.game.transaction import LedgerAccount, LedgerTransaction, transfer
from askpoint.labelling.clock import check_clock
from askpoint.labelling.reviewer import Agreement, Reviewer, check_reviewer
from askpoint.labelling.steps import Step

__all__ = ["cast_vote", "claim_case", "give_back", "pay_step", "skip_case"]


def claim_case(
    campaign: CampaignState,
    ruling: Ruling,
    judge: Reviewer,
    now: datetime,
    *,
    agreements: Sequence[Agreement] = (),
) -> Move:
    """Claim a case for judging: the claim holds a place for a while."""
    protocol = campaign.terms.protocol
    if not ruling.is_gold:
        check_unproven(campaign, judge)
    step = steps.claim_case(ruling, judge, protocol, now, agreements=agreements)
    return pay_step(campaign, ruling, step, now)


def give_back(
    campaign: CampaignState, ruling: Ruling, now: datetime, judge: str | None = None
) -> Move:
    """Return claims to the queue: those that have ended, and that of a judge."""
    return pay_step(campaign, ruling, steps.give_back(ruling, now, judge), now)


def skip_case(campaign: CampaignState, ruling: Ruling, judge: Reviewer, now: datetime) -> Move:
    """Give a claimed case back for good: it is not offered to this judge again."""
    step = steps.skip_case(ruling, judge, campaign.terms.protocol, now)
    return pay_step(campaign, ruling, step, now)


def cast_vote(
    campaign: CampaignState,
    ruling: Ruling,
    judge: Reviewer,
    choice: str,
    now: datetime,
    *,
    probe: ProbeState | None = None,
    player: PlayerState | None = None,
    family: Sequence[ProbeState] = (),
) -> Move:
    """Vote on a claimed case; the vote is paid, and a case that is ruled is settled."""
    check_clock(now, judge.at)
    check_reviewer(judge, ruling.queue, campaign.terms.protocol)
    step = steps.cast_vote(ruling, judge, choice, campaign.terms.protocol, now)
    return pay_step(campaign, ruling, step, now, probe=probe, player=player, family=family)


def pay_step(
    campaign: CampaignState,
    before: Ruling,
    step: Step[Ruling],
    now: datetime,
    *,
    probe: ProbeState | None = None,
    player: PlayerState | None = None,
    family: Sequence[ProbeState] = (),
) -> Move:
    """Pay for what a judge did: a vote at once, and what the votes decide as `settle` says."""
    after, pay, reviewer = step.case, campaign.terms.pay.vote, step.reviewer
    voter = after.votes[-1].reviewer if len(after.votes) > len(before.votes) else None
    posted: tuple[LedgerTransaction, ...] = ()
    if voter is not None:
        key = f"vote/{before.id}/{voter}"
        kind = "held" if campaign.terms.protocol.holds_pay else "earned"
        posted = transfer(key, now, pay, campaign.reserved, LedgerAccount(kind, voter), before.id)
    if reviewer is not None:
        reviewer, settled = settle_held_votes(campaign, reviewer, now)
        posted += settled
    if before.is_gold:
        posted += _gold_pay(campaign, before, after, now, voter)
        after = replace(after, reserved=pay * len(after.claims))
    elif voter is not None:
        after = replace(after, reserved=before.reserved - pay)
        if after.state == "ruled":
            move = settle(campaign, after, now, probe=probe, player=player, family=family)
            return replace(move, judge=reviewer, transactions=posted + move.transactions)
    return Move(after, judge=reviewer, transactions=posted)


def _gold_pay(
    campaign: CampaignState, before: Ruling, after: Ruling, now: datetime, voter: str | None
) -> tuple[LedgerTransaction, ...]:
    """Keep the pay of a gold vote reserved exactly as long as its claim stands."""
    pay, budget, reserved = campaign.terms.pay.vote, campaign.budget, campaign.reserved
    posted: tuple[LedgerTransaction, ...] = ()
    held, holds = ({claim.number for claim in one.claims} for one in (before, after))
    for claim in before.claims:
        if claim.number not in holds and claim.reviewer != voter:
            key = f"release/{before.id}/{claim.number}"
            posted += transfer(key, now, pay, reserved, budget, before.id)
    for claim in after.claims:
        if claim.number not in held:
            key = f"reserve/{before.id}/{claim.number}"
            posted += transfer(key, now, pay, budget, reserved, before.id)
    return posted
