"""One's account: a new password by the old one, or by a link that works once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import PasswordChangeView, PasswordResetConfirmView
from django.http import HttpRequest, HttpResponse
from django.urls import reverse_lazy

from askpoint.server.accounts.rate_limits import count_attempt, forget_attempts
from askpoint.server.home.sign_in import hashing_slot, refuse
from askpoint.server.journal.services import note

__all__ = ["AccountPage", "ResetPage"]

_WINDOW = timedelta(minutes=15)
_MOST = 10
_BUSY = "Many sign in just now. Try again in a moment."


class AccountPage(PasswordChangeView):
    """Who one is here, and a new password; other browsers are signed out by it."""

    template_name = "home/account.html"
    success_url = reverse_lazy("account")

    def post(self, request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
        """Change the password, unless the old one was guessed at too often."""
        if not count_attempt(_WINDOW, _MOST, "password", str(request.user.pk)):
            return refuse(
                request,
                "The old password did not match too often. Try again in a quarter of an hour.",
                int(_WINDOW.total_seconds()),
            )
        with hashing_slot() as held:
            if not held:
                return refuse(request, _BUSY, 5)
            response: HttpResponse = super().post(request, *args, **named)
        if response.status_code == 302:
            forget_attempts("password", str(request.user.pk))
            note("password changed", about=request.user.username)
            messages.success(request, "Your password is changed; other browsers are signed out.")
            return response
        response.status_code = 422
        return response


class ResetPage(PasswordResetConfirmView):
    """A new password by a link from the organiser; Django's own check of the link."""

    template_name = "home/reset.html"
    success_url = reverse_lazy("home")
    post_reset_login = True

    def post(self, request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
        """Set the password."""
        with hashing_slot() as held:
            if not held:
                return refuse(request, _BUSY, 5)
            response: HttpResponse = super().post(request, *args, **named)
        if response.status_code != 302:
            response.status_code = 422
        else:
            note("password changed", about=self.user.username)
        return response

    def get_context_data(self, **named: Any) -> dict[str, Any]:
        """Say whose password it is."""
        return {**super().get_context_data(**named), "whose": self.user}

    def render_to_response(self, context: dict[str, Any], **named: Any) -> HttpResponse:
        """Say by the status that a link works no more."""
        if not context["validlink"]:
            named["status"] = 410
        return super().render_to_response(context, **named)
