"""The step about people who come: what they read, agree to and are asked before they join."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.rulings.access import for_organiser
from askpoint.server.journal.services import note

__all__ = ["JoiningForm", "receive"]


class JoiningForm(forms.Form):
    """What stands on an invitation, and what is asked there; may be changed at any time."""

    contact = forms.CharField(
        label="Whom to ask",
        max_length=200,
        required=False,
        help_text="A name and a mail address or a number. Stands on the invitation and on each page.",
    )
    takes = forms.CharField(
        label="How long it takes",
        max_length=100,
        required=False,
        help_text="In your words: “20 minutes a day, for a week”. Stands on the invitation.",
    )
    consent = forms.CharField(
        label="What people agree to",
        max_length=5000,
        required=False,
        strip=True,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text="Empty: nothing is asked. Who agreed is kept with the time, the text and its "
        "SHA-256. People who agreed are asked again when the text changes.",
    )
    age = forms.IntegerField(
        label="Least age in years",
        required=False,
        min_value=1,
        max_value=120,
        help_text="Empty: nobody is asked. People give it themselves; it is not checked.",
    )
    veiled = forms.BooleanField(
        label="Cover each case until it is clicked",
        required=False,
        help_text="For texts that hurt. Covered for judges and for you; players see what they typed.",
    )
    most_cases = forms.IntegerField(
        label="Most cases a day for one person",
        required=False,
        min_value=1,
        max_value=100_000,
        help_text="Cases that a judge is given, or a player tries, in 24 hours from the first. "
        "Empty, here and below: no limit.",
    )
    most_minutes = forms.IntegerField(
        label="Most minutes a day for one person", required=False, min_value=1, max_value=1440
    )
    break_after = forms.IntegerField(
        label="Minutes after which a break is due",
        required=False,
        min_value=1,
        max_value=1440,
        help_text="Counted by what people do; a pause as long as the break is a break.",
    )
    break_for = forms.IntegerField(
        label="Minutes that a break takes", required=False, min_value=1, max_value=1440
    )

    def clean(self) -> dict[str, Any]:
        """Check that a break has both its numbers."""
        found: dict[str, Any] = super().clean()
        for one, other in (("break_after", "break_for"), ("break_for", "break_after")):
            if found.get(one) and not found.get(other) and other not in self.errors:
                self.add_error(other, "A break needs both: when it is due, and how long it is.")
        return found


_TOLD = ("age", "veiled", "most_cases", "most_minutes", "break_after", "break_for")


@transaction.atomic
def _keep(campaign: Campaign, given: dict[str, Any]) -> None:
    """Keep what was filled in, and tell in the log what of it is new; texts by their names."""
    changed = [name for name, value in given.items() if getattr(campaign, name) != value]
    if changed:
        Campaign.objects.filter(pk=campaign.pk).update(**given)
        said = {name: given[name] for name in changed if name in _TOLD}
        note("joining changed", campaign=campaign.pk, fields=", ".join(changed), **said)


@for_organiser
def receive(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Fourth step: who comes, and how they are received."""
    initial = {name: getattr(campaign, name) for name in JoiningForm.base_fields}
    form = JoiningForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        _keep(campaign, form.cleaned_data)
        messages.success(request, "Kept.")
        return redirect("budget" if campaign.state == "draft" else "joining", campaign.pk)
    page = {"campaign": campaign, "form": form, "step": 4}
    wrong = request.method == "POST"
    return render(request, "organisers/joining.html", page, status=422 if wrong else 200)
