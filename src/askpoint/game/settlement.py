"""What a ruling moves: the award, its correction when the ruling changes, and the rest back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from askpoint.game.campaign import Campaign
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
    probe : Probe, optional
        The case.
    ruling : Ruling, optional
        Its ruling.
    player : Player, optional
        Its player.
    judge : Judge, optional
        Who voted.
    transactions : tuple of Transaction
        To be posted in this order.
    """

    probe: Probe | None = None
    ruling: Ruling | None = None
    player: Player | None = None
    judge: Judge | None = None
    transactions: tuple[Transaction, ...] = ()


def settle(campaign: Campaign, probe: Probe, ruling: Ruling, player: Player, now: datetime) -> Move:
    """Award a case as ruled, take back what was awarded otherwise before, release the rest.

    Parameters
    ----------
    campaign : Campaign
        Where.
    probe : Probe
        Submitted or judged.
    ruling : Ruling
        With an answer.
    player : Player
        Whose case it is.
    now : datetime
        When.

    Returns
    -------
    Move
        With the judged probe, the ruling with nothing reserved, and the player's counts.
    """
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
    key = f"release/{probe.id}/{ruling.state}/{len(ruling.votes)}"
    posted += transfer(key, now, held, campaign.reserved, campaign.budget, probe.id)
    first = before.truth is None
    found = player.found - (not first and _counts(before.prize)) + _counts(probe.prize)
    player = replace(player, judged=player.judged + first, found=max(0, found), at=now)
    return Move(probe, replace(ruling, reserved=0), player, transactions=posted)


def _counts(prize: Prize) -> bool:
    return prize.found or prize.points > 0


def _award(campaign: Campaign, probe: Probe) -> tuple[Transaction, ...]:
    key, earned = f"award/{probe.id}/{probe.round}", Account("earned", probe.player)
    return transfer(key, probe.at, probe.awarded, campaign.reserved, earned, probe.id)
