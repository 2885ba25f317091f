"""Who makes payments: a person with a list, or Prolific. A test brings one that misbehaves."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

from askpoint.errors import InputError
from askpoint.server.addresses import Reach, read_network
from askpoint.server.outgoing import OutgoingError, read_url, send

__all__ = ["BY_HAND", "Due", "LostError", "Prolific", "Provider", "RefusedError", "Send"]

BY_HAND = "by hand"
_PROLIFIC = "https://api.prolific.com/api/v1/"  # ASKPOINT_PROLIFIC_URL names another
_SECONDS = 30.0
_MOST_ANSWER = 10_000_000

Send = Callable[[str, str, dict[str, Any] | None], tuple[int, bytes]]


class Due(NamedTuple):
    """One payment: our name for it, the person's name at the provider, and how much.

    `before` counts the payments of the same amount that the person is known to have had.
    """

    id: str
    participant: str
    cents: int
    before: int = 0


class RefusedError(Exception):
    """The provider said clearly that it has not paid, and will not."""


class LostError(Exception):
    """Nobody knows whether it was paid: no answer, or none that says so."""


class Provider(Protocol):
    """Whoever makes payments.

    `set_up` may be repeated; `pay` may not, and so is never called twice for a batch.
    """

    name: str
    most: int

    def set_up(self, dues: Sequence[Due]) -> str:
        """Prepare a batch without paying it; the provider's name for it."""
        ...

    def pay(self, reference: str) -> None:
        """Pay a batch; raises `RefusedError` or `LostError`."""
        ...

    def look_up(self, reference: str, dues: Sequence[Due]) -> dict[str, bool | None]:
        """Tell of each payment whether it was made; None where the provider cannot tell."""
        ...


class Prolific:
    """Bulk payments of a study: set up, its id stored, then paid once.

    Parameters
    ----------
    study : str
        The study's id.
    send : callable, optional
        From method, path and body to status and answer; `OSError` where there is none. Without it,
        Prolific itself is asked,
    token : str, default=""
        with this token of the workspace that pays.
    """

    name = "prolific"
    most = 200

    def __init__(self, study: str, send: Send | None = None, token: str = "") -> None:
        self._study = study
        self._send = send or functools.partial(_send, token)

    def set_up(self, dues: Sequence[Due]) -> str:
        """Set a bulk payment up; nothing is paid by it."""
        lines = "\n".join(f"{due.participant},{due.cents / 100:.2f}" for due in dues)
        body = {"study_id": self._study, "csv_bonuses": lines}
        said = self._ask("POST", "submissions/bonus-payments/", body)
        reference, owed = said.get("id"), sum(due.cents for due in dues)
        if not isinstance(reference, str) or not reference:
            raise RefusedError("Prolific named no payment")
        if said.get("amount", owed) != owed:  # before fees; nothing is paid yet
            raise RefusedError(f"Prolific would pay {said['amount']!r} cents, and {owed} are owed")
        return reference

    def pay(self, reference: str) -> None:
        """Pay it. This is not idempotent: an answer that is lost is looked up."""
        self._ask("POST", f"bulk-bonus-payments/{reference}/pay/", {})

    def look_up(self, reference: str, dues: Sequence[Due]) -> dict[str, bool | None]:
        """Look in the study's submissions for one payment more than those known before.

        What does not stand there may still come, for Prolific pays later than it answers: then
        nobody can tell, and a person decides.
        """
        del reference
        paid: dict[str, list[int]] = {}
        try:
            said = self._ask("GET", f"studies/{self._study}/submissions/", None)
        except (LostError, RefusedError):
            return dict.fromkeys((due.id for due in dues), None)
        for submission in said.get("results", []):
            amounts = submission.get("bonus_payments") or []
            paid.setdefault(str(submission.get("participant_id")), []).extend(map(int, amounts))
        return {
            due.id: paid.get(due.participant, []).count(due.cents) == due.before + 1 or None
            for due in dues
        }

    def _ask(self, method: str, path: str, body: dict[str, Any] | None) -> dict[str, Any]:
        try:
            status, answer = self._send(method, path, body)
            if 400 <= status < 500:
                raise RefusedError(f"Prolific said {status}")
            if not 200 <= status < 300:
                raise LostError(f"Prolific said {status}")
            said = json.loads(answer) if answer.strip() else {}
        except (OSError, ValueError) as error:
            raise LostError(type(error).__name__) from None
        return said if isinstance(said, dict) else {}


def _send(token: str, method: str, path: str, body: dict[str, Any] | None) -> tuple[int, bytes]:
    """Ask Prolific, or what stands for it; the token goes there alone, for no redirect is followed."""
    url = read_url(os.environ.get("ASKPOINT_PROLIFIC_URL", _PROLIFIC) + path)
    named = []
    with suppress(InputError):  # in numbers it may be private: whoever starts the server named it
        named.append(read_network(url.host))
    try:
        reply = send(
            method,
            url,
            seconds=_SECONDS,
            most=_MOST_ANSWER,
            headers={
                "Authorization": f"Token {token}",
                "Content-Type": "application/json",
            },
            content=b"" if body is None else json.dumps(body).encode(),
            reach=Reach(tuple(named), named_only=url.scheme == "http"),
        )
    except OutgoingError as error:
        if error.kind == "refused":  # before a byte was sent
            raise RefusedError(f"Prolific's address is not asked: {error}") from None
        raise OSError(str(error)) from None
    return reply.status, reply.body
