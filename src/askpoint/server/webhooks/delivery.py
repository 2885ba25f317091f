"""Send what waits in the outbox: by a signed webhook, to a chat room, or by a plugin's way; again where it failed."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

import httpx
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac
from standardwebhooks import Webhook

from askpoint.errors import AskpointError
from askpoint.records.notifications import Notification
from askpoint.records.notifiers import find_notifier
from askpoint.server.accounts.models import User
from askpoint.server.outgoing import OutgoingError, RemoteResponse, send
from askpoint.server.webhooks.models import Delivery, Endpoint
from askpoint.server.webhooks.services import EVENTS, TEST, is_confirmed, remove_endpoint, tell

__all__ = ["RETRIES", "Send", "add_way", "deliver", "fill", "secret_of", "send_signed", "send_test"]

RETRIES = (5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400)
"""Seconds until the next try; the schedule that Standard Webhooks suggests."""

Send = Callable[..., RemoteResponse]
"""What posts to an address: `askpoint.server.outgoing.send`."""

_TEST_WORDS = "a test: messages arrive here"
_SECONDS = 10.0
_KEPT = timedelta(days=30)
_MOST_BYTES = 65_536

_Data = dict[str, Any]
_filled: dict[str, Callable[[_Data], _Data]] = {}
_ways: dict[str, Callable[[Delivery, str, Send], tuple[int | None, str]]] = {}


def fill(kind: str, by: Callable[[_Data], _Data]) -> None:
    """Let the data of an event be filled as it goes out: so contents are not kept in the outbox."""
    _filled[kind] = by


def add_way(notifier: str, way: Callable[[Delivery, str, Send], tuple[int | None, str]]) -> None:
    """Let deliveries to endpoints of a notifier go out another way: status, and what went wrong."""
    _ways[notifier] = way


def secret_of(endpoint: Endpoint) -> str:
    """Return the secret of an endpoint: it follows from the server's own, and is stored nowhere."""
    digest = salted_hmac(
        "askpoint.webhook", f"{endpoint.owner_id}\0{endpoint.salt}", algorithm="sha256"
    ).digest()
    return "whsec_" + base64.b64encode(digest).decode()


def deliver(row: Delivery, ask: Send = send) -> None:
    """Send a delivery that was claimed, and keep what became of it.

    No private address is reached and no redirect followed; see `askpoint.server.outgoing`.
    """
    text = row.body
    if row.kind in _filled:
        body = json.loads(text)
        text = json.dumps({**body, "data": _filled[row.kind](body["data"])})
    ways = {"webhook": _post_signed, "chat": _post_chat, **_ways}
    way = ways.get(row.endpoint.notifier, _notify)
    try:
        status, said = way(row, text, ask)
    except OutgoingError as error:
        status, said = None, f"{error.kind}: {error}"[:200]
    _keep(row, status, said, timezone.now())


def _message(row: Delivery, body: str) -> Notification:
    """Put an event into words: what it is about, what happened, and the one page to open; no contents."""
    data = json.loads(body)["data"]
    words = EVENTS.get(row.kind, _TEST_WORDS)
    parts = [words, str(data.get("what", ""))]
    subject = ": ".join(filter(None, [str(data.get("title", "")), words]))
    said = ": ".join(filter(None, parts))
    page = str(data.get("page", ""))
    text = "\n".join(filter(None, [said, str(data.get("count", "")), page]))
    return Notification(kind=row.kind, subject=subject, text=text, data=data, id=row.event)


def _notify(row: Delivery, text: str, ask: Send) -> tuple[int | None, str]:
    """Send a delivery by a plugin's notifier; whatever goes wrong there is kept, and tried again."""
    del ask
    endpoint = row.endpoint
    if endpoint.notifier == "mail" and not is_confirmed(endpoint.owner, endpoint.url):
        return None, "the address is no longer confirmed by its owner"
    try:
        find_notifier(f"{row.endpoint.notifier}={row.endpoint.url}")(_message(row, text))
    except AskpointError as error:
        return None, str(error)[:200]
    return 200, ""


def _post_chat(row: Delivery, text: str, ask: Send) -> tuple[int | None, str]:
    """Send it as Slack, Mattermost, Rocket.Chat and Google Chat take it."""
    told = _message(row, text)
    return _post(row, json.dumps({"text": f"*{told.subject}*\n{told.text}"}), {}, ask)


def _post_signed(row: Delivery, text: str, ask: Send) -> tuple[int | None, str]:
    return send_signed(row.endpoint.url, secret_of(row.endpoint), row.event, text, ask).status, ""


def send_signed(url: str, secret: str, name: str, body: str, ask: Send = send) -> RemoteResponse:
    """Post a message as Standard Webhooks sign it.

    Raises
    ------
    OutgoingError
        If there is no whole answer in time, or the address must not be reached.
    """
    now = timezone.now()
    headers = {
        "webhook-id": name,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Webhook(secret).sign(name, now, body),
    }
    return _ask(url, body, headers, ask)


def _post(
    row: Delivery, body: str, headers: Mapping[str, str], ask: Send
) -> tuple[int | None, str]:
    return _ask(row.endpoint.url, body, headers, ask).status, ""


def _ask(url: str, body: str, headers: Mapping[str, str], ask: Send) -> RemoteResponse:
    return ask(
        "POST",
        httpx.URL(url),
        seconds=_SECONDS,
        most=_MOST_BYTES,
        headers={"Content-Type": "application/json", **headers},
        content=body.encode(),
    )


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


def send_test(workspace: str, owner: User, key: int, ask: Send = send) -> Delivery | None:
    """Tell an endpoint at once, and once, that messages arrive; what became of it, or None where there is none."""
    endpoint = Endpoint.within(workspace).filter(owner=owner, active=True, pk=key).first()
    if endpoint is None:
        return None
    data = {"page": settings.ASKPOINT.address}
    (row,) = tell([endpoint], TEST, data, due=False)
    row.attempts = len(RETRIES) + 1
    deliver(row, ask)
    row.refresh_from_db()
    return row
