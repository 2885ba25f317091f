"""Votes: counted while their judge holds a lease, and void when the judge is paused."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from askpoint.errors import RuleError
from askpoint.labelling.clock import check_clock
from askpoint.labelling.lease import check_person, drop_leases, held_lease
from askpoint.labelling.protocol import Protocol
from askpoint.labelling.ruling import Ruling, Vote, count_votes
from askpoint.measures.inputs import as_choice

__all__ = ["add_vote", "void_votes"]


def add_vote(ruling: Ruling, judge: str, choice: str, protocol: Protocol, now: datetime) -> Ruling:
    """Count a judge's vote, and rule when the votes agree."""
    check_clock(now, ruling.at)
    check_person(ruling, judge)
    as_choice(choice, ruling.options, "a vote")
    if held_lease(ruling, judge, now) is None:
        raise RuleError(
            "no-lease",
            f"{judge} holds no claim on case {ruling.id}: it was never made, or has ended and "
            "the case went back to the queue; claim the next one",
        )
    ruling = drop_leases(ruling, now, judge)
    return count_votes(
        replace(ruling, votes=(*ruling.votes, Vote(judge, choice, now))), protocol, now
    )


def void_votes(
    ruling: Ruling,
    judge: str,
    protocol: Protocol,
    now: datetime,
    *,
    since: datetime | None = None,
) -> Ruling:
    """Void a paused judge's vote on a case, and open it again where it decided.

    Nothing changes where the judge has not voted, the vote is older than the recall
    window (or than `since`), or the organiser has spoken or is about to.
    """
    check_clock(now, ruling.at)
    ruling = drop_leases(ruling, now, judge)
    if ruling.kind == "gold" or ruling.state not in ("open", "ruled"):
        return ruling
    since = now - protocol.recall_window if since is None else since
    votes = tuple(
        vote._replace(void=True) if vote.judge == judge and vote.at >= since else vote
        for vote in ruling.votes
    )
    if votes == ruling.votes:
        return ruling
    again = count_votes(
        replace(ruling, votes=votes, state="open", answer=None, ruled_at=None), protocol, now
    )
    if again.state == "ruled" and again.answer == ruling.answer:
        return replace(again, ruled_at=ruling.ruled_at)  # the appeal's window stays as it was
    return again
