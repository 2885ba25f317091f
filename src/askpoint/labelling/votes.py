"""Votes: held first, counted while their reviewer holds a claim, and void when the reviewer is paused."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from askpoint.errors import RuleError
from askpoint.labelling.case import AnyCase, Case, Claim, Vote, count_votes
from askpoint.labelling.claims import check_person, drop_claims, find_claim
from askpoint.labelling.clock import check_clock
from askpoint.labelling.protocol import Protocol
from askpoint.measures.inputs import as_choice

__all__ = ["add_vote", "hold_vote", "take_back", "void_votes"]


def add_vote(
    case: AnyCase, reviewer: str, choice: str, protocol: Protocol, now: datetime
) -> AnyCase:
    """Count a reviewer's vote, and rule when the votes agree."""
    said = _check_vote(case, reviewer, choice, now).said
    case = drop_claims(case, now, reviewer)
    vote = Vote(reviewer, choice, now, said=said)
    return count_votes(replace(case, votes=(*case.votes, vote)), protocol, now)


def hold_vote(case: AnyCase, reviewer: str, choice: str, now: datetime, time: timedelta) -> AnyCase:
    """Keep what a reviewer says with the claim, until a moment up to which it can be taken back."""
    claim = _check_vote(case, reviewer, choice, now)
    if claim.is_held:
        raise RuleError("second-vote", f"{reviewer} has voted on case {case.id} already")
    held = claim._replace(choice=choice, said=now, until=now + time)
    return _replace_claim(case, claim, held, now)


def take_back(case: AnyCase, reviewer: str, protocol: Protocol, now: datetime) -> AnyCase:
    """Make a held vote a claim again, which holds a place for the protocol's claim time.

    Raises
    ------
    RuleError
        ``undo-late``, if it is counted by now, or about to be; ``no-claim``, if there is none.
    """
    check_clock(now, case.at)
    claim = find_claim(case, reviewer, now)
    if any(vote.reviewer == reviewer for vote in case.votes) or (
        claim is not None and claim.is_held and claim.until <= now
    ):
        raise RuleError(
            "undo-late",
            "this label is counted by now and cannot be taken back; tell an owner what it should be",
        )
    if claim is None or claim.choice is None:
        raise RuleError("no-claim", f"{reviewer} has no vote on case {case.id} to take back")
    again = Claim(reviewer, now + protocol.claim_time, claim.number, before=claim.choice)
    return _replace_claim(case, claim, again, now)


def _check_vote(case: Case, reviewer: str, choice: str, now: datetime) -> Claim:
    check_clock(now, case.at)
    check_person(case, reviewer)
    as_choice(choice, case.options, "a vote")
    claim = find_claim(case, reviewer, now)
    if claim is None:
        raise RuleError(
            "no-claim",
            f"{reviewer} holds no claim on case {case.id}: it was never made, or has ended and "
            "the case went back to the queue; claim the next one",
        )
    return claim


def _replace_claim(case: AnyCase, old: Claim, new: Claim, now: datetime) -> AnyCase:
    claims = tuple(new if claim == old else claim for claim in case.claims)
    return replace(case, claims=claims, at=now)


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
