"""What changes though nothing happens: labels settle and waits end, and owners hear at once what that did to licences."""

from __future__ import annotations

from datetime import UTC, datetime

from django.db import transaction
from django.utils import timezone

from askpoint.server.clock import moment
from askpoint.server.deployments.rows import micros
from askpoint.server.licences.door import keep, lock_agent
from askpoint.server.licences.models import Agent, LicenceUnit
from askpoint.server.licences.store import DatabaseLicences

__all__ = ["settle_agent", "settle_due"]

_AT_ONCE = 100


def settle_due() -> int:
    """Settle the agents of which something is due; how many."""
    rows = Agent.objects.filter(due__lte=timezone.now()).order_by("due")
    keys = list(rows.values_list("pk", flat=True)[:_AT_ONCE])
    for key in keys:
        settle_agent(key)
    return len(keys)


@transaction.atomic
def settle_agent(agent: str) -> None:
    """Begin and end the licences that are due; an entry is made only where one does."""
    row = lock_agent(agent)
    store = DatabaseLicences(row, moment(row))
    store.load_units(LicenceUnit.objects.filter(agent=agent).values_list("name", flat=True))
    at, _ = store.move_clock(micros(store.now))
    due = []
    for place, unit in list(store.book.units.items()):
        after = store.book.look_up(place, at)
        if after.is_granted != unit.is_granted:
            store.enter("settle", place=place, at=at)
        following = after.next_due(store.book.policy)
        due += [] if following is None else [following]
    keep(store)
    next_due = datetime.fromtimestamp(min(due) / 1e6, UTC) if due else None
    Agent.objects.filter(pk=agent).update(due=next_due)
