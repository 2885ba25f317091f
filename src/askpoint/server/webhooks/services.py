"""Tell endpoints what happened: stored with what happened, sent later, again where it failed."""

from __future__ import annotations

import base64
import json
import secrets
from collections.abc import Callable, Container, Iterable
from datetime import datetime, timedelta
from typing import Any

import httpx
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac
from standardwebhooks import Webhook

from askpoint.errors import AskpointError, InputError
from askpoint.live.events import WEBHOOKS
from askpoint.measures.inputs import as_choice
from askpoint.records.notifications import Notification
from askpoint.records.notifiers import find_notifier, server_notifiers
from askpoint.server.accounts.models import User
from askpoint.server.extensions import server_parts
from askpoint.server.journal.services import note
from askpoint.server.outgoing import OutgoingError, RemoteResponse, read_url, send
from askpoint.server.webhooks.models import Delivery, Endpoint

__all__ = [
    "EVENTS",
    "PRIVATE",
    "RETRIES",
    "announce",
    "claim_due",
    "deliver",
    "fill",
    "make_endpoint",
    "remove_endpoint",
    "secret_of",
    "send_again",
    "tell",
]

_CORE = {
    "model.down": "a model has not answered for half a minute",
    **WEBHOOKS,
    "case.waiting": "cases wait for a label; it is sent what stands in them",
}

EVENTS = {name: words for parts in server_parts() for name, words in parts.events.items()} | _CORE
"""What is told."""

PRIVATE = frozenset({"case.waiting"})
"""What holds contents, and so is sent only where somebody chose it by name."""

RETRIES = (5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400)
"""Seconds until the next try; the schedule that Standard Webhooks suggests."""

_SECONDS = 10.0
_LEASE = timedelta(seconds=60)
_KEPT = timedelta(days=30)
_MOST_ENDPOINTS = 10
_MOST_BYTES = 65_536

_Send = Callable[..., RemoteResponse]
_Data = dict[str, Any]
_filled: dict[str, Callable[[_Data], _Data]] = {}


def fill(kind: str, by: Callable[[_Data], _Data]) -> None:
    """Let the data of an event be filled as it goes out: so contents are not kept in the outbox."""
    _filled[kind] = by


def secret_of(endpoint: Endpoint) -> str:
    """Return the secret of an endpoint: it follows from the server's own, and is stored nowhere."""
    digest = salted_hmac(
        "askpoint.webhook", f"{endpoint.owner_id}\0{endpoint.salt}", algorithm="sha256"
    ).digest()
    return "whsec_" + base64.b64encode(digest).decode()


def make_endpoint(
    workspace: str, owner: User, url: str, events: Iterable[str], notifier: str = "webhook"
) -> Endpoint:
    """Keep an address to which an organiser's events are told.

    Raises
    ------
    InputError
        If it is no https address, an event or a notifier is unknown, or there are too many.
    """
    as_choice(notifier, tuple(server_notifiers()), "a notifier")
    wanted = sorted(set(events))
    unknown = [name for name in wanted if name not in EVENTS]
    if unknown or not wanted:
        raise InputError(f"choose among the events {', '.join(EVENTS)}")
    address = _private_address(url) if notifier == "webhook" else url.strip()
    if not 0 < len(address) <= 500:
        raise InputError(f"an address has 1 to 500 characters, got {len(address)}")
    if Endpoint.within(workspace).filter(owner=owner, active=True).count() >= _MOST_ENDPOINTS:
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


def _private_address(url: str) -> str:
    try:
        found = read_url(url.strip())
    except OutgoingError as error:
        raise InputError(str(error)) from None
    if found.scheme != "https" or len(url) > 500:
        raise InputError("an endpoint starts with https://, for what it is told is private")
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


def tell(rows: Iterable[Endpoint], kind: str, data: _Data) -> None:
    """Put an event into the outbox of these endpoints."""
    now, event = timezone.now(), f"msg_{secrets.token_hex(12)}"
    body = json.dumps({"type": kind, "timestamp": now.isoformat(), "data": data})
    Delivery.objects.bulk_create(
        Delivery(endpoint=row, event=event, kind=kind, body=body, made=now, due=now) for row in rows
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


def deliver(row: Delivery, ask: _Send = send) -> None:
    """Send a delivery that was claimed, and keep what became of it.

    No private address is reached and no redirect followed; see `askpoint.server.outgoing`.
    """
    text = row.body
    if row.kind in _filled:
        body = json.loads(text)
        text = json.dumps({**body, "data": _filled[row.kind](body["data"])})
    if row.endpoint.notifier == "webhook":
        status, said = _post(row, text, ask)
    else:
        status, said = _notify(row, text)
    _keep(row, status, said, timezone.now())


def _notify(row: Delivery, text: str) -> tuple[int | None, str]:
    """Send a delivery by a plugin's notifier; whatever goes wrong there is kept, and tried again."""
    body = json.loads(text)
    words = EVENTS.get(row.kind, row.kind)
    what = str(body["data"].get("what", ""))
    told = Notification(
        kind=row.kind, subject=words, text=f"{words}: {what}" if what else words, data=body["data"]
    )
    try:
        find_notifier(f"{row.endpoint.notifier}={row.endpoint.url}")(told)
    except AskpointError as error:
        return None, str(error)[:200]
    return 200, ""


def _post(row: Delivery, text: str, ask: _Send) -> tuple[int | None, str]:
    now = timezone.now()
    signature = Webhook(secret_of(row.endpoint)).sign(row.event, now, text)
    headers = {
        "Content-Type": "application/json",
        "webhook-id": row.event,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": signature,
    }
    try:
        reply = ask(
            "POST",
            httpx.URL(row.endpoint.url),
            seconds=_SECONDS,
            most=_MOST_BYTES,
            headers=headers,
            content=text.encode(),
        )
    except OutgoingError as error:
        return None, f"{error.kind}: {error}"[:200]
    return reply.status, ""


@transaction.atomic
def _keep(row: Delivery, status: int | None, said: str, now: datetime) -> None:
    done = status is not None and 200 <= status < 300
    over = row.attempts > len(RETRIES)
    state = "delivered" if done else "failed" if over or status == 410 else "waiting"
    again = timedelta(seconds=RETRIES[min(row.attempts, len(RETRIES)) - 1])
    Delivery.objects.filter(pk=row.pk, state="waiting").update(
        state=state,
        due=now + again if state == "waiting" else None,
        status=status,
        said=said or ("" if done else f"answered with {status}"),
        at=now,
    )
    if status == 410:  # Gone: it wants no more
        remove_endpoint(row.endpoint.workspace_id, row.endpoint.owner, row.endpoint_id)
    Delivery.objects.filter(endpoint=row.endpoint, made__lt=now - _KEPT).exclude(
        state="waiting"
    ).delete()


def send_again(workspace: str, owner: User, key: int) -> bool:
    """Try a delivery once more, at once; whether there was one."""
    rows = Delivery.within(workspace).filter(endpoint__owner=owner, endpoint__active=True, pk=key)
    now = timezone.now()
    return bool(rows.update(state="waiting", due=now, attempts=0))
