"""Notifiers: by what way somebody hears that a policy in use needs them.

A notifier is a record: a plugin adds one, and `askpoint watch --notify`, its help, the server's page of
endpoints and the documentation know it.
"""

from __future__ import annotations

from collections.abc import Callable

from askpoint.errors import InputError, NotificationError
from askpoint.records.notifications import Notification, Notifier
from askpoint.records.senders import add_note, append_line, post_chat, post_webhook, send_mail
from askpoint.registry import Records

__all__ = ["NOTIFIERS", "find_notifier", "server_notifiers"]

NOTIFIERS: Records[str, Notifier] = Records(
    "notifiers",
    {
        "webhook": Notifier(title="a webhook", address="https://…", send=post_webhook),
        "chat": Notifier(
            title="a chat room", address="https://…", send=post_chat, for_server=False
        ),
        "mail": Notifier(title="mail", address="NAME@HOST", send=send_mail, for_server=False),
        "file": Notifier(
            title="a file of JSON lines", address="PATH", send=append_line, for_server=False
        ),
        "git": Notifier(
            title="notes of a git repository",
            address="FOLDER",
            send=add_note,
            for_server=False,
        ),
    },
)
"""By name, those of plugins too."""


def server_notifiers() -> dict[str, Notifier]:
    """Return those whose addresses organisers of a server may name."""
    return {name: one for name, one in NOTIFIERS.items() if one.for_server}


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
