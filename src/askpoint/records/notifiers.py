"""Notifiers: by what way somebody hears that a policy in use needs them.

A notifier is a record: a plugin adds one, and `askpoint watch --notify`, its help, the server's page of
endpoints and the documentation know it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from askpoint.errors import InputError, NotificationError
from askpoint.registry import Records

__all__ = ["NOTIFIERS", "Notification", "Notifier", "find_notifier"]

_SECONDS = 10.0


@dataclass(frozen=True, kw_only=True)
class Notification:
    """What somebody is told.

    Parameters
    ----------
    kind : str
        A name that programs can ask for: ``"policy.closed"``.
    subject, text : str
        A line, and all of it, in words.
    data : mapping
        The same for programs.
    """

    kind: str
    subject: str
    text: str
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Notifier:
    """A way to notify somebody.

    Parameters
    ----------
    title : str
        For people: ``"a webhook"``.
    address : str
        What an address looks like: ``"https://…"``.
    send : callable
        From an address and a `Notification`; raises what it likes where that fails.
    """

    title: str
    address: str
    send: Callable[[str, Notification], None]


def _post(address: str, notification: Notification) -> None:
    if not address.startswith(("https://", "http://")):
        raise InputError(f"a webhook's address starts with https:// or http://; got {address!r}")
    import urllib.request

    words = {"subject": notification.subject, "text": notification.text}
    body = {"type": notification.kind, **words, "data": dict(notification.data)}
    request = urllib.request.Request(  # noqa: S310 - checked above
        address,
        data=json.dumps(body).encode(),
        headers={"Content-Type": "application/json"},
        method="POST",
    )
    with urllib.request.urlopen(request, timeout=_SECONDS):  # noqa: S310
        pass


NOTIFIERS: Records[str, Notifier] = Records(
    "notifiers", {"webhook": Notifier(title="a webhook", address="https://…", send=_post)}
)
"""By name, those of plugins too."""


def find_notifier(stated: str) -> Callable[[Notification], None]:
    """Return what sends notifications by a way and to an address, ``"webhook=https://…"``.

    Raises
    ------
    InputError
        If there is no such way, or no address.
    NotificationError
        By what is returned, where a notification cannot be sent.
    """
    from askpoint.measures.inputs import as_choice

    name, _, address = stated.partition("=")
    if not address:
        raise InputError(
            f"a notifier is stated as NAME=ADDRESS, with NAME among {', '.join(NOTIFIERS)}; got "
            f"{stated!r}"
        )
    notifier = NOTIFIERS[as_choice(name, tuple(NOTIFIERS), "a notifier")]

    def send(notification: Notification) -> None:
        try:
            notifier.send(address, notification)
        except Exception as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            raise NotificationError(f"{name} cannot notify {address}: {reason}") from error

    return send
