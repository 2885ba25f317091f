"""The form of a token."""

from __future__ import annotations

from typing import Any

from django import forms

from askpoint.server.accounts.models import User
from askpoint.server.api.models import Token
from askpoint.server.api.roles import list_roles, token_roles
from askpoint.server.api.tokens import LONGEST_DAYS

__all__ = ["TokenForm"]


class TokenForm(forms.Form):
    """What a token is for, and what it opens."""

    label = forms.CharField(label="What it is for", max_length=80)
    role = forms.ChoiceField(label="Acts as")
    scope = forms.ChoiceField(label="May", choices=Token.SCOPES)
    resource = forms.ChoiceField(label="In", required=False)
    days = forms.IntegerField(
        label="Days until it ends", min_value=1, max_value=LONGEST_DAYS, initial=90
    )

    def __init__(self, user: User, *given: Any) -> None:
        super().__init__(*given)
        self.fields["role"].choices = [(role, role) for role in list_roles(user)]
        titles = {
            name: title for role in token_roles().values() for name, title in role.resources(user)
        }
        self.fields["resource"].choices = [("", "all of that role"), *titles.items()]
