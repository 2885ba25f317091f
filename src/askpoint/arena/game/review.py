"""After the ruling: appeals, the organiser's word, and votes of a paused judge recalled."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from askpoint.arena.game.campaign import CampaignState
from askpoint.arena.game.player import PlayerState
from askpoint.arena.game.probe import ProbeState
from askpoint.arena.game.ruling import Ruling
from askpoint.arena.game.settlement import Move, settle
from askpoint.arena.game.transaction import LedgerTransaction, transfer
from askpoint.errors import RuleError
from askpoint.labelling.clock import check_clock
from askpoint.labelling.steps import settle_case
from askpoint.labelling.votes import void_votes

__all__ = ["ask_others", "decide_case", "file_appeal", "recall_votes"]


def file_appeal(
    campaign: CampaignState, ruling: Ruling, player: PlayerState, now: datetime
) -> Move:
    """Appeal against a ruling: by its player, once, within the window.

    What was awarded stands until the organiser decides.
    """
    check_clock(now, ruling.at)
    if player.id != ruling.author:
        raise RuleError("not-own-case", f"only its player may appeal against case {ruling.id}")
    if ruling.state in ("appealed", "final"):
        raise RuleError(
            "appealed-before",
            f"case {ruling.id} went to the organiser already, whose word is the last",
        )
    if ruling.ruled_at is None:
        raise RuleError("not-ruled", f"case {ruling.id} is not ruled yet: wait for the judges")
    last = ruling.ruled_at + campaign.terms.appeal_window
    if now > last:
        raise RuleError(
            "appeal-late", f"an appeal on case {ruling.id} was possible until {last.isoformat()}"
        )
    return Move(replace(ruling, state="appealed", at=now))


def decide_case(
    campaign: CampaignState,
    ruling: Ruling,
    choice: str,
    now: datetime,
    *,
    probe: ProbeState | None = None,
    player: PlayerState | None = None,
    family: Sequence[ProbeState] = (),
) -> Move:
    """Settle a referred or appealed case by the organiser's word, which is final.

    Where it brings the player more than is reserved or awarded, the budget must carry the
    difference: the ledger says so if it does not, and the organiser adds funds first.
    """
    final = settle_case(ruling, choice, now, ("referred", "appealed")).case
    return settle(campaign, final, now, probe=probe, player=player, family=family)


def recall_votes(
    campaign: CampaignState,
    ruling: Ruling,
    judge: str,
    now: datetime,
    *,
    available: int,
    probe: ProbeState | None = None,
    since: datetime | None = None,
) -> Move:
    """Void a paused judge's recent vote on a case and queue the case again if it decided.

    The votes to come and a better award are reserved; where the budget does not carry
    them, the case goes to the organiser. What was awarded stands until then. `since` takes the
    place of the recall window, where the organiser asks for it.
    """
    voided = void_votes(ruling, judge, campaign.terms.protocol, now, since=since)
    if voided.state != "open" or voided.votes == ruling.votes:
        return Move(voided)
    pay = campaign.terms.pay
    votes = campaign.terms.protocol.most_votes - len(voided.counted)
    wanted = votes * pay.vote
    if probe is not None:
        wanted += pay.base + probe.best_prize - probe.awarded
    missing = max(0, wanted - ruling.reserved)
    if missing > available:
        return Move(replace(voided, state="referred", claims=()))
    key = f"reserve/{ruling.id}/recall/{judge}"
    posted = transfer(key, now, missing, campaign.budget, campaign.reserved, ruling.id)
    return Move(replace(voided, reserved=ruling.reserved + missing), transactions=posted)


def ask_others(
    campaign: CampaignState,
    ruling: Ruling,
    judges: Iterable[str],
    now: datetime,
    *,
    available: int,
    probe: ProbeState,
) -> Move:
    """Set the votes of some judges on a case aside, and queue it for others; their pay is not touched.

    Neither they nor the organiser decide then, unless the budget does not carry the votes to come.
    """
    posted: tuple[LedgerTransaction, ...] = ()
    for judge in sorted(judges):
        move = recall_votes(
            campaign,
            ruling,
            judge,
            now,
            available=available,
            probe=probe,
            since=datetime.min.replace(tzinfo=UTC),
        )
        available -= move.ruling.reserved - ruling.reserved
        ruling, posted = move.ruling, posted + move.transactions
    return Move(ruling, transactions=posted)
