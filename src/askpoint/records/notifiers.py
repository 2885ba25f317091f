"""Notifiers: by what way somebody hears that a policy in use needs them.

A notifier is a record: a plugin adds one, and `askpoint watch --notify`, its help, the server's page of
endpoints and the documentation know it.
"""

from __future__ import annotations

from collections.abc import Callable

from askpoint.errors import InputError, NotificationError
from askpoint.records.notifications import Notification, Notifier
from askpoint.records.notifier_addresses import check_file, check_folder, check_mail, check_web
from askpoint.registry import Records

__all__ = ["NOTIFIERS", "find_notifier", "server_notifiers"]


def _later(name: str) -> Callable[[str, Notification], None]:
    """Return a function of `askpoint.records.senders` that is imported when somebody is told."""

    def send(address: str, notification: Notification) -> None:
        import askpoint.records.senders as senders

        getattr(senders, name)(address, notification)

    return send


NOTIFIERS: Records[str, Notifier] = Records(
    "notifiers",
    {
        "webhook": Notifier(
            title="a webhook",
            address="https://…",
            send=_later("post_webhook"),
            check=check_web,
        ),
        "chat": Notifier(
            title="a chat room",
            address="https://…",
            send=_later("post_chat"),
            check=check_web,
        ),
        "mail": Notifier(
            title="mail",
            address="NAME@HOST",
            send=_later("send_mail"),
            check=check_mail,
            for_server=False,
        ),
        "file": Notifier(
            title="a file of JSON lines",
            address="PATH",
            send=_later("append_line"),
            check=check_file,
            for_server=False,
        ),
        "git": Notifier(
            title="notes of a git repository",
            address="FOLDER",
            send=_later("add_note"),
            check=check_folder,
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
        If there is no such way, or no such address.
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
    notifier.check(address)

    def send(notification: Notification) -> None:
        try:
            notifier.send(address, notification)
        except Exception as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            raise NotificationError(f"{name} cannot notify {address}: {reason}") from error

    return send
