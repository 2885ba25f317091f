"""Gold cases, which check the reviewers: when one is due, and what becomes one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from askpoint.labelling.case import GOLD, AnyCase, Case
from askpoint.labelling.clock import check_clock
from askpoint.labelling.protocol import Protocol
from askpoint.labelling.reviewer import Reviewer

__all__ = ["becomes_gold", "gold_is_due", "gold_of", "rarest_gold"]


def gold_is_due(protocol: Protocol, reviewer: Reviewer, draw: float) -> bool:
    """Tell whether a reviewer for whom a case waits should be given a gold case in its place.

    Never on an empty queue: whoever sees that no case waits would know what comes. Where pay is held, the first
    claims are gold cases, and many are until the test is passed once.
    """
    share, first = protocol.gold_share, 0
    if protocol.holds_pay:
        first = protocol.gold_first
        if reviewer.gold_seen + reviewer.voted < first:
            return True
        share = share if reviewer.passes else max(share, protocol.gold_probation)
    most = 1 + first + 2 * share * reviewer.voted
    return draw < share and reviewer.gold_seen < most


def rarest_gold(
    cases: Iterable[AnyCase], seen: Iterable[str | None], reviewer: str
) -> list[AnyCase]:
    """Return the fresh gold cases of the answer that a reviewer was asked for least.

    So who always says what is common is wrong in as many gold cases as there are answers.
    """
    fresh = [
        case
        for case in cases
        if case.is_gold
        and reviewer not in case.skipped
        and all(vote.reviewer != reviewer for vote in case.votes)
    ]
    counts = Counter(seen)
    least = min((counts[case.gold] for case in fresh), default=0)
    return [case for case in fresh if counts[case.gold] == least]


def becomes_gold(case: Case) -> bool:
    """Tell whether a ruled case may check other reviewers: all of at least two agreed on it."""
    votes = case.votes
    return (
        not case.is_gold
        and case.state == "ruled"
        and len(votes) > 1
        and all(vote.choice == case.answer and not vote.void for vote in votes)
    )


def gold_of(case: AnyCase, name: str, now: datetime) -> AnyCase:
    """Return a gold case made of such a case; those who voted on it are not offered it."""
    return replace(
        case,
        id=name,
        opened=now,
        at=check_clock(now, case.at),
        state="open",
        votes=(),
        claims=(),
        answer=None,
        ruled_at=None,
        n_claims=0,
        gold=case.answer,
        purpose=GOLD,
        skipped=tuple(vote.reviewer for vote in case.votes),
    )
