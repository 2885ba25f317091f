"""Gold items, which judge the judges: when one is due, and what becomes one."""

from __future__ import annotations

from datetime import datetime

from askpoint.labelling.clock import check_clock
from askpoint.labelling.judge import Judge
from askpoint.labelling.protocol import Protocol
from askpoint.labelling.ruling import Ruling

__all__ = ["becomes_gold", "gold_is_due", "gold_of"]


def gold_is_due(protocol: Protocol, judge: Judge, draw: float, *, pay: int, available: int) -> bool:
    """Tell whether a judge for whom a case waits should be given a gold item in its place.

    Never on an empty queue: whoever sees that no case waits would know what comes.
    """
    most = 1 + 2 * protocol.gold_share * judge.voted
    return draw < protocol.gold_share and judge.gold_seen < most and available >= pay


def becomes_gold(ruling: Ruling) -> bool:
    """Tell whether a ruled case may check other judges: all of at least two agreed on it."""
    votes = ruling.votes
    return (
        ruling.kind != "gold"
        and ruling.state == "ruled"
        and len(votes) > 1
        and all(vote.choice == ruling.answer and not vote.void for vote in votes)
    )


def gold_of(ruling: Ruling, name: str, now: datetime) -> Ruling:
    """Return a gold item made of such a case; those who voted on it are not offered it."""
    return Ruling(
        name,
        ruling.campaign,
        ruling.author,
        ruling.options,
        now,
        check_clock(now, ruling.at),
        gold=ruling.answer,
        kind="gold",
        skipped=tuple(vote.judge for vote in ruling.votes),
    )
