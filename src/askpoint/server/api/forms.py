"""The form of a token."""

from __future__ import annotations

from typing import Any

from django import forms

from askpoint.arena.server.campaigns.models import Campaign
from askpoint.server.accounts.models import User
from askpoint.server.api.models import Token
from askpoint.server.api.tokens import LONGEST_DAYS, roles_of
from askpoint.server.deployments.models import Deployment

__all__ = ["TokenForm"]


class TokenForm(forms.Form):
    """What a token is for, and what it opens."""

    label = forms.CharField(label="What it is for", max_length=80)
    role = forms.ChoiceField(label="Acts as")
    scope = forms.ChoiceField(label="May", choices=Token.SCOPES)
    campaign = forms.ChoiceField(label="In", required=False)
    days = forms.IntegerField(
        label="Days until it ends", min_value=1, max_value=LONGEST_DAYS, initial=90
    )

    def __init__(self, user: User, *given: Any) -> None:
        super().__init__(*given)
        mine = (
            Campaign.objects.filter(organiser=user)
            | Campaign.objects.filter(players__user=user)
            | Campaign.objects.filter(judges__user=user)
        )
        titles = mine.distinct().order_by("title").values_list("pk", "title")
        self.fields["role"].choices = [(role, role) for role in roles_of(user)]
        used = Deployment.objects.filter(members__user=user).order_by("title")
        more = used.values_list("pk", "title")
        self.fields["campaign"].choices = [("", "all of that role"), *titles, *more]
