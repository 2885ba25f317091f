"""Endpoints, and what they are to be told: stored with what happened, sent later."""

from __future__ import annotations

import json
import secrets
from collections.abc import Container, Iterable
from datetime import timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from askpoint.errors import InputError
from askpoint.live.events import WEBHOOKS
from askpoint.measures.inputs import as_choice
from askpoint.records.notifications import Notifier
from askpoint.records.notifiers import NOTIFIERS, server_notifiers
from askpoint.server.accounts.adapters import has_mail
from askpoint.server.accounts.models import User
from askpoint.server.extensions import server_parts
from askpoint.server.journal.services import note
from askpoint.server.outgoing import OutgoingError, read_url
from askpoint.server.webhooks.models import Delivery, Endpoint

__all__ = [
    "EVENTS",
    "INSTANCE",
    "PRIVATE",
    "PRIVATE_ADDRESSES",
    "TEST",
    "announce",
    "claim_due",
    "is_confirmed",
    "known_ways",
    "make_endpoint",
    "make_receiver",
    "remove_endpoint",
    "send_again",
    "tell",
]

TEST = "test"
"""What an owner sends to see whether it arrives."""

_CORE = {
    "model.down": "a model has not answered for half a minute",
    **WEBHOOKS,
    "classifier.archived": "the classifier was archived, restored or deleted",
    "classifier.week": "the summary of the week is ready",
    "case.appealed": "a reviewer appeals against how a case was settled",
    "case.waiting": "cases wait for a label; it is sent their content",
}

EVENTS = {name: words for parts in server_parts() for name, words in parts.events.items()} | _CORE
"""What is told."""

INSTANCE = "instance"
"""The notifier of what a program of an agent hears of its own requests; nobody adds it by hand."""

PRIVATE = frozenset({"case.waiting"})
"""What holds contents, and so is sent only where somebody chose it by name."""

PRIVATE_ADDRESSES = ("webhook", "chat")
"""Ways whose address is one of the web, which knows what it is told by nobody else."""

_LEASE = timedelta(seconds=60)
_MOST_ENDPOINTS = 10

_Data = dict[str, Any]


def known_ways() -> dict[str, Notifier]:
    """Return the ways to be told here: mail only where the server sends some."""
    ways = server_notifiers()
    return {**ways, "mail": NOTIFIERS["mail"]} if has_mail() else ways


def is_confirmed(owner: User, address: str) -> bool:
    """Tell whether a mail address is its owner's, who confirmed it: nobody else is ever written to."""
    mine = EmailAddress.objects.filter(user=owner, verified=True, email__iexact=address)
    return bool(mine.exists())


def make_endpoint(
    workspace: str, owner: User, url: str, events: Iterable[str], notifier: str = "webhook"
) -> Endpoint:
    """Keep an address to which an organiser's events are told.

    Raises
    ------
    InputError
        If it is no https address, an event or a notifier is unknown, or there are too many.
    """
    as_choice(notifier, tuple(known_ways()), "a notifier")
    wanted = sorted(set(events))
    unknown = [name for name in wanted if name not in EVENTS]
    if unknown or not wanted:
        raise InputError(f"choose among the events {', '.join(EVENTS)}")
    address = _private_address(url) if notifier in PRIVATE_ADDRESSES else url.strip()
    if notifier == "mail" and not is_confirmed(owner, address):
        raise InputError(
            f"mail goes only to an address that you confirmed on the page of your account; got {address!r}"
        )
    if not 0 < len(address) <= 500:
        raise InputError(f"an address has 1 to 500 characters; got {len(address)}")
    mine = Endpoint.within(workspace).filter(owner=owner, active=True).exclude(notifier=INSTANCE)
    if mine.count() >= _MOST_ENDPOINTS:
        raise InputError(f"there are {_MOST_ENDPOINTS} endpoints already; remove one")
    with transaction.atomic():
        row = Endpoint.objects.create(
            workspace_id=workspace,
            owner=owner,
            url=address,
            notifier=notifier,
            events=wanted,
            salt=secrets.token_hex(16),
            made=timezone.now(),
        )
        note("webhook made", workspace=workspace, about=row.url, events=", ".join(wanted))
    return row


def make_receiver(workspace: str, owner: User, url: str) -> Endpoint:
    """Keep an address at which a program hears of its own requests, and of no event.

    Raises
    ------
    InputError
        If it is no https address.
    """
    row: Endpoint = Endpoint.objects.create(
        workspace_id=workspace,
        owner=owner,
        url=_private_address(url),
        notifier=INSTANCE,
        events=[],
        salt=secrets.token_hex(16),
        made=timezone.now(),
    )
    return row


def _private_address(url: str) -> str:
    try:
        found = read_url(url.strip())
    except OutgoingError as error:
        raise InputError(str(error)) from None
    if found.scheme != "https" or len(url) > 500:
        raise InputError("an endpoint must start with https://, because notifications are private")
    return str(found)


@transaction.atomic
def remove_endpoint(workspace: str, owner: User, key: int) -> None:
    """Tell an endpoint nothing more; what it was told stays to be read."""
    for row in Endpoint.within(workspace).filter(owner=owner, pk=key, active=True):
        Endpoint.objects.filter(pk=row.pk).update(active=False)
        Delivery.objects.filter(endpoint=row, state="waiting").update(state="dropped", due=None)
        note("webhook removed", workspace=row.workspace_id, about=row.url)


def announce(workspace: str, kind: str, owners: Any, data: dict[str, Any]) -> None:
    """Put an event into the outbox of each endpoint that wants it; called within a transaction.

    Parameters
    ----------
    workspace : str
        Where it happened: only endpoints made there are told.
    kind : str
        Of `EVENTS`.
    owners : query or sequence
        Organisers' keys.
    data : dict
        What happened.
    """
    if kind not in EVENTS:
        raise InputError(f"there is no event {kind!r}")
    tell(
        [
            row
            for row in Endpoint.within(workspace).filter(owner__in=owners, active=True)
            if kind in row.events
        ],
        kind,
        data,
    )


def tell(rows: Iterable[Endpoint], kind: str, data: _Data, *, due: bool = True) -> list[Delivery]:
    """Put an event into the outbox of these endpoints; what is not due is not sent by itself."""
    now, event = timezone.now(), f"msg_{secrets.token_hex(12)}"
    body = json.dumps({"type": kind, "timestamp": now.isoformat(), "data": data})
    return Delivery.objects.bulk_create(
        Delivery(
            endpoint=row, event=event, kind=kind, body=body, made=now, due=now if due else None
        )
        for row in rows
    )


def claim_due(busy: Container[int] = ()) -> list[Delivery]:
    """Take what is due for a while: of each endpoint that is not busy, what waits longest.

    A process that dies with it leaves it to the next one.
    """
    ready = Delivery.objects.filter(state="waiting", due__lte=timezone.now())
    return _claim(ready, busy) if ready.exists() else []  # no lock is taken where nothing waits


@transaction.atomic
def _claim(ready: QuerySet[Delivery], busy: Container[int]) -> list[Delivery]:
    now, ready = timezone.now(), ready.select_related("endpoint").order_by("due", "pk")
    rows: dict[int, Delivery] = {}
    for row in ready.select_for_update(skip_locked=True, of=("self",))[:200]:
        if row.endpoint_id not in busy:
            rows.setdefault(row.endpoint_id, row)
    for row in rows.values():
        row.attempts += 1
        row.due = now + _LEASE
        row.save(update_fields=["attempts", "due"])
    return list(rows.values())


def send_again(workspace: str, owner: User, key: int) -> bool:
    """Try a delivery once more, at once; whether there was one."""
    rows = Delivery.within(workspace).filter(endpoint__owner=owner, endpoint__active=True, pk=key)
    now = timezone.now()
    return bool(rows.update(state="waiting", due=now, attempts=0))
