"""The step about people who come: what they read, agree to and are asked before they join."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from askpoint.server.campaigns.models import Campaign
from askpoint.server.rulings.access import for_organiser

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
        "SHA-256. Whoever is in already is asked again when the text changes.",
    )
    age = forms.IntegerField(
        label="Least age in years",
        required=False,
        min_value=1,
        max_value=120,
        help_text="Empty: nobody is asked. People state it; nobody checks it.",
    )


@for_organiser
def receive(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Fourth step: who comes, and how they are received."""
    initial = {name: getattr(campaign, name) for name in JoiningForm.base_fields}
    form = JoiningForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        Campaign.objects.filter(pk=campaign.pk).update(**form.cleaned_data)
        messages.success(request, "Kept.")
        return redirect("budget" if campaign.state == "draft" else "joining", campaign.pk)
    page = {"campaign": campaign, "form": form, "step": 4}
    wrong = request.method == "POST"
    return render(request, "organisers/joining.html", page, status=422 if wrong else 200)
