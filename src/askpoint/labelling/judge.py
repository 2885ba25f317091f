"""Judges of a campaign: training with the answers first, then gold among the cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from askpoint.errors import RuleError
from askpoint.labelling.clock import check_clock
from askpoint.labelling.protocol import Protocol

__all__ = [
    "Judge",
    "bar_judge",
    "check_judge",
    "is_astray",
    "is_paused",
    "is_trained",
    "may_skip",
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
    recent : tuple of bool, default=()
        The newest of the gold votes, as many as the protocol's window holds: which were right.
    voted, skipped : int, default=0
        Cases voted on and cases skipped, gold apart from the votes, since then.
    since : datetime, optional
        When the judge was last readmitted.
    """

    id: str
    campaign: str
    at: datetime
    trained: frozenset[str] = frozenset()
    gold_seen: int = 0
    gold_right: int = 0
    barred: bool = False
    recent: tuple[bool, ...] = ()
    voted: int = 0
    skipped: int = 0
    since: datetime | None = None


def train(judge: Judge, item: str, now: datetime) -> Judge:
    """Record that a judge has answered a training item and seen its right answer."""
    return replace(judge, trained=judge.trained | {item}, at=check_clock(now, judge.at))


def is_trained(judge: Judge, protocol: Protocol) -> bool:
    """Tell whether a judge has seen the whole training set."""
    return len(judge.trained) >= protocol.training_items


def see_gold(judge: Judge, *, right: bool, protocol: Protocol, now: datetime) -> Judge:
    """Record a judge's vote on a gold item."""
    return replace(
        judge,
        gold_seen=judge.gold_seen + 1,
        gold_right=judge.gold_right + right,
        recent=(*judge.recent, right)[-protocol.gold_window :],
        at=check_clock(now, judge.at),
    )


def is_paused(judge: Judge, protocol: Protocol) -> bool:
    """Tell whether a judge was wrong on too many of the newest gold items to go on."""
    seen = len(judge.recent)
    return seen >= protocol.gold_least and sum(judge.recent) < round(
        protocol.gold_accuracy * seen, 9
    )


def is_astray(agreements: Sequence[bool], protocol: Protocol) -> bool:
    """Tell whether the newest votes agree too seldom with what was ruled.

    It needs no gold. The votes stay until the organiser has looked: a judge whom others
    outvote may be the one who is right.
    """
    newest = agreements[-protocol.agreement_window :]
    return len(newest) >= protocol.agreement_window and sum(newest) < round(
        protocol.agreement_least * len(newest), 9
    )


def may_skip(judge: Judge, protocol: Protocol) -> bool:
    """Tell whether a judge has a skip left: a few at first, and then a share of the votes."""
    return judge.skipped < protocol.skips_free + protocol.skip_share * judge.voted


def check_judge(
    judge: Judge, campaign: str, protocol: Protocol, agreements: Sequence[bool] = ()
) -> None:
    """Check that a judge may vote in a campaign.

    `agreements` tells of the judge's votes since the last readmission, in their order and where
    the case is ruled, whether they agree with the ruling.
    """
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
            f"{sum(judge.recent)} of the last {len(judge.recent)} votes on cases with a known "
            f"answer were right, and below {protocol.gold_accuracy:.0%} nobody judges on; the "
            "organiser can readmit",
        )
    if is_astray(agreements, protocol):
        raise RuleError(
            "astray",
            f"fewer than {protocol.agreement_least:.0%} of the last {protocol.agreement_window} "
            "votes agree with what was ruled, and so nobody judges on until the organiser has "
            "looked",
        )


def bar_judge(judge: Judge, now: datetime) -> Judge:
    """Shut a judge out, by the organiser's decision."""
    return replace(judge, barred=True, at=check_clock(now, judge.at))


def readmit_judge(judge: Judge, now: datetime) -> Judge:
    """Let a judge judge again, after training anew, by the organiser's decision."""
    return Judge(judge.id, judge.campaign, check_clock(now, judge.at), since=now)
