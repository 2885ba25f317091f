"""What somebody is told, and by what way: the records of notifiers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

__all__ = ["Notification", "Notifier"]


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
    id : str, default=""
        Of this message: whoever gets it twice knows it by this.
    at : int, default=0
        When it happened, in microseconds since 1970, UTC.
    secret : str, default=""
        By which a webhook is signed (``whsec_...``); without it none is.
    """

    kind: str
    subject: str
    text: str
    data: Mapping[str, Any] = field(default_factory=dict)
    id: str = ""
    at: int = 0
    secret: str = ""

    def sign_with(self, secret: str) -> Self:
        """Return the same message, to be signed by a secret."""
        return replace(self, secret=secret)

    def to_dict(self) -> dict[str, Any]:
        """Return what programs get."""
        words = {"subject": self.subject, "text": self.text}
        body = {"type": self.kind, **words, "data": dict(self.data)}
        return {**body, "id": self.id, "at": self.at} if self.id else body


def _accept(address: str) -> None:
    del address


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
    for_server : bool, default=True
        Whether organisers of a server may name addresses of it; what writes on this machine, or asks any
        address, is for whoever runs the command.
    check : callable, optional
        Raises `InputError` for what cannot be an address, before anything is sent.
    """

    title: str
    address: str
    send: Callable[[str, Notification], None]
    for_server: bool = True
    check: Callable[[str], None] = field(default=_accept)
