"""What an organiser says of new links: for whom, for how many, until when."""

from __future__ import annotations

from typing import Any

from django import forms

from askpoint.server.accounts.many_links import ManyLinksForm
from askpoint.server.accounts.models import Invitation

__all__ = ["InviteForm"]


class InviteForm(ManyLinksForm):
    """One link or many, each for one person or for a room of them."""

    role = forms.ChoiceField(choices=Invitation.ROLES, widget=forms.HiddenInput)
    places = forms.IntegerField(
        label="People who may come by one link",
        initial=1,
        min_value=1,
        max_value=1000,
        required=False,
        help_text="More than 1 makes a room: one link for many.",
    )
    field_order = ("role", "labels", "file", "places", "days")

    def clean_places(self) -> int:
        """Return how many places; one, unless it is said."""
        return self.cleaned_data["places"] or 1

    def clean(self) -> dict[str, Any]:
        """Make sure that who sees everything comes alone."""
        found = super().clean()
        if found.get("role") in ("organiser", "watcher") and found.get("places", 1) > 1:
            self.add_error("places", "An organiser or a watcher comes by a link of their own: 1.")
        return found
