"""One's account: a new password by the old one or by a link that works once, and what others did to it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.views import PasswordChangeView, PasswordResetConfirmView
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import reverse_lazy

from askpoint.server.accounts.people import end_tokens
from askpoint.server.accounts.rate_limits import count_attempt, forget_attempts
from askpoint.server.home.sign_in import hashing_slot, refuse
from askpoint.server.journal.services import done_by_others, note

__all__ = ["AccountPage", "ResetPage"]

_WINDOW = timedelta(minutes=15)
_MOST = 10
_LINES = 20
_BUSY = "Many sign in just now. Try again in a moment."


class _AccountForm(PasswordChangeForm):
    """A new password, and whether programs may go on."""

    end_tokens = forms.BooleanField(label="End my API tokens, too", initial=True, required=False)


class AccountPage(PasswordChangeView):
    """Who one is here, and a new password; other browsers are signed out by it."""

    template_name = "home/account.html"
    form_class = _AccountForm
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
            return response
        response.status_code = 422
        return response

    @transaction.atomic
    def form_valid(self, form: _AccountForm) -> HttpResponse:
        """Change it; end what the old one let in."""
        user = self.request.user
        note("password changed", about=user.username)
        ended = end_tokens(user) if form.cleaned_data["end_tokens"] else 0
        words = "Your password is changed; other browsers are signed out."
        if ended:
            words += f" {ended} {'token opens' if ended == 1 else 'tokens open'} nothing any more."
        messages.success(self.request, words)
        answer: HttpResponse = super().form_valid(form)
        return answer

    def get_context_data(self, **named: Any) -> dict[str, Any]:
        """Say what others did to the account."""
        mine = done_by_others(self.request.user.username)
        return {**super().get_context_data(**named), "done": mine[:_LINES]}


class ResetPage(PasswordResetConfirmView):
    """A new password by a link from who runs the server; Django's own check of the link."""

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
        return response

    @transaction.atomic
    def form_valid(self, form: Any) -> HttpResponse:
        """Set it; whoever had the old one has nothing left."""
        note("password changed", about=self.user.username)
        end_tokens(self.user)
        answer: HttpResponse = super().form_valid(form)
        return answer

    def get_context_data(self, **named: Any) -> dict[str, Any]:
        """Say whose password it is."""
        return {**super().get_context_data(**named), "whose": self.user}

    def render_to_response(self, context: dict[str, Any], **named: Any) -> HttpResponse:
        """Say by the status that a link works no more."""
        if not context["validlink"]:
            named["status"] = 410
        return super().render_to_response(context, **named)
