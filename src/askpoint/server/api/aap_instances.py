"""Instances of the Agent Approval Protocol: a program gets a credential of its own."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from askpoint.errors import InputError, RuleError
from askpoint.server.accounts.models import User
from askpoint.server.api.tokens import PREFIX, make_token
from askpoint.server.journal.services import note
from askpoint.server.licences.door import lock_agent
from askpoint.server.licences.models import Agent, AgentInstance
from askpoint.server.licences.resolutions import SECRET, stamp
from askpoint.server.outgoing import OutgoingError, RemoteResponse, read_url
from askpoint.server.webhooks.delivery import send_signed
from askpoint.server.webhooks.services import make_receiver
from askpoint.server.workspaces.seals import seal

__all__ = ["instance_of", "make_instance"]

_FIELDS = {"instance_name", "delivery"}
_DELIVERY = {"type", "url", "registration_id", "signing_secret"}
_LONGEST_NAME = 80
_SHORTEST_SECRET, _LONGEST_SECRET = 24, 64  # bytes, as Standard Webhooks have it
_DAYS = 90  # that its credential lives
_OK = 200

_Post = Callable[[str, str, str, str], RemoteResponse]
"""Address, secret, id and body of a signed message: what came back."""


@dataclass(frozen=True)
class _Submission:
    """What a program asked for: its name, and where it hears of its requests."""

    name: str
    url: str
    registration: str
    secret: str

    @classmethod
    def read(cls, body: Any) -> _Submission:
        """Check what came."""
        if not isinstance(body, Mapping) or set(body) - _FIELDS or None in body.values():
            raise InputError(
                "an instance is an object with instance_name and delivery, none of them null"
            )
        name = body.get("instance_name", "")
        if not isinstance(name, str) or len(name) > _LONGEST_NAME or not name.isprintable():
            raise InputError(f"instance_name is a text of at most {_LONGEST_NAME} characters")
        if "delivery" not in body:
            return cls(name.strip(), "", "", "")
        delivery = body["delivery"]
        if (
            not isinstance(delivery, Mapping)
            or set(delivery) != _DELIVERY
            or not all(isinstance(value, str) for value in delivery.values())
        ):
            raise InputError(f"delivery is an object with the texts {', '.join(sorted(_DELIVERY))}")
        if delivery["type"] != "webhook":
            raise InputError(f"a delivery is of the type webhook; got {delivery['type']!r:.40}")
        if not re.fullmatch(r"https://[!-~]{1,490}", delivery["url"]):
            raise InputError(
                "the url of a delivery starts with https://, and has at most 498 signs"
            )
        if not re.fullmatch(r"[!-~]{1,200}", delivery["registration_id"]):
            raise InputError("registration_id has 1 to 200 letters, digits or signs")
        _check_secret(delivery["signing_secret"])
        return cls(
            *(name.strip(), delivery["url"], delivery["registration_id"]),
            secret=delivery["signing_secret"],
        )


def _check_secret(secret: str) -> None:
    try:
        size = len(base64.b64decode(secret.removeprefix("whsec_"), validate=True))
    except (binascii.Error, ValueError):
        size = 0
    if not secret.startswith("whsec_") or not _SHORTEST_SECRET <= size <= _LONGEST_SECRET:
        raise InputError(
            f"signing_secret is whsec_ and {_SHORTEST_SECRET} to {_LONGEST_SECRET} bytes in base64"
        )


def make_instance(
    agent: str, by: User, key: str, body: Any, post: _Post = send_signed
) -> tuple[dict[str, Any], bool]:
    """Make a credential for a program of an agent, or return that of the same key; and whether it is new.

    A receiver of notifications must first return the challenge that is sent to it.

    Raises
    ------
    RuleError
        ``idempotency_conflict``, if the key came with something else; ``webhook_verification_failed``.
    InputError
        If it is no instance.
    """
    given = _Submission.read(body)
    digest = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
    row = Agent.objects.get(pk=agent)
    name = uuid.UUID(bytes=_secret(row, f"id\0{key}")[:16], version=4)
    known = AgentInstance.objects.filter(agent=row, key=key).first()
    if known is None and given.url:
        _verify(given, name, post)
    with transaction.atomic():
        row = lock_agent(agent)
        known = AgentInstance.objects.filter(agent=row, key=key).first()
        if known is None:
            return _wire(_make(row, by, key, name, given, digest)), True
    if known.digest != digest:
        raise RuleError("idempotency_conflict", "this key came with another instance before")
    return _wire(known), False


def _secret(agent: Agent, what: str) -> bytes:
    """Return 256 bits that follow from the server's own secret, and are stored nowhere."""
    given = f"{agent.pk}\0{agent.salt}\0{what}"
    return salted_hmac("askpoint.instance", given, algorithm="sha256").digest()


def _credential(agent: Agent, name: uuid.UUID) -> str:
    return base64.urlsafe_b64encode(_secret(agent, f"token\0{name}")).decode().rstrip("=")


def _verify(given: _Submission, name: uuid.UUID, post: _Post) -> None:
    """Send a challenge, and see that it comes back."""
    message, challenge = str(uuid.uuid4()), str(uuid.uuid4())
    said = {
        "id": message,
        "type": "webhook.verification",
        "registration_id": given.registration,
        "instance_id": str(name),
        "created_at": stamp(timezone.now()),
        "challenge": challenge,
    }
    try:
        read_url(given.url)
        answer = post(given.url, given.secret, message, json.dumps(said))
        is_good = answer.status == _OK and json.loads(answer.body) == {"challenge": challenge}
    except OutgoingError as error:
        raise RuleError("webhook_verification_failed", f"the receiver: {error}") from None
    except ValueError:
        is_good = False
    if not is_good:
        raise RuleError(
            "webhook_verification_failed", "the receiver did not return the challenge it was sent"
        )


def _make(
    agent: Agent, by: User, key: str, name: uuid.UUID, given: _Submission, digest: str
) -> AgentInstance:
    where, title = agent.workspace_id, given.name or f"instance-{str(name)[:8]}"
    endpoint = make_receiver(where, by, given.url) if given.url else None
    token, _ = make_token(
        *(by, "agent"), label=title, scope="write", resource=agent.pk, days=_DAYS,
        chosen=_credential(agent, name),
    )  # fmt: skip
    made: AgentInstance = AgentInstance.objects.create(
        id=name, agent=agent, name=title, key=key, digest=digest, token=token, endpoint=endpoint,
        secret=seal(where, SECRET, given.secret) if given.url else b"", made=timezone.now(),
    )  # fmt: skip
    note("instance made", campaign=agent.pk, about=title, told=given.url)
    return made


def _wire(row: AgentInstance) -> dict[str, Any]:
    return {
        "instance": {"id": str(row.pk), "name": row.name},
        "credential": {
            "token": PREFIX + _credential(row.agent, row.pk),
            "expires_at": stamp(row.token.expires),
        },
    }


def instance_of(token: int) -> AgentInstance | None:
    """Return the instance whose credential a token is."""
    return AgentInstance.objects.select_related("endpoint").filter(token=token).first()
