"""Who is told what a deployment did: its outbox, and those who hear what stands in it."""

from __future__ import annotations

import functools
from collections.abc import Collection
from datetime import datetime

from askpoint.live.events import MESSAGES
from askpoint.records.notifiers import find_notifier
from askpoint.records.senders import webhook_secret
from askpoint.records.stores.arguments import as_micros
from askpoint.records.stores.commit_log import PolicyLog
from askpoint.records.stores.outbox import (
    DeliveryOutcome,
    Message,
    OutboxQueue,
    announce,
    read_delayed,
    send_waiting,
)

__all__ = ["AnnouncedLog"]


class AnnouncedLog(PolicyLog):
    """What is told by webhook, chat, mail, file or git note, in its order and at least once."""

    def announce(self, message: Message) -> bool:
        """Put a message into the outbox.

        Parameters
        ----------
        message : Message
            Of a kind that is named in `askpoint.live.events.MESSAGES`.

        Returns
        -------
        bool
            False if it is there already.
        """
        is_new: bool = self._within(lambda _: announce(self._database, self.document, message))
        return is_new

    def notify(
        self,
        *recipients: str,
        purpose: str = "notify",
        kinds: Collection[str] | None = None,
        newest: str = "",
        at: int | datetime | None = None,
    ) -> list[DeliveryOutcome]:
        """Send what recipients have not heard yet, each in its order and at least once.

        What happened stands in the outbox since the transaction in which it happened. Who is new hears what
        comes from now on. Call it each minute: what could not be sent is tried again after a minute, then
        after longer times up to a day.

        Parameters
        ----------
        recipients : str
            ``"webhook=https://…"``, ``"chat=https://…"``, ``"mail=NAME@HOST"``, ``"file=PATH"``, ``"git=FOLDER"``
            or a plugin's.
        purpose : str, default="notify"
            Recipients of one address and several purposes are told apart.
        kinds : collection of str, optional
            What they are told; by default all but heads of the log.
        newest : str, optional
            Of this kind one who is new hears the newest that there is.
        at : int or datetime, optional
            When this happens, in microseconds since 1970 or with a time zone; by default now.

        Returns
        -------
        list of DeliveryOutcome
            Of each recipient, how much arrived, and why the rest did not.

        Raises
        ------
        InputError
            If a recipient is none.
        """
        for recipient in recipients:
            find_notifier(recipient)
        wanted = frozenset(kinds or MESSAGES.keys() - {"log.head"})
        queues = [OutboxQueue(purpose, recipient, wanted, newest) for recipient in recipients]
        send = functools.partial(send_waiting, self._database, self._within, self._signing)
        return [send(queue, as_micros(at)) for queue in queues]

    def list_delayed(self) -> list[DeliveryOutcome]:
        """Return recipients who could not be told lately, and why."""
        with self._reading() as reader:
            return read_delayed(reader)

    def webhook_secret(self, address: str) -> str:
        """Return by what webhooks to an address are signed (Standard Webhooks); tell it to whoever checks them.

        Parameters
        ----------
        address : str
            Of the webhook.

        Returns
        -------
        str
            ``whsec_...``; it follows from the signing key and the address.

        Raises
        ------
        InputError
            If the key that signs is not at hand.
        """
        return webhook_secret(self._known_key(), address)
