"""Signing in by django-allauth: guessing is limited, and hashing passwords never takes more than one processor."""

from __future__ import annotations

import functools
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from allauth.account.views import LoginView, ReauthenticateView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from requests import RequestException

from askpoint.server.accounts.access import address_of
from askpoint.server.accounts.adapters import has_mail
from askpoint.server.accounts.companies import known_companies
from askpoint.server.accounts.names import fold_case
from askpoint.server.accounts.rate_limits import attempts_of, count_attempt, forget_attempts

__all__ = [
    "BUSY",
    "HASHING",
    "TOO_OFTEN",
    "PasswordAgain",
    "SignIn",
    "company_answers",
    "hashing_slot",
    "refuse",
]

_WINDOW = timedelta(minutes=15)
_BY_NAME_AND_ADDRESS = 10
_BY_NAME = 100
_BY_ADDRESS = 300  # many may sit behind one

BUSY = "Many sign in just now. Try again in a moment."
"""What is said where too many passwords wait to be hashed."""

TOO_OFTEN = "The old password did not match too often. Try again in a quarter of an hour."
"""What is said to who guesses at one's own password."""

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
    """By name and password, with limits for each name and address; a second factor comes after it."""

    template_name = "home/sign-in.html"

    def post(self, request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
        """Check name and password, unless it was tried too often."""
        name, address = fold_case(request.POST.get("login", "")[:150]), address_of(request)
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
                return refuse(request, BUSY, 5)
            for limit, parts in limits:  # counted before, so that those who race count, too
                count_attempt(_WINDOW, limit, *parts)
            response: HttpResponse = super().post(request, *args, **named)
        if response.status_code == 302:
            forget_attempts("both", name, address)
        return response

    def get_context_data(self, **named: Any) -> dict[str, Any]:
        """Say by what else one may sign in, and what helps who forgot a password."""
        more = {"companies": known_companies(), "has_mail": has_mail()}
        return {**super().get_context_data(**named), **more}


def company_answers(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Say so where a company's provider does not answer, or answers with nonsense."""

    @functools.wraps(view)
    def wrapper(request: HttpRequest, provider_id: str) -> HttpResponse:
        try:
            return view(request, provider_id)
        except (RequestException, KeyError, ValueError) as error:
            logging.getLogger(__name__).warning("the company %r: %r", provider_id, str(error))
            return render(request, "socialaccount/authentication_error.html", status=502)

    return wrapper


class PasswordAgain(ReauthenticateView):
    """The password once more, before a second factor is changed."""

    def post(self, request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
        """Check it, unless it was guessed at too often."""
        whose = str(request.user.pk)
        if not count_attempt(_WINDOW, _BY_NAME_AND_ADDRESS, "password", whose):
            return refuse(request, TOO_OFTEN, int(_WINDOW.total_seconds()))
        with hashing_slot() as held:
            if not held:
                return refuse(request, BUSY, 5)
            response: HttpResponse = super().post(request, *args, **named)
        if response.status_code == 302:
            forget_attempts("password", whose)
        return response
