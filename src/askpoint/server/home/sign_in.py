"""Signing in: guessing is limited, and hashing passwords never takes more than one processor."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from askpoint.server.accounts.access import address_of
from askpoint.server.accounts.names import fold_case
from askpoint.server.accounts.rate_limits import attempts_of, count_attempt, forget_attempts

__all__ = ["HASHING", "SignIn", "hashing_slot", "refuse"]

_WINDOW = timedelta(minutes=15)
_BY_NAME_AND_ADDRESS = 10
_BY_NAME = 100
_BY_ADDRESS = 300  # many may sit behind one

_MOST_WAITING = 3
_PATIENCE = 2.0


class _Slot:
    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._waiting = threading.BoundedSemaphore(_MOST_WAITING)

    def take(self) -> bool:
        """Wait for a turn, if only a few wait."""
        if not self._waiting.acquire(blocking=False):
            return False
        try:
            return self._turn.acquire(timeout=_PATIENCE)
        finally:
            self._waiting.release()

    def leave(self) -> None:
        """Let the next one have it."""
        self._turn.release()


HASHING = _Slot()
"""One password at a time is hashed in a process."""


@contextmanager
def hashing_slot() -> Iterator[bool]:
    """Hold the slot meanwhile; false where too many wait for it."""
    held = HASHING.take()
    try:
        yield held
    finally:
        if held:
            HASHING.leave()


def refuse(request: HttpRequest, words: str, seconds: int) -> HttpResponse:
    """Say that it was tried too often, and for how long."""
    page = render(request, "home/refused.html", {"problem": words}, status=429)
    page["Retry-After"] = str(seconds)
    return page


class SignIn(LoginView):
    """Django's own, with limits for each name and address."""

    template_name = "home/sign-in.html"

    def post(self, request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
        """Check name and password, unless it was tried too often."""
        name, address = fold_case(request.POST.get("username", "")[:150]), address_of(request)
        limits = (
            (_BY_NAME_AND_ADDRESS, ("both", name, address)),
            (_BY_NAME, ("name", name)),
            (_BY_ADDRESS, ("address", address)),
        )
        if any(attempts_of(_WINDOW, *parts) >= limit for limit, parts in limits):
            return refuse(
                request,
                "Name and password did not match too often. Try again in a quarter of an hour; "
                "nobody else can unlock it.",
                int(_WINDOW.total_seconds()),
            )
        with hashing_slot() as held:
            if not held:
                return refuse(request, "Many sign in just now. Try again in a moment.", 5)
            for limit, parts in limits:  # counted before, so that those who race count, too
                count_attempt(_WINDOW, limit, *parts)
            response: HttpResponse = super().post(request, *args, **named)
        if request.user.is_authenticated:
            forget_attempts("both", name, address)
        return response
