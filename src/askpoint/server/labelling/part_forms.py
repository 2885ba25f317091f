"""Forms by which an owner gives parts: to an account by its name, or by a link to who may have none yet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.db import transaction

from askpoint.server.accounts.many_links import ManyLinksForm
from askpoint.server.accounts.models import User
from askpoint.server.accounts.services import invite
from askpoint.server.journal.services import note
from askpoint.server.workspaces.models import Owned

__all__ = ["LinkForm", "RoleForm"]

_Parts = Sequence[tuple[str, str]]


class LinkForm(ManyLinksForm):
    """Links for people who may have no account yet."""

    part = forms.ChoiceField(label="Role")
    field_order = ("part", "labels", "file", "days")

    def __init__(self, parts: _Parts, *args: Any) -> None:
        super().__init__(*args)
        self.fields["part"].choices = parts

    @transaction.atomic
    def make(self, row: Owned, made_by: User) -> None:
        """Make the links, by each of which one person gets a part of a classifier or an agent."""
        given = self.cleaned_data
        part, days = given["part"], given["days"]
        for label in given["labels"]:
            invite(row.workspace_id, part, campaign=row.pk, made_by=made_by, note=label, days=days)
        note("links made", campaign=row.pk, role=part, links=len(given["labels"]))


class RoleForm(forms.Form):
    """A part for a person who has an account here already."""

    name = forms.CharField(label="Name of the account", max_length=150)
    role = forms.ChoiceField(label="Role")

    def __init__(self, parts: _Parts, *args: Any) -> None:
        super().__init__(*args)
        self.fields["role"].choices = parts

    def clean_name(self) -> str:
        """Make sure that there is such an account, and that it is open."""
        name = str(self.cleaned_data["name"])
        if not User.objects.filter(username=name, is_active=True).exists():
            raise forms.ValidationError(f"nobody here is called “{name}”: invite them by a link")
        return name

    @property
    def user(self) -> User:
        """Who was named."""
        return User.objects.get(username=self.cleaned_data["name"])
