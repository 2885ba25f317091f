"""Leases: a judge's claim on one vote of a case, atomic and for a while."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from askpoint.errors import RuleError
from askpoint.labelling.clock import check_clock
from askpoint.labelling.protocol import Protocol
from askpoint.labelling.ruling import Lease, Ruling

__all__ = ["check_person", "drop_leases", "free_places", "grant_lease", "held_lease"]


def _wanted(ruling: Ruling, protocol: Protocol) -> int:
    if ruling.state != "open":
        return 0
    n_votes = len(ruling.counted)
    return protocol.votes - n_votes if n_votes < protocol.votes else 1


def free_places(ruling: Ruling, protocol: Protocol, now: datetime) -> int:
    """How many more judges may claim a case now."""
    if ruling.kind == "gold":
        return 1
    held = sum(lease.until > now for lease in ruling.leases)
    return _wanted(ruling, protocol) - held


def held_lease(ruling: Ruling, judge: str, now: datetime) -> Lease | None:
    """Return the lease that a judge holds on a case now, or None."""
    for lease in ruling.leases:
        if lease.judge == judge and lease.until > now:
            return lease
    return None


def drop_leases(ruling: Ruling, now: datetime, judge: str | None = None) -> Ruling:
    """Take away the leases that have ended, and those of `judge`."""
    check_clock(now, ruling.at)
    kept = tuple(lease for lease in ruling.leases if lease.until > now and lease.judge != judge)
    return replace(ruling, leases=kept, at=now)


def check_person(ruling: Ruling, judge: str) -> None:
    """Check that a judge neither submitted a case nor has voted on it."""
    if judge == ruling.author:
        raise RuleError("own-case", f"{judge} submitted case {ruling.id}: nobody judges their own")
    if any(vote.judge == judge for vote in ruling.votes):
        raise RuleError("second-vote", f"{judge} has voted on case {ruling.id} already")


def grant_lease(ruling: Ruling, judge: str, protocol: Protocol, now: datetime) -> Ruling:
    """Give a judge the claim on one vote of a case; who holds it already keeps it."""
    check_clock(now, ruling.at)
    check_person(ruling, judge)
    if held_lease(ruling, judge, now):
        return ruling
    if free_places(ruling, protocol, now) < 1:
        raise RuleError(
            "no-place", f"case {ruling.id} has all the judges that it needs; take the next one"
        )
    ruling = drop_leases(ruling, now)
    lease = Lease(judge, now + protocol.lease, ruling.claims + 1)
    return replace(ruling, leases=(*ruling.leases, lease), claims=lease.number)
