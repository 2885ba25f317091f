"""What is noted and told of accounts: by django-allauth's signals, and by the journal's lines."""

from __future__ import annotations

import functools
from typing import Any

from django.apps import AppConfig
from django.db import transaction
from django.db.models.signals import post_save

__all__ = ["AccountsConfig"]


class AccountsConfig(AppConfig):
    """People and their seats."""

    name = "askpoint.server.accounts"

    def ready(self) -> None:
        """Listen."""
        from allauth.account import signals as mails
        from allauth.mfa import signals as factors
        from allauth.socialaccount import signals as companies

        from askpoint.server.journal.models import LogLine

        for signal, what in (
            (mails.email_confirmed, "mail address confirmed"),
            (mails.email_removed, "mail address removed"),
            (factors.authenticator_added, "second factor added"),
            (factors.authenticator_removed, "second factor removed"),
            (factors.authenticator_reset, "recovery codes made"),
            (companies.social_account_added, "company sign-in joined"),
            (companies.social_account_removed, "company sign-in removed"),
        ):
            signal.connect(_noting(what), weak=False, dispatch_uid=what)
        post_save.connect(_tell, sender=LogLine, dispatch_uid="tell")


def _noting(what: str) -> Any:
    def note_it(**said: Any) -> None:
        from askpoint.server.journal.services import note

        told_of = ("user", "email_address", "socialaccount", "sociallogin")
        of = next(said[name] for name in told_of if said.get(name) is not None)
        note(what, about=getattr(of, "user", of).username)

    return note_it


def _tell(instance: Any, **_: Any) -> None:
    """Mail what others did to an account to its person's confirmed address; all of it stands on the account's page."""
    from allauth.account.models import EmailAddress

    from askpoint.server.accounts.adapters import has_mail, mail_to
    from askpoint.server.journal.services import VISITOR, is_to_an_account

    if not has_mail() or instance.who == VISITOR or not is_to_an_account(instance):
        return
    said = f"{instance.what.capitalize()}, by {instance.who}, {instance.at:%Y-%m-%d %H:%M} UTC."
    text = (
        f"To your account {instance.about}:\n\n{said}\n\n"
        "Did you not ask for it? Change your password, and tell the administrator of the server."
    )
    rows = EmailAddress.objects.filter(user__username=instance.about, verified=True)
    for address in rows.values_list("email", flat=True):
        transaction.on_commit(functools.partial(mail_to, address, said, text))
