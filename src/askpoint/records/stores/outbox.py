"""The outbox of a deployment: what is to be told, in the transaction of what happened; how far each was told.

Each recipient hears all messages in their order, at least once: a message that cannot be sent is tried again after
a minute, and after longer times up to a day, and those behind it wait. The same message always has the same id.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from askpoint.errors import InputError, NotificationError
from askpoint.live.canonical import canonical_json
from askpoint.live.documents import PolicyDocument
from askpoint.live.events import MESSAGES
from askpoint.records.notifications import Notification
from askpoint.records.notifiers import find_notifier
from askpoint.records.senders import webhook_secret
from askpoint.records.stores.database import Database, StoreReader

__all__ = ["DeliveryOutcome", "Message", "OutboxQueue", "announce", "read_delayed", "send_waiting"]

_RETRIES = (60, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400)
"""Seconds until the next try; from the last on, once a day."""
_LEASE = 60_000_000  # microseconds for which nobody else sends to a recipient
_SECOND = 1_000_000
_AT_ONCE = 50


@dataclass(frozen=True)
class Message:
    """Something to be told.

    Parameters
    ----------
    id : str
        Of it, for ever.
    kind : str
        A name in `askpoint.live.events.MESSAGES`.
    at : int
        When it happened, in microseconds since 1970.
    data : mapping
        For programs.
    subject, text : str, optional
        For people; by default words of its kind and data.
    """

    id: str
    kind: str
    at: int
    data: Mapping[str, Any] = field(default_factory=dict)
    subject: str = ""
    text: str = ""


class OutboxQueue(NamedTuple):
    """Who is told what: a recipient, ``NOTIFIER=ADDRESS``, for one purpose.

    Attributes
    ----------
    purpose : str
        Recipients of one address and several purposes are told apart.
    recipient : str
        ``"webhook=https://…"``.
    kinds : collection of str
        What it is told.
    newest : str, default=""
        Of this kind one who is new hears the newest; of all others what comes from now on.
    """

    purpose: str
    recipient: str
    kinds: Collection[str]
    newest: str = ""

    @property
    def name(self) -> str:
        """Its key in the table."""
        return f"{self.purpose} {self.recipient}"


class DeliveryOutcome(NamedTuple):
    """What became of the messages to a recipient.

    Attributes
    ----------
    recipient : str
        Whom.
    sent : int
        Messages that arrived now.
    problem : str
        Why the next one did not; empty if there is none.
    due : int
        When it is tried again, in microseconds since 1970.
    """

    recipient: str
    sent: int
    problem: str = ""
    due: int = 0


def announce(database: Database, document: PolicyDocument, message: Message) -> bool:
    """Put a message into the outbox, within a transaction; False if it is there already."""
    if message.kind not in MESSAGES:
        raise InputError(f"there is no message {message.kind!r}; name it in live/events.py")
    if database.execute("SELECT 1 FROM outbox WHERE id = ?", (message.id,)):
        return False
    subject = message.subject or f"{document.id}: {MESSAGES[message.kind]}"
    body = {
        "data": {"policy": document.id, "version": document.version, **message.data},
        "subject": subject,
        "text": message.text or f"{subject}\n{_plain(message.data)}",
    }
    ((last,),) = database.execute("SELECT max(n) FROM outbox")
    row = (
        0 if last is None else last + 1,
        message.id,
        message.kind,
        message.at,
        canonical_json(body),
    )
    database.insert("outbox", ("n", "id", "kind", "at", "body"), [row])
    return True


def _plain(data: Mapping[str, Any]) -> str:
    """Say data in a line for people."""
    flat = {**data, **data.get("numbers", {})}
    return ", ".join(f"{name}: {value}" for name, value in flat.items() if name != "numbers")


def send_waiting(
    database: Database,
    within: Callable[[Callable[[int], Any]], Any],
    key: bytes,
    queue: OutboxQueue,
    moment: int | None,
) -> DeliveryOutcome:
    """Send what a recipient has not heard yet; `within` does something within a commit.

    Nothing is locked while it is sent.
    """
    waiting = within(lambda now: _claim(database, queue, moment or now))
    if not waiting:
        return DeliveryOutcome(queue.recipient, 0)
    done, delivery = _deliver(queue, waiting, key)
    due = within(lambda now: _settle(database, queue, done, delivery.problem, moment or now))
    return delivery._replace(due=due)


def _claim(
    database: Database, queue: OutboxQueue, now: int
) -> list[tuple[int, Notification]] | None:
    """Take what a recipient has not heard yet, for a minute, within a transaction; None while it is not due."""
    rows = database.execute("SELECT next, due FROM recipients WHERE name = ?", (queue.name,))
    if not rows:
        ((last,),) = database.execute("SELECT max(n) FROM outbox WHERE kind = ?", (queue.newest,))
        if last is None:
            ((last,),) = database.execute("SELECT max(n) + 1 FROM outbox")
        first = last or 0
        fields = ("name", "next", "attempts", "due", "said")
        database.insert("recipients", fields, [(queue.name, first, 0, 0, "")])
        rows = [(first, 0)]
    ((first, due),) = rows
    if due > now:
        return None
    found = database.execute(
        "SELECT n, id, kind, at, body FROM outbox WHERE n >= ? ORDER BY n", (first,)
    )
    wanted = [row for row in found if row[2] in queue.kinds][:_AT_ONCE]
    if wanted:
        database.change(
            "UPDATE recipients SET due = ? WHERE name = ?", [(now + _LEASE, queue.name)]
        )
    return [(n, _notification(*rest)) for n, *rest in wanted]


def _notification(name: str, kind: str, at: int, body: str) -> Notification:
    plain = json.loads(body)
    return Notification(
        kind=kind, subject=plain["subject"], text=plain["text"], data=plain["data"], id=name, at=at
    )


def _deliver(
    queue: OutboxQueue, waiting: Sequence[tuple[int, Notification]], key: bytes
) -> tuple[int | None, DeliveryOutcome]:
    """Send messages until one cannot be; return the number of the last that arrived, and what became of it."""
    send = find_notifier(queue.recipient)
    _, _, address = queue.recipient.partition("=")
    secret = webhook_secret(key, address) if key else ""
    done: int | None = None
    for sent, (n, told) in enumerate(waiting):
        try:
            send(told.sign_with(secret))
        except NotificationError as error:
            return done, DeliveryOutcome(queue.recipient, sent, str(error))
        done = n
    return done, DeliveryOutcome(queue.recipient, len(waiting))


def _settle(
    database: Database, queue: OutboxQueue, done: int | None, problem: str, now: int
) -> int:
    """Note how far a recipient was told, within a transaction; return when it is tried again."""
    ((first, attempts),) = database.execute(
        "SELECT next, attempts FROM recipients WHERE name = ?", (queue.name,)
    )
    first = first if done is None else max(first, done + 1)
    attempts = 0 if not problem else 1 if done is not None else attempts + 1
    due = now + _RETRIES[min(attempts, len(_RETRIES)) - 1] * _SECOND if problem else 0
    database.change(
        "UPDATE recipients SET next = ?, attempts = ?, due = ?, said = ? WHERE name = ?",
        [(first, attempts, due, problem[:500], queue.name)],
    )
    return due


def read_delayed(reader: StoreReader) -> list[DeliveryOutcome]:
    """Return recipients who could not be told lately, and why."""
    select = "SELECT name, said, due FROM recipients WHERE attempts > 0 ORDER BY name"
    return [
        DeliveryOutcome(name.partition(" ")[2], 0, said, due)
        for name, said, due in reader.execute(select)
    ]
