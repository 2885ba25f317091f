"""What django-allauth asks this server: whom it lets in, where its mail goes, how its secrets are kept."""

from __future__ import annotations

import logging
import os
import threading
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from askpoint.records.notifications import Notification
from askpoint.records.senders import send_mail
from askpoint.server.accounts.access import address_of
from askpoint.server.workspaces.seals import seal, unseal

__all__ = ["CompanyAdapter", "FactorAdapter", "PersonAdapter", "has_mail", "mail_to"]

_SAID_BY_PAGES = ("logged_in", "logged_out", "password_changed", "totp_", "recovery_codes_")
_CLOSED = "This account is closed: ask the administrator of the server."


def has_mail() -> bool:
    """Tell whether the server sends mail: whether ASKPOINT_SMTP names a server of it."""
    return bool(os.environ.get("ASKPOINT_SMTP"))


def mail_to(address: str, subject: str, text: str) -> None:
    """Send a mail beside the request: nobody waits for it, or learns by waiting that an address is known.

    Mail that cannot be sent is named in the server's log, without its text.
    """
    if has_mail():
        said = Notification(kind="account", subject=subject, text=text)
        threading.Thread(target=_send, args=(address, said)).start()


def _send(address: str, notification: Notification) -> None:
    try:
        send_mail(address, notification)
    except Exception as error:  # noqa: BLE001 - whatever a mail server says
        logging.getLogger(__name__).warning("mail to %r was not sent: %r", address, str(error))


class PersonAdapter(DefaultAccountAdapter):
    """People come in by links; they sign in by their names."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Let nobody in without a link."""
        del request
        return False

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the address that our own proxy names."""
        return address_of(request)

    def is_safe_url(self, url: str) -> bool:
        """Lead to this server only, also where it answers to any name."""
        return url_has_allowed_host_and_scheme(url, {self.request.get_host()})

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """Lead back to the account."""
        del request
        return reverse("account")

    def get_reset_password_from_key_url(self, key: str) -> str:
        """Return the address of a link that sets a new password."""
        whose, _, token = key.partition("-")
        path = reverse("account_reset_password_from_key", args=[whose, token])
        return self.request.build_absolute_uri(path)

    def respond_user_inactive(self, request: HttpRequest, user: Any) -> HttpResponse:
        """Say that an account is closed."""
        del user
        return render(request, "home/refused.html", {"problem": _CLOSED}, status=403)

    def add_message(
        self,
        request: HttpRequest,
        level: int,
        message_template: str | None = None,
        *more: Any,
        **named: Any,
    ) -> None:
        """Say what no page of ours says anyway."""
        name = (message_template or "").rpartition("/")[2]
        if not name.startswith(_SAID_BY_PAGES):
            super().add_message(request, level, message_template, *more, **named)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail by the service's notifier."""
        site = {"name": "askpoint", "domain": self.request.get_host()}
        known = {"request": self.request, "email": email, "current_site": site}
        mail = self.render_mail(template_prefix, email, {**known, **context})
        mail_to(email, str(mail.subject), str(mail.body))


class FactorAdapter(DefaultMFAAdapter):
    """Secrets of second factors are sealed by the server's own secret."""

    def encrypt(self, text: str) -> str:
        """Seal."""
        return seal("", "second factor", text).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Open what was sealed."""
        return unseal("", "second factor", encrypted_text.encode())

    def get_totp_label(self, user: Any) -> str:
        """Return the name by which one signs in."""
        return str(user.username)


class CompanyAdapter(DefaultSocialAccountAdapter):
    """A company's sign-in is joined to an account by its person, signed in; it makes no account."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        """Let nobody in without a link, whatever address a company names."""
        del request, sociallogin
        return False
