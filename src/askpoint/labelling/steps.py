"""What a reviewer does: claim a case, give it back, skip it, vote; and what its owner says of it.

Each step takes records and returns those that it changed. Pay is whoever's business pays: see
`askpoint.arena.game.judging`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Generic

from askpoint.errors import RuleError
from askpoint.labelling.case import AnyCase
from askpoint.labelling.claims import add_claim, check_look, drop_claims, find_claim
from askpoint.labelling.clock import check_clock
from askpoint.labelling.protocol import Protocol
from askpoint.labelling.reviewer import (
    Agreement,
    Reviewer,
    check_reviewer,
    may_skip,
    see_gold,
    skip_gold,
)
from askpoint.labelling.votes import add_vote, hold_vote as hold, take_back as withdraw
from askpoint.measures.inputs import as_choice

__all__ = [
    "Step",
    "cast_vote",
    "claim_case",
    "count_held_vote",
    "give_back",
    "hold_vote",
    "settle_case",
    "skip_case",
    "take_back",
]


@dataclass(frozen=True, slots=True)
class Step(Generic[AnyCase]):
    """What a step changed.

    Parameters
    ----------
    case : Case
        As it is now.
    reviewer : Reviewer, optional
        None where the reviewer's record stayed as it was.
    """

    case: AnyCase
    reviewer: Reviewer | None = None


def claim_case(
    case: AnyCase,
    reviewer: Reviewer,
    protocol: Protocol,
    now: datetime,
    *,
    agreements: Sequence[Agreement] = (),
) -> Step[AnyCase]:
    """Claim a case: the claim holds a place for the protocol's claim time."""
    check_clock(now, reviewer.at)
    check_reviewer(reviewer, case.queue, protocol, agreements)
    return Step(add_claim(case, reviewer.id, protocol, now))


def give_back(case: AnyCase, now: datetime, reviewer: str | None = None) -> Step[AnyCase]:
    """Return claims to the queue: those that have ended, and that of a reviewer."""
    return Step(drop_claims(case, now, reviewer))


def skip_case(
    case: AnyCase, reviewer: Reviewer, protocol: Protocol, now: datetime
) -> Step[AnyCase]:
    """Give a claimed case back for good: it is not offered to this reviewer again.

    Skips are counted and limited, so that nobody chooses what to label; from the third on a gold case that
    is skipped counts as wrong. A case that many skip goes to its owner.
    """
    check_clock(now, reviewer.at)
    if find_claim(case, reviewer.id, now) is None:
        raise RuleError("no-claim", f"{reviewer.id} holds no claim on case {case.id} to give back")
    if not may_skip(reviewer, protocol):
        raise RuleError(
            "too-many-skips",
            f"{reviewer.skipped} cases are skipped after {reviewer.voted} votes, and more can be "
            f"only after more votes ({protocol.skip_share:.0%} of them); vote as you think "
            "likelier, or take a break",
        )
    after = drop_claims(case, now, reviewer.id)
    after = replace(after, skipped=(*case.skipped, reviewer.id))
    if not after.is_gold and len(after.skipped) >= protocol.most_skips:
        after = replace(after, state="referred", claims=())
    counted = replace(reviewer, skipped=reviewer.skipped + 1, at=now)
    if not after.is_gold:
        return Step(after, counted)
    return Step(after, skip_gold(counted, protocol, now, n_options=len(case.options)))


def cast_vote(
    case: AnyCase, reviewer: Reviewer, choice: str, protocol: Protocol, now: datetime
) -> Step[AnyCase]:
    """Vote on a claimed case; it is ruled as soon as its votes decide.

    Whoever holds a case may finish it; a queue may ask more, by `check_reviewer`.
    """
    check_clock(now, reviewer.at)
    check_look(case, reviewer.id, protocol, now)
    return _count_vote(case, reviewer, choice, protocol, now)


def hold_vote(
    case: AnyCase,
    reviewer: Reviewer,
    choice: str,
    protocol: Protocol,
    now: datetime,
    *,
    time: timedelta,
) -> Step[AnyCase]:
    """Hold a vote for some time, in which the reviewer may take it back: nothing follows from it yet."""
    check_clock(now, reviewer.at)
    check_look(case, reviewer.id, protocol, now)
    return Step(hold(case, reviewer.id, choice, now, time))


def take_back(
    case: AnyCase, reviewer: Reviewer, protocol: Protocol, now: datetime
) -> Step[AnyCase]:
    """Take a held vote back: the reviewer holds the case again, as after a claim."""
    return Step(withdraw(case, reviewer.id, protocol, now))


def count_held_vote(
    case: AnyCase, reviewer: Reviewer, protocol: Protocol, now: datetime
) -> Step[AnyCase]:
    """Count a held vote, as `cast_vote` does; nothing changes where it was taken back or counted meanwhile."""
    check_clock(now, reviewer.at)
    claim = find_claim(case, reviewer.id, now)
    if claim is None or claim.choice is None:
        return Step(case)
    return _count_vote(case, reviewer, claim.choice, protocol, now)


def _count_vote(
    case: AnyCase, reviewer: Reviewer, choice: str, protocol: Protocol, now: datetime
) -> Step[AnyCase]:
    after = add_vote(case, reviewer.id, choice, protocol, now)
    counted = replace(reviewer, held=reviewer.held + 1, at=now)
    if case.is_gold:
        right, n_options = choice == case.gold, len(case.options)
        seen = see_gold(counted, right=right, protocol=protocol, now=now, n_options=n_options)
        return Step(after, seen)
    return Step(after, replace(counted, voted=reviewer.voted + 1))


def settle_case(
    case: AnyCase, choice: str, now: datetime, states: Sequence[str] = ("referred",)
) -> Step[AnyCase]:
    """Settle a case that waits for its owner, in one of `states`, by the owner's word: it is final."""
    check_clock(now, case.at)
    as_choice(choice, case.options, "a decision")
    if case.state not in states:
        raise RuleError(
            "not-referred",
            f"case {case.id} is {case.state}: the organiser decides what judges refer and "
            "what players appeal against",
        )
    return Step(replace(case, state="final", answer=choice, ruled_at=now, at=now))
