"""What a wing lays into the queues of classifiers, and what it adds to their pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from askpoint.reports.document import Section
from askpoint.server.deployments.models import Deployment, Member
from askpoint.server.extensions import load_each

__all__ = ["QueueGuests", "queue_guests"]


@dataclass(frozen=True, kw_only=True)
class QueueGuests:
    """What a wing adds to a classifier whose queue holds cases of its own.

    Parameters
    ----------
    sections : callable
        Yields sections of a classifier's page; with cases only where it is told so.
    leave : callable
        Called when somebody's part in a classifier is taken away.
    page : callable
        Returns what `template` needs, from a request and the classifier.
    change : callable
        Does what a form of `template` asks for; returns whether it was one of its forms. It raises
        `askpoint.errors.RuleError` where that is refused.
    template : str
        A part of the page on which owners say who labels.
    """

    sections: Callable[[Deployment, bool], Iterator[Section]]
    leave: Callable[[Member], None]
    page: Callable[[HttpRequest, Deployment], dict[str, Any]]
    change: Callable[[HttpRequest, Deployment], bool]
    template: str


def queue_guests() -> Iterator[QueueGuests]:
    """Yield what wings lay into classifiers' queues."""
    return load_each("queue_guests")
