"""The page of webhooks of an organiser or an owner: endpoints, and what became of each delivery."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Case, Q, Value, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from askpoint.server.accounts.second_factor import with_fresh_factor
from askpoint.server.form_pages import explain_refusal_on
from askpoint.server.home.access import for_who_owns
from askpoint.server.webhooks.delivery import secret_of, send_test
from askpoint.server.webhooks.models import Delivery, Endpoint
from askpoint.server.webhooks.services import (
    EVENTS,
    INSTANCE,
    PRIVATE,
    known_ways,
    make_endpoint,
    remove_endpoint,
    send_again,
)

__all__ = ["EndpointForm", "webhooks"]

_SHOWN = 50
_ON_ITS_WAY = Q(endpoint__notifier=INSTANCE) & ~Q(state="failed")  # one for each request
_FAILED_FIRST = Case(When(state="failed", then=Value(0)), default=Value(1))


class EndpointForm(forms.Form):
    """Where events are told, and which."""

    notifier = forms.ChoiceField(label="By", required=False)
    url = forms.CharField(max_length=500)
    events = forms.MultipleChoiceField(
        label="Notify it when",
        choices=list(EVENTS.items()),
        initial=[name for name in EVENTS if name not in PRIVATE],
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        known = known_ways()
        self.fields["notifier"].choices = [(name, it.title) for name, it in known.items()]
        looks = dict.fromkeys(one.address for one in known.values())
        self.fields["url"].label = f"Address, {' or '.join(looks)}"

    def clean_notifier(self) -> str:
        """Return the first way where none was chosen."""
        return str(self.cleaned_data["notifier"] or next(iter(known_ways())))


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 10 else 0


@for_who_owns
@with_fresh_factor
def webhooks(request: HttpRequest) -> HttpResponse:
    """Show endpoints and deliveries; add one, remove one, send again."""
    where = request.workspace.pk
    secret, action = "", request.POST.get("action", "")
    form = EndpointForm(request.POST if action == "add" else None)
    if action == "add" and form.is_valid():
        with explain_refusal_on(form, "url"):
            made = make_endpoint(where, request.user, **form.cleaned_data)
            secret = secret_of(made) if made.notifier == "webhook" else ""
            if not secret:
                messages.success(
                    request, "It gets notifications from now. Send a test to see one arrive."
                )
                return redirect("webhooks")
            form = EndpointForm()
    elif action in ("remove", "again", "test"):
        key = _number(request.POST.get("key", ""))
        if action == "test":
            tested = send_test(where, request.user, key)
            if tested is not None and tested.state == "delivered":
                messages.success(request, f"The test arrived: answered with {tested.status}.")
            elif tested is not None:
                messages.error(request, f"The test did not arrive: {tested.said}.")
        elif action == "remove":
            remove_endpoint(where, request.user, key)
        elif send_again(where, request.user, key):
            messages.success(request, "It is on its way again.")
        return redirect("webhooks")
    rows = Delivery.within(where).filter(endpoint__owner=request.user).select_related("endpoint")
    mine = Endpoint.within(where).filter(owner=request.user, active=True)
    page = {
        "form": form,
        "secret": secret,
        "endpoints": mine.exclude(notifier=INSTANCE).order_by("pk"),
        # first those that wait for a decision
        "deliveries": rows.exclude(_ON_ITS_WAY).order_by(_FAILED_FIRST, "-pk")[:_SHOWN],
    }
    wrong = request.method == "POST" and not secret
    return render(request, "home/webhooks.html", page, status=422 if wrong else 200)
