"""Which case a reviewer sees next, so that no case starves."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from askpoint.labelling.case import AnyCase, Case
from askpoint.labelling.claims import count_held, free_places
from askpoint.labelling.protocol import Protocol

__all__ = ["is_open_to", "next_case", "queue_rank"]


def is_open_to(case: Case, reviewer: str, protocol: Protocol, now: datetime) -> bool:
    """Tell whether a reviewer could claim a case now."""
    return (
        case.state == "open"
        and reviewer != case.author
        and reviewer not in case.skipped
        and all(vote.reviewer != reviewer for vote in case.votes)
        and free_places(case, protocol, now) > 0
    )


def queue_rank(case: Case, protocol: Protocol, now: datetime) -> tuple[bool, int, datetime, str]:
    """Return the place of a case in the queue; the smallest comes first.

    First what has waited longer than the protocol's `overdue_after`, then the fewest votes
    (claims count as votes), then the oldest. Where the protocol's order is "oldest", that alone
    counts.
    """
    if protocol.order == "oldest":
        return False, 0, case.opened, case.id
    promised = count_held(case, now) + case.n_counted
    return now - case.opened <= protocol.overdue_after, promised, case.opened, case.id


def next_case(
    cases: Iterable[AnyCase], reviewer: str, protocol: Protocol, now: datetime
) -> AnyCase | None:
    """Return the case that a reviewer should claim next."""
    mine = (case for case in cases if is_open_to(case, reviewer, protocol, now))
    return min(mine, key=lambda case: queue_rank(case, protocol, now), default=None)
