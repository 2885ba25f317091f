"""The second factor: whose acts need one, codes that work once, and what becomes of lost ones."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from urllib.parse import quote

from allauth.account.authentication import get_authentication_records
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from django.conf import settings
from django.contrib import messages
from django.db.models import Q
from django.forms import Form, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from askpoint.server.accounts.models import Seat, User
from askpoint.server.accounts.rate_limits import count_attempt, forget_attempts
from askpoint.server.journal.services import note

__all__ = [
    "FRESH",
    "CodeAgainForm",
    "CodeForm",
    "FirstCodeForm",
    "drop_factor",
    "has_factor",
    "needs_factor",
    "with_fresh_factor",
]

FRESH = 600.0
"""Seconds for which a code that was entered counts."""

_WINDOW = timedelta(minutes=15)
_MOST = 10
_USED = timedelta(minutes=2)  # longer than a code is shown
_View = Callable[..., HttpResponse]


def has_factor(user: User) -> bool:
    """Tell whether somebody signs in by a code, too."""
    return bool(Authenticator.objects.filter(user=user, type=Authenticator.Type.TOTP).exists())


def needs_factor(user: User) -> bool:
    """Tell whether somebody's acts need a code: who owns a workspace or pays in one, where the server asks for it."""
    if settings.ASKPOINT.factor != "required":
        return False
    return bool(Seat.objects.filter(Q(role="owner") | Q(pays=True), user=user).exists())


def _is_fresh(request: HttpRequest) -> bool:
    marks = get_authentication_records(request, request.user)
    newest = max((mark["at"] for mark in marks if mark["method"] == "mfa"), default=0.0)
    return 0 <= time.time() - newest < FRESH


def with_fresh_factor(view: _View) -> _View:
    """Let whoever pays or owns send a form only within ten minutes of a code; pages are read without one."""

    @functools.wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
        user: Any = request.user
        if request.method != "POST" or not user.is_authenticated or not needs_factor(user):
            return view(request, *args, **named)
        if not has_factor(user):
            says, where = (
                "people who pay or own need a second factor here. Set it up",
                "mfa_activate_totp",
            )
        elif _is_fresh(request):
            return view(request, *args, **named)
        else:
            says, where = "enter a code", "mfa_reauthenticate"
        messages.error(request, f"Nothing was sent: {says}, then send the form again.")
        return redirect(f"{reverse(where)}?next={quote(request.path)}")

    return wrapper


def drop_factor(user: User) -> bool:
    """Take somebody's second factor away, for who lost it; whether there was one."""
    gone, _ = Authenticator.objects.filter(user=user).delete()
    if gone:
        note("second factor removed", about=user.username)
    return bool(gone)


class _OnceForm(Form):
    """A code is tried ten times in a quarter of an hour, and works once, in all processes."""

    user: User

    def clean_code(self) -> str:
        """Check it."""
        whose = str(self.user.pk)
        if not count_attempt(_WINDOW, _MOST, "factor", whose):
            raise ValidationError(
                "Codes did not match too often. Try again in a quarter of an hour."
            )
        code = str(super().clean_code())
        if not count_attempt(_USED, 1, "used code", whose, "".join(code.split())):
            raise ValidationError("This code was used already. Wait for the next one.")
        forget_attempts("factor", whose)
        return code


class CodeForm(_OnceForm, AuthenticateForm):
    """The code of a sign-in."""


class CodeAgainForm(_OnceForm, ReauthenticateForm):
    """The code before something that needs one."""


class FirstCodeForm(_OnceForm, ActivateTOTPForm):
    """The code that shows that a device was set up."""
