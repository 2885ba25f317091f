"""Claims: a reviewer's hold on one vote of a case, atomic and for a while."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import datetime

from askpoint.errors import RuleError
from askpoint.labelling.case import AnyCase, Case, Claim
from askpoint.labelling.clock import check_clock
from askpoint.labelling.protocol import Protocol

__all__ = [
    "add_claim",
    "check_look",
    "check_person",
    "count_held",
    "count_missing_votes",
    "drop_claims",
    "find_claim",
    "free_places",
]


def count_missing_votes(case: Case, protocol: Protocol) -> int:
    """Return how many more votes an open case needs: one at a time once votes differ."""
    if case.state != "open":
        return 0
    n_votes = case.n_counted
    return protocol.votes - n_votes if n_votes < protocol.votes else 1


def free_places(case: Case, protocol: Protocol, now: datetime) -> int:
    """Return how many more reviewers may claim a case now."""
    if case.is_gold:
        return 1
    return count_missing_votes(case, protocol) - count_held(case, now)


def count_held(case: Case, now: datetime) -> int:
    """Return how many claims on a case hold now."""
    return sum(claim.stands(now) for claim in case.claims) if case.claims else 0


def find_claim(case: Case, reviewer: str, now: datetime) -> Claim | None:
    """Return the claim that a reviewer holds on a case now, or None."""
    for claim in case.claims:
        if claim.reviewer == reviewer and claim.stands(now):
            return claim
    return None


def drop_claims(case: AnyCase, now: datetime, reviewer: str | None = None) -> AnyCase:
    """Take away the claims that have ended, and those of `reviewer`; held votes of others stay."""
    check_clock(now, case.at)
    kept = tuple(claim for claim in case.claims if claim.stands(now) and claim.reviewer != reviewer)
    return replace(case, claims=kept, at=now)


def check_person(case: Case, reviewer: str) -> None:
    """Check that a reviewer neither submitted a case nor has voted on it."""
    if reviewer == case.author:
        raise RuleError("own-case", f"{reviewer} submitted case {case.id}: nobody judges their own")
    if any(vote.reviewer == reviewer for vote in case.votes):
        raise RuleError("second-vote", f"{reviewer} has voted on case {case.id} already")


def check_look(case: Case, reviewer: str, protocol: Protocol, now: datetime) -> None:
    """Check that a reviewer has held a case for long enough to have looked at it."""
    check_clock(now, case.at)
    claim = find_claim(case, reviewer, now)
    if claim is None:
        return
    left = (claim.until - protocol.claim_time + protocol.least_look - now).total_seconds()
    if left > 0:
        raise RuleError(
            "too-soon", f"look at the case first: a vote is taken in {math.ceil(left)} s"
        )


def add_claim(case: AnyCase, reviewer: str, protocol: Protocol, now: datetime) -> AnyCase:
    """Give a reviewer the claim on one vote of a case; who holds it already keeps it."""
    check_clock(now, case.at)
    check_person(case, reviewer)
    if find_claim(case, reviewer, now):
        return case
    if free_places(case, protocol, now) < 1:
        raise RuleError(
            "no-place", f"case {case.id} has all the judges that it needs; take the next one"
        )
    case = drop_claims(case, now)
    claim = Claim(reviewer, now + protocol.claim_time, case.n_claims + 1)
    return replace(case, claims=(*case.claims, claim), n_claims=claim.number)
