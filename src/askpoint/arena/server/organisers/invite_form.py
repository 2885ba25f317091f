"""What an organiser says of new links: for whom, for how many, until when."""

from __future__ import annotations

import csv
import io
from typing import Any

from django import forms

from askpoint.server.accounts.models import Invitation
from askpoint.server.accounts.services import VALID_DAYS

__all__ = ["InviteForm"]

_MOST_LINKS = 500
_LONGEST = 200
_MOST_BYTES = 200_000


class InviteForm(forms.Form):
    """One link or many, each for one person or for a room of them."""

    role = forms.ChoiceField(choices=Invitation.ROLES, widget=forms.HiddenInput)
    labels = forms.CharField(
        label="For whom? A line makes a link",
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="For yourself: names, mail addresses, numbers. Empty makes one link.",
    )
    file = forms.FileField(
        label="Or bring the lines as a file",
        required=False,
        help_text="CSV with the column label, or one label a line; up to 500.",
    )
    places = forms.IntegerField(
        label="People who may come by one link",
        initial=1,
        min_value=1,
        max_value=1000,
        required=False,
        help_text="More than 1 makes a room: one link for many.",
    )
    days = forms.IntegerField(
        label="Days until it ends", initial=VALID_DAYS, min_value=1, max_value=365, required=False
    )

    def clean_places(self) -> int:
        """Return how many places; one, unless it is said."""
        return self.cleaned_data["places"] or 1

    def clean_days(self) -> int:
        """Return how many days."""
        return self.cleaned_data["days"] or VALID_DAYS

    def clean_file(self) -> list[str]:
        """Return the labels of a file."""
        file: Any = self.cleaned_data["file"]
        if file is None:
            return []
        if file.size > _MOST_BYTES:
            raise forms.ValidationError(f"The file has more than {_MOST_BYTES:,} bytes.")
        try:
            text = file.read().decode("utf-8-sig")
            rows = [row for row in csv.reader(io.StringIO(text, newline="")) if any(row)]
        except (UnicodeDecodeError, csv.Error):
            raise forms.ValidationError("The file is no text in UTF-8, or no CSV.") from None
        if "\0" in text:
            raise forms.ValidationError("The file holds characters that no text has.")
        head = [cell.strip().lower() for cell in rows[0]] if rows else []
        place = head.index("label") if "label" in head else 0
        labels = [row[place].strip() for row in rows[bool("label" in head) :] if len(row) > place]
        return [label.removeprefix("'") for label in labels if label]

    def clean(self) -> dict[str, Any]:
        """Return the labels, wherever they stand."""
        found: dict[str, Any] = super().clean()
        typed = [line.strip() for line in found.get("labels", "").splitlines() if line.strip()]
        labels = [*typed, *found.get("file", [])]
        if len(labels) > _MOST_LINKS:
            self.add_error(
                "labels", f"{len(labels):,} links at once; make {_MOST_LINKS} or fewer at a time."
            )
        longest = max(labels, key=len, default="")
        if len(longest) > _LONGEST:
            self.add_error(
                "labels", f"A label has at most {_LONGEST} characters; got {longest[:40]!r}…"
            )
        if found.get("role") in ("organiser", "watcher") and found.get("places", 1) > 1:
            self.add_error("places", "An organiser or a watcher comes by a link of their own: 1.")
        found["labels"] = labels or [""]
        return found
