"""What a ruling moves: the award, its correction when the ruling changes, and the rest back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from askpoint.errors import InputError
from askpoint.game.campaign import Campaign
from askpoint.game.clock import check_clock
from askpoint.game.judge import Judge
from askpoint.game.player import Player
from askpoint.game.probe import Prize, Probe
from askpoint.game.ruling import Ruling
from askpoint.game.transaction import Account, Transaction, reversal, transfer

__all__ = ["Move", "settle"]


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
    judge : Judge, optional
        Who voted.
    transactions : tuple of Transaction
        To be posted in this order.
    """

    ruling: Ruling
    probe: Probe | None = None
    player: Player | None = None
    judge: Judge | None = None
    transactions: tuple[Transaction, ...] = ()


def settle(
    campaign: Campaign,
    ruling: Ruling,
    now: datetime,
    *,
    probe: Probe | None = None,
    player: Player | None = None,
) -> Move:
    """Award a case as ruled, take back what was awarded otherwise before, release the rest.

    A drawn case has no award: what its votes did not cost is released.
    """
    if ruling.kind == "drawn":
        return Move(replace(ruling, reserved=0), transactions=_rest(campaign, ruling, now))
    if probe is None or player is None:
        raise InputError(f"case {ruling.id} was submitted: its probe and its player are needed")
    check_clock(now, player.at, probe.at)
    posted: tuple[Transaction, ...] = ()
    before, held = probe, ruling.reserved
    if probe.truth != ruling.answer:
        posted += tuple(reversal(award, now) for award in _award(campaign, probe))
        held += probe.awarded
        probe = replace(probe, state="judged", truth=ruling.answer, round=probe.round + 1, at=now)
        probe = replace(probe, awarded=campaign.terms.pay.base + probe.prize.points)
        key = f"reserve/{probe.id}/{ruling.state}"
        missing = max(0, probe.awarded - held)
        posted += transfer(key, now, missing, campaign.budget, campaign.reserved, probe.id)
        posted += _award(campaign, probe)
        held += missing - probe.awarded
    posted += _rest(campaign, replace(ruling, reserved=held), now)
    first = before.truth is None
    found = player.found - (not first and _counts(before.prize)) + _counts(probe.prize)
    player = replace(player, judged=player.judged + first, found=max(0, found), at=now)
    return Move(replace(ruling, reserved=0), probe, player, transactions=posted)


def _rest(campaign: Campaign, ruling: Ruling, now: datetime) -> tuple[Transaction, ...]:
    key = f"release/{ruling.id}/{ruling.state}/{len(ruling.votes)}"
    return transfer(key, now, ruling.reserved, campaign.reserved, campaign.budget, ruling.id)


def _counts(prize: Prize) -> bool:
    return prize.found or prize.points > 0


def _award(campaign: Campaign, probe: Probe) -> tuple[Transaction, ...]:
    key, earned = f"award/{probe.id}/{probe.round}", Account("earned", probe.player)
    return transfer(key, probe.at, probe.awarded, campaign.reserved, earned, probe.id)
