"""Which case a judge sees next: fewest votes first, so that no case starves."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from askpoint.labelling.lease import free_places
from askpoint.labelling.protocol import Protocol
from askpoint.labelling.ruling import Ruling

__all__ = ["is_open_to", "next_ruling", "queue_rank"]


def is_open_to(ruling: Ruling, judge: str, protocol: Protocol, now: datetime) -> bool:
    """Tell whether a judge could claim a case now."""
    return (
        ruling.state == "open"
        and judge != ruling.author
        and judge not in ruling.skipped
        and all(vote.judge != judge for vote in ruling.votes)
        and free_places(ruling, protocol, now) > 0
    )


def queue_rank(
    ruling: Ruling, protocol: Protocol, now: datetime
) -> tuple[bool, int, datetime, str]:
    """Return the place of a case in the queue; the smallest comes first.

    First what has waited longer than the protocol's patience, then the fewest votes
    (claims count as votes), then the oldest.
    """
    promised = sum(lease.until > now for lease in ruling.leases) + len(ruling.counted)
    return now - ruling.opened <= protocol.patience, promised, ruling.opened, ruling.id


def next_ruling(
    rulings: Iterable[Ruling], judge: str, protocol: Protocol, now: datetime
) -> Ruling | None:
    """Return the case that a judge should claim next."""
    mine = (ruling for ruling in rulings if is_open_to(ruling, judge, protocol, now))
    return min(mine, key=lambda ruling: queue_rank(ruling, protocol, now), default=None)
