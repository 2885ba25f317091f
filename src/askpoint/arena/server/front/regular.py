"""What the background does of itself for campaigns and payouts, every half a minute."""

from __future__ import annotations

from askpoint.arena.server.organisers.campaign_jobs import expire_all
from askpoint.arena.server.payouts.services import settle_silent

__all__ = ["do_what_is_due"]


def do_what_is_due() -> None:
    """End what has run out: claims, windows, held pay, and the time in which a payment may be disputed."""
    expire_all()
    settle_silent()
