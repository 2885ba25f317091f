"""The ledger of a campaign as lines of text, to be read one by one."""

from __future__ import annotations

from collections.abc import Iterator

from askpoint.arena.game.transaction import POINTS_PER_CENT
from askpoint.arena.simulation.arena import Arena

__all__ = ["ledger_text"]


def ledger_text(arena: Arena) -> str:
    """Return a campaign's ledger: every transaction in a line, and the balances at the end."""
    return "\n".join(_lines(arena)) + "\n"


def _lines(arena: Arena) -> Iterator[str]:
    campaign = arena.campaign
    yield f"# Campaign {campaign.id}: {len(arena.ledger)} transactions, in points"
    yield f"# {POINTS_PER_CENT} points are 1 cent; each line sums to 0"
    yield "# when  transaction  entries"
    for transaction in arena.ledger:
        entries = "  ".join(f"{points:+d} {account}" for account, points in transaction.entries)
        yield f"{transaction.at:%Y-%m-%d %H:%M:%S}  {transaction.key}  {entries}"
    yield ""
    yield "# balances at the end"
    balances = sorted(arena.ledger.balances.items())
    for account, points in balances:
        yield f"{points:+d} {account}"
    yield f"# sum {sum(points for _, points in balances)}"
