"""Votes: counted while their reviewer holds a claim, and void when the reviewer is paused."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from askpoint.errors import RuleError
from askpoint.labelling.case import AnyCase, Vote, count_votes
from askpoint.labelling.claims import check_person, drop_claims, find_claim
from askpoint.labelling.clock import check_clock
from askpoint.labelling.protocol import Protocol
from askpoint.measures.inputs import as_choice

__all__ = ["add_vote", "void_votes"]


def add_vote(
    case: AnyCase, reviewer: str, choice: str, protocol: Protocol, now: datetime
) -> AnyCase:
    """Count a reviewer's vote, and rule when the votes agree."""
    check_clock(now, case.at)
    check_person(case, reviewer)
    as_choice(choice, case.options, "a vote")
    if find_claim(case, reviewer, now) is None:
        raise RuleError(
            "no-claim",
            f"{reviewer} holds no claim on case {case.id}: it was never made, or has ended and "
            "the case went back to the queue; claim the next one",
        )
    case = drop_claims(case, now, reviewer)
    return count_votes(
        replace(case, votes=(*case.votes, Vote(reviewer, choice, now))), protocol, now
    )


def void_votes(
    case: AnyCase,
    reviewer: str,
    protocol: Protocol,
    now: datetime,
    *,
    since: datetime | None = None,
) -> AnyCase:
    """Void a paused reviewer's vote on a case, and open it again where it decided.

    Nothing changes where the reviewer has not voted, the vote is older than the recall
    window (or than `since`), or the owner has spoken or is about to.
    """
    check_clock(now, case.at)
    case = drop_claims(case, now, reviewer)
    if case.is_gold or case.state not in ("open", "ruled"):
        return case
    since = now - protocol.recall_window if since is None else since
    votes = tuple(
        vote._replace(void=True) if vote.reviewer == reviewer and vote.at >= since else vote
        for vote in case.votes
    )
    if votes == case.votes:
        return case
    again = count_votes(
        replace(case, votes=votes, state="open", answer=None, ruled_at=None), protocol, now
    )
    if again.state == "ruled" and again.answer == case.answer:
        return replace(again, ruled_at=case.ruled_at)  # as long ago as it was
    return again
