"""Judges of a campaign: training with the answers first, then gold among the cases."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from askpoint.errors import RuleError
from askpoint.game.clock import check_clock
from askpoint.game.protocol import Protocol

__all__ = [
    "Judge",
    "bar_judge",
    "check_judge",
    "is_paused",
    "is_trained",
    "readmit_judge",
    "see_gold",
    "train",
]


@dataclass(frozen=True, slots=True)
class Judge:
    """A judge in a campaign.

    Parameters
    ----------
    id : str
        The person.
    campaign : str
        The campaign.
    at : datetime
        When the record last changed.
    trained : frozenset of str, default=empty
        Training items answered, whose right answers were then shown.
    gold_seen, gold_right : int, default=0
        Gold items voted on, and those voted on rightly, since the judge was last readmitted.
    barred : bool, default=False
        Whether the organiser has shut the judge out.
    """

    id: str
    campaign: str
    at: datetime
    trained: frozenset[str] = frozenset()
    gold_seen: int = 0
    gold_right: int = 0
    barred: bool = False


def train(judge: Judge, item: str, now: datetime) -> Judge:
    """Record that a judge has answered a training item and seen its right answer."""
    return replace(judge, trained=judge.trained | {item}, at=check_clock(now, judge.at))


def is_trained(judge: Judge, protocol: Protocol) -> bool:
    """Tell whether a judge has seen the whole training set."""
    return len(judge.trained) >= protocol.training_items


def see_gold(judge: Judge, *, right: bool, now: datetime) -> Judge:
    """Record a judge's vote on a gold item."""
    return replace(
        judge,
        gold_seen=judge.gold_seen + 1,
        gold_right=judge.gold_right + right,
        at=check_clock(now, judge.at),
    )


def is_paused(judge: Judge, protocol: Protocol) -> bool:
    """Tell whether a judge was wrong on too many gold items to go on."""
    return judge.gold_seen >= protocol.gold_least and judge.gold_right < round(
        protocol.gold_accuracy * judge.gold_seen, 9
    )


def check_judge(judge: Judge, campaign: str, protocol: Protocol) -> None:
    """Check that a judge may vote in a campaign."""
    if judge.campaign != campaign:
        raise RuleError(
            "other-campaign", f"{judge.id} judges in {judge.campaign!r}, not in {campaign!r}"
        )
    if judge.barred:
        raise RuleError("barred", f"the organiser has shut {judge.id} out of this campaign")
    if not is_trained(judge, protocol):
        raise RuleError(
            "untrained",
            f"{judge.id} has seen {len(judge.trained)} of {protocol.training_items} training "
            "items; finish them first",
        )
    if is_paused(judge, protocol):
        raise RuleError(
            "paused",
            f"{judge.gold_right} of {judge.gold_seen} votes on cases with a known answer were "
            f"right, and below {protocol.gold_accuracy:.0%} nobody judges on; the organiser can "
            "readmit",
        )


def bar_judge(judge: Judge, now: datetime) -> Judge:
    """Shut a judge out, by the organiser's decision."""
    return replace(judge, barred=True, at=check_clock(now, judge.at))


def readmit_judge(judge: Judge, now: datetime) -> Judge:
    """Let a judge judge again, after training anew, by the organiser's decision."""
    return Judge(judge.id, judge.campaign, check_clock(now, judge.at))
