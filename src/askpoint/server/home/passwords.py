"""One's account: a new password by the old one or by a link that works once, and what others did to it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from allauth.account.forms import ChangePasswordForm, ResetPasswordForm
from allauth.account.models import EmailAddress
from allauth.account.views import PasswordChangeView, PasswordResetFromKeyView, PasswordResetView
from allauth.socialaccount.models import SocialAccount
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator

from askpoint.server.accounts.access import address_of
from askpoint.server.accounts.adapters import has_mail
from askpoint.server.accounts.companies import known_companies
from askpoint.server.accounts.models import User
from askpoint.server.accounts.people import end_tokens
from askpoint.server.accounts.rate_limits import count_attempt, forget_attempts
from askpoint.server.accounts.second_factor import has_factor, needs_factor
from askpoint.server.home.sign_in import BUSY, TOO_OFTEN, hashing_slot, refuse
from askpoint.server.journal.services import list_acts_of_others, note

__all__ = ["AccountForm", "AccountPage", "ForgottenForm", "ForgottenPage", "ResetPage"]

_WINDOW = timedelta(minutes=15)
_MOST = 10
_LINES = 20


class AccountForm(ChangePasswordForm):
    """A new password, and whether programs may go on."""

    end_tokens = forms.BooleanField(label="End my API tokens, too", initial=True, required=False)


@method_decorator(login_required, name="dispatch")
class AccountPage(PasswordChangeView):
    """Who one is here, and a new password; other browsers are signed out by it."""

    template_name = "home/account.html"
    form_class = AccountForm

    def dispatch(self, request: HttpRequest, *args: Any, **named: Any) -> Any:
        """Show the page to those without a password, too."""
        return super(PasswordChangeView, self).dispatch(request, *args, **named)

    def post(self, request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
        """Change the password, unless the old one was guessed at too often."""
        if not count_attempt(_WINDOW, _MOST, "password", str(request.user.pk)):
            return refuse(request, TOO_OFTEN, int(_WINDOW.total_seconds()))
        with hashing_slot() as held:
            if not held:
                return refuse(request, BUSY, 5)
            response: HttpResponse = super().post(request, *args, **named)
        if response.status_code == 302:
            forget_attempts("password", str(request.user.pk))
            return response
        response.status_code = 422
        return response

    @transaction.atomic
    def form_valid(self, form: AccountForm) -> HttpResponse:
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
        user: Any = self.request.user
        page = {
            "done": list_acts_of_others(user.username)[:_LINES],
            "factor": has_factor(user),
            "factor_needed": needs_factor(user),
            "companies": known_companies(),
            "joined": SocialAccount.objects.filter(user=user),
            "has_mail": has_mail(),
            "mail": EmailAddress.objects.filter(user=user, verified=True).first(),
        }
        return {**super().get_context_data(**named), **page}


class ForgottenForm(ResetPasswordForm):
    """An address; a link goes to it only if its person had confirmed it."""

    users: list[User]

    def clean_email(self) -> str:
        """Find whose it is."""
        email = str(super().clean_email())
        mine = EmailAddress.objects.filter(email__iexact=email, verified=True, user__is_active=True)
        self.users = [row.user for row in mine.select_related("user")]
        return email


class ForgottenPage(PasswordResetView):
    """A link for a new password, by mail to the address that its person had confirmed."""

    template_name = "home/forgotten.html"
    form_class = ForgottenForm

    def dispatch(self, request: HttpRequest, *args: Any, **named: Any) -> Any:
        """Be there where the server sends mail."""
        if not has_mail():
            raise Http404
        return super().dispatch(request, *args, **named)

    def form_valid(self, form: ForgottenForm) -> HttpResponse:
        """Send it, and say the same whether there is such a person or not."""
        email = form.cleaned_data["email"].lower()
        tries = ((3, ("forgotten", email)), (_MOST, ("forgotten from", address_of(self.request))))
        if not all(count_attempt(_WINDOW, most, *parts) for most, parts in tries):
            return refuse(
                self.request,
                "Too many links were asked for. Try again in a quarter of an hour.",
                900,
            )
        for user in form.users:
            note("password link", about=user.username)
        answer: HttpResponse = super().form_valid(form)
        return answer


class ResetPage(PasswordResetFromKeyView):
    """A new password by a link from who runs the server, or by mail; a second factor is asked for all the same."""

    template_name = "home/reset.html"
    success_url = reverse_lazy("home")

    def post(self, request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
        """Set the password."""
        with hashing_slot() as held:
            if not held:
                return refuse(request, BUSY, 5)
            response: HttpResponse = super().post(request, *args, **named)
        if response.status_code != 302:
            response.status_code = 422
        return response

    @transaction.atomic
    def form_valid(self, form: Any) -> HttpResponse:
        """Set it; whoever had the old one has nothing left."""
        note("password changed", about=self.reset_user.username)
        end_tokens(self.reset_user)
        answer: HttpResponse = super().form_valid(form)
        return answer

    def render_to_response(self, context: dict[str, Any], **named: Any) -> HttpResponse:
        """Say whose password it is, and by the status that a link no longer works."""
        if context.get("token_fail"):
            named["status"] = 410
        return super().render_to_response({**context, "whose": self.reset_user}, **named)
