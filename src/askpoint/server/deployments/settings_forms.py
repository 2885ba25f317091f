"""Forms of settings: they change what they send, and keep what they do not show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.html import format_html
from django.utils.safestring import SafeString

from askpoint.server.deployments.classifier_settings import change_settings, settings_of
from askpoint.server.deployments.models import Deployment

__all__ = ["SentCheckbox", "SettingsFields", "SettingsForm"]


class SentCheckbox(forms.CheckboxInput):
    """A box that is sent when it is empty, too, and so is not taken for one that was not on the page."""

    def render(self, name: str, *args: Any, **kwargs: Any) -> SafeString:
        """Write it after a hidden field of its name: of two the last one holds."""
        empty = format_html('<input type="hidden" name="{}" value="">', name)
        return empty + super().render(name, *args, **kwargs)


class SettingsFields(forms.Form):
    """Fields of which the form that was sent may lack some: they stay as they are."""

    def __init__(self, posted: QueryDict | None, now: Mapping[str, Any]) -> None:
        self.posted = frozenset[str]() if posted is None else frozenset(posted)
        super().__init__(None if posted is None else {**now, **posted.dict()}, initial=now)

    def read_sent(self) -> dict[str, Any]:
        """Return what was sent, by the names of settings."""
        return {name: it for name, it in self.cleaned_data.items() if name in self.posted}


_SECTIONS = {
    "Prices and people": ("mistake", "unit", "hour", "capacity"),
    "Contents": ("viewers_read", "keep_days"),
    "Name and versions": ("title", "renews"),
}


class SettingsForm(SettingsFields):
    """Name, money, and what happens after the planned decisions."""

    title = forms.CharField(
        label="Name", max_length=100, help_text="Addresses and programs go on as before."
    )

    mistake = forms.FloatField(
        label="What a mistake costs",
        required=False,
        min_value=1e-6,
        max_value=1e12,
        help_text="Costs on the page are then in money. Without it they are in mistakes.",
    )
    unit = forms.CharField(
        label="In which unit", required=False, max_length=20, help_text="EUR or minutes."
    )
    hour = forms.FloatField(
        label="What an hour of review costs",
        required=False,
        min_value=1e-6,
        max_value=1e9,
        help_text="In the same unit. The overview then says what the waiting cases cost.",
    )
    capacity = forms.IntegerField(
        label="Cases that reviewers can label a day",
        required=False,
        min_value=1,
        max_value=10**7,
        help_text="Home and overview compare the queue with it.",
    )
    renews = forms.BooleanField(
        label="Activate the proposed version automatically after the planned decisions",
        required=False,
        widget=SentCheckbox,
        help_text="Chosen from the newest cases, on the same terms. Without it an owner activates it.",
    )

    keep_days = forms.IntegerField(
        label="Delete contents after, in days",
        required=False,
        min_value=1,
        max_value=36_500,
        help_text="Contents still waiting for a label go, too. Decision records and labels stay. Empty keeps contents.",
    )

    viewers_read = forms.BooleanField(
        label="Viewers may read cases",
        required=False,
        widget=SentCheckbox,
        help_text="Without it they see numbers and the names of regions. Activity says who read how many cases.",
    )

    def __init__(self, row: Deployment, posted: QueryDict | None = None) -> None:
        now = asdict(settings_of(row))
        super().__init__(posted, {name: now[name] for name in self.base_fields})
        self.row = row

    def clean(self) -> dict[str, Any]:
        """Make sure that they go together."""
        given: dict[str, Any] = super().clean() or {}
        if not self.errors:
            for name, problem in replace(settings_of(self.row), **given).problems():
                self.add_error(name or None, problem)
        return given

    def list_sections(self) -> list[tuple[str, list[forms.BoundField]]]:
        """Return the fields as the page has them, under their headings."""
        return [(name, [self[one] for one in fields]) for name, fields in _SECTIONS.items()]

    def keep(self) -> None:
        """Keep what was sent.

        Raises
        ------
        InputError
            If another owner changed what it must go with.
        """
        change_settings(self.row.pk, **self.read_sent())
