"""What a ruling moves: the award, its correction when the ruling changes, and the rest back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from askpoint.arena.game.campaign import CampaignState
from askpoint.arena.game.family import place_of, reserve_if_first, worth
from askpoint.arena.game.player import PlayerState
from askpoint.arena.game.probe import Prize, ProbeState
from askpoint.arena.game.ruling import Ruling
from askpoint.arena.game.transaction import LedgerAccount, LedgerTransaction, reversal, transfer
from askpoint.errors import InputError
from askpoint.labelling.clock import check_clock
from askpoint.labelling.reviewer import Reviewer

__all__ = ["Move", "final_award", "refuse_award", "settle", "settle_anew"]


@dataclass(frozen=True, slots=True)
class Move:
    """What a move changed; None where a record stayed as it was.

    Parameters
    ----------
    ruling : Ruling
        Of the case.
    probe : Probe, optional
        The case, if it was submitted.
    player : Player, optional
        Its player.
    judge : Reviewer, optional
        Who voted.
    transactions : tuple of Transaction
        To be posted in this order.
    """

    ruling: Ruling
    probe: ProbeState | None = None
    player: PlayerState | None = None
    judge: Reviewer | None = None
    transactions: tuple[LedgerTransaction, ...] = ()


def settle(
    campaign: CampaignState,
    ruling: Ruling,
    now: datetime,
    *,
    probe: ProbeState | None = None,
    player: PlayerState | None = None,
    family: Sequence[ProbeState] = (),
) -> Move:
    """Award a case as ruled, take back what was awarded otherwise before, release the rest.

    A drawn case has no award: what its votes did not cost is released. Whoever settles a case of
    a `family` settles anew those that `askpoint.arena.game.family.find_moves` names then, by `settle_anew`.
    """
    if ruling.purpose == "drawn":
        rest = _rest(campaign, ruling, ruling.reserved, now)
        return Move(replace(ruling, reserved=0), transactions=rest)
    if probe is None or player is None:
        raise InputError(f"case {ruling.id} was submitted: its probe and its player are needed")
    check_clock(now, player.at, probe.at)
    before, terms = probe, campaign.terms
    ruled = replace(probe, state="judged", truth=ruling.answer)
    ruled = replace(ruled, place=place_of(ruled, family))
    awarded, held = worth(terms, ruled, ruled.place), reserve_if_first(terms, ruled)
    posted: tuple[LedgerTransaction, ...] = ()
    reserved = ruling.reserved
    if before.truth != ruled.truth or before.awarded != awarded:
        taken_back = (*final_award(before), *_award(campaign, before))
        posted += tuple(reversal(award, now) for award in taken_back)
        reserved += before.awarded
        probe = replace(ruled, round=before.round + 1, awarded=awarded, at=now, final=False)
        missing = max(0, awarded + held - reserved)
        key = f"reserve/{probe.id}/{ruling.state}/{probe.round}"
        posted += transfer(key, now, missing, campaign.budget, campaign.reserved, probe.id)
        posted += _award(campaign, probe)
        reserved += missing - awarded
    elif before.place != ruled.place:
        probe = replace(ruled, at=now)
    posted += _rest(campaign, ruling, reserved - held, now, probe)
    first = before.truth is None
    n_finds = player.found - (not first and _counts(before.prize)) + _counts(probe.prize)
    player = replace(player, judged=player.judged + first, found=max(0, n_finds), at=now)
    return Move(replace(ruling, reserved=held), probe, player, transactions=posted)


def settle_anew(
    campaign: CampaignState,
    ruling: Ruling,
    now: datetime,
    *,
    probe: ProbeState,
    player: PlayerState,
    family: Sequence[ProbeState],
    available: int,
) -> Move:
    """Settle a judged case again, because another one of its family was ruled.

    Where the budget does not carry what it brings now, the organiser decides.
    """
    if ruling.state not in ("ruled", "appealed", "final"):
        return Move(ruling)  # open again: it is settled when it is ruled
    ruled = replace(ruling, answer=probe.truth)
    move = settle(campaign, ruled, now, probe=probe, player=player, family=family)
    missing = sum(
        -points
        for transaction in move.transactions
        for account, points in transaction.entries
        if account == campaign.budget and points < 0
    )
    if missing > available:
        return Move(replace(ruling, state="referred", at=now))
    return move


def _rest(
    campaign: CampaignState,
    ruling: Ruling,
    points: int,
    now: datetime,
    probe: ProbeState | None = None,
) -> tuple[LedgerTransaction, ...]:
    key = f"release/{ruling.id}/{ruling.state}/{len(ruling.votes)}"
    if probe is not None and (probe.family != probe.id or probe.round > 1):
        # settled anew, by the same votes, as others of its family were ruled or repeats lost their places
        key += f"/{probe.place}/{probe.round}"
    return transfer(key, now, points, campaign.reserved, campaign.budget, ruling.id)


def _counts(prize: Prize) -> bool:
    return prize.found or prize.points > 0


def _award(campaign: CampaignState, probe: ProbeState) -> tuple[LedgerTransaction, ...]:
    key = f"award/{probe.id}/{probe.round}"
    kind = "held" if campaign.terms.holds_awards else "earned"
    account = LedgerAccount(kind, probe.player)
    return transfer(key, probe.at, probe.awarded, campaign.reserved, account, probe.id)


def final_award(probe: ProbeState) -> tuple[LedgerTransaction, ...]:
    """Return what lets a player withdraw an award; nothing where it is still held."""
    if not probe.final:
        return ()
    held, earned = LedgerAccount("held", probe.player), LedgerAccount("earned", probe.player)
    key = f"final/{probe.id}/{probe.round}"
    return transfer(key, probe.at, probe.awarded, held, earned, probe.id)


def refuse_award(campaign: CampaignState, ruling: Ruling, probe: ProbeState, now: datetime) -> Move:
    """Take a held award back for good: it pays what an own find brings that is repeated, nothing."""
    posted = tuple(reversal(award, now) for award in _award(campaign, probe))
    key = f"refuse/{probe.id}/{probe.round}"
    posted += transfer(key, now, probe.awarded, campaign.reserved, campaign.budget, probe.id)
    after = replace(probe, awarded=0, final=True, at=check_clock(now, probe.at))
    return Move(ruling, after, transactions=posted)
