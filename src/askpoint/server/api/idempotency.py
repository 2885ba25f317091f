"""A request that may come twice, and acts once: the Idempotency-Key.

What a request did and what was answered are stored in one transaction; so a key whose reply is not
there did nothing, and may be sent again.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from datetime import timedelta
from http import HTTPStatus
from typing import Any, TypeVar

from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils import timezone
from pydantic_core import to_jsonable_python

from askpoint.server.api.models import Reply
from askpoint.server.api.problems import ProblemError

__all__ = ["HEADER", "LONGEST_KEY", "act_once", "answer_once", "read_key"]

HEADER = "Idempotency-Key"
"""Names a request, so that it may be sent again."""

LONGEST_KEY = 64
"""Characters."""

_KEPT = timedelta(days=30)


def read_key(request: HttpRequest) -> str:
    """Return the key of a request.

    Raises
    ------
    ProblemError
        If there is none, or none that can be kept.
    """
    key = str(request.headers.get(HEADER, ""))
    if not re.fullmatch(rf"[!-~]{{1,{LONGEST_KEY}}}", key):
        raise ProblemError(
            HTTPStatus.BAD_REQUEST,
            "idempotency-key",
            f"give the header {HEADER}, 1 to {LONGEST_KEY} letters, digits or signs that no other "
            "request of yours has: sent again with the same one, it acts once",
        )
    return key


def _digest(request: HttpRequest) -> str:
    return hashlib.sha256(f"{request.method} {request.path}\n".encode() + request.body).hexdigest()


def answer_once(request: HttpRequest, work: Callable[[], Any]) -> Any:
    """Do `work` unless it was done under this key; return what it said then.

    Parameters
    ----------
    request : HttpRequest
        With its key; its token is looked up already.
    work : callable
        Returns what is answered. It runs in a transaction that also keeps the answer; what it
        raises undoes both.

    Raises
    ------
    ProblemError
        If the key belongs to another request.
    """
    key, user, now = read_key(request), request.user, timezone.now()
    digest = _digest(request)
    reply = _find_reply(user, key, digest)
    if reply is not None:
        return reply.answer
    try:
        with transaction.atomic():
            # whoever comes second waits here for the first, and is told the same
            row = Reply.objects.create(user=user, key=key, request=digest, made=now)
            row.answer = to_jsonable_python(work())
            row.save(update_fields=["answer"])
            Reply.objects.filter(user=user, made__lt=now - _KEPT).delete()
            return row.answer
    except IntegrityError:
        reply = _find_reply(user, key, digest)
        if reply is None:
            raise
        return reply.answer


_T = TypeVar("_T")


def act_once(request: HttpRequest, work: Callable[[], _T]) -> _T:
    """Do `work`, which acts once by itself; a key, where one is given, belongs to this request alone.

    Raises
    ------
    ProblemError
        If the key belongs to another request.
    """
    if HEADER not in request.headers:
        return work()
    key, user, digest = read_key(request), request.user, _digest(request)
    now = timezone.now()
    with transaction.atomic():
        if _find_reply(user, key, digest) is None:
            row = Reply(user=user, key=key, request=digest, made=now)
            Reply.objects.bulk_create([row], ignore_conflicts=True)
            _find_reply(user, key, digest)  # whoever came first with it
            if now.microsecond % 100 == 0:
                Reply.objects.filter(user=user, made__lt=now - _KEPT).delete()
        return work()


def _find_reply(user: Any, key: str, digest: str) -> Reply | None:
    row = Reply.objects.filter(user=user, key=key).first()
    if row is not None and row.request != digest:
        raise ProblemError(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            "idempotency-key",
            f"the {HEADER} {key!r} belongs to another request; give this one a new key",
        )
    return row
