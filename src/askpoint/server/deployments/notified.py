"""Who is notified of a classifier: the endpoints of an owner, of what, and how the last delivery went."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from urllib.parse import urlsplit

from askpoint.server.accounts.models import User
from askpoint.server.deployments.models import Deployment
from askpoint.server.webhooks.models import Delivery, Endpoint
from askpoint.server.webhooks.services import EVENTS, INSTANCE, known_ways

__all__ = ["ToldEndpoint", "list_endpoints"]

_ABOUT = ("policy.", "people.", "mix.", "case.", "classifier.")  # kinds of a classifier's events
_NAMED = 3


@dataclass(frozen=True)
class ToldEndpoint:
    """An endpoint that is notified of a classifier.

    Parameters
    ----------
    endpoint : Endpoint
        Where.
    name : str
        The same, without what only its owner knows.
    events : tuple of str
        Of what, in words.
    last : Delivery or None
        What was sent last.
    """

    endpoint: Endpoint
    name: str
    events: tuple[str, ...]
    last: Delivery | None

    @property
    def first_events(self) -> tuple[str, ...]:
        """Those that are named."""
        return self.events[:_NAMED]

    @property
    def others(self) -> int:
        """How many more there are."""
        return len(self.events) - len(self.first_events)


def list_endpoints(row: Deployment, owner: User) -> list[ToldEndpoint]:
    """Return an owner's endpoints that are notified of a classifier's events, the oldest first."""
    mine = Endpoint.within(row.workspace_id).filter(owner=owner, active=True)
    found: list[ToldEndpoint] = []
    often: Counter[str] = Counter()
    for endpoint in mine.exclude(notifier=INSTANCE).order_by("pk"):
        events = tuple(
            EVENTS[kind] for kind in endpoint.events if kind in EVENTS and kind.startswith(_ABOUT)
        )
        if events:
            last = endpoint.deliveries.order_by("-pk").first()
            name = _name(endpoint)
            often[name] += 1
            told = name if often[name] == 1 else f"{name} ({often[name]})"  # told apart
            found.append(ToldEndpoint(endpoint, told, events, last))
    return found


def _name(endpoint: Endpoint) -> str:
    way = known_ways().get(endpoint.notifier)
    where = urlsplit(endpoint.url).hostname or endpoint.url
    return f"{endpoint.notifier if way is None else way.title}, {where}"
