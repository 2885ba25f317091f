"""Links for many people at once: the lines of a form or a file, and a file of those that wait."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

from django import forms
from django.http import HttpRequest, StreamingHttpResponse
from django.urls import reverse

from askpoint.server.accounts.models import Invitation
from askpoint.server.accounts.services import VALID_DAYS, token_of, waiting
from askpoint.server.spreadsheets import to_csv

__all__ = ["ManyLinksForm", "link_of", "send_links"]

_MOST_LINKS = 500
_LONGEST = 200
_MOST_BYTES = 200_000
_COLUMNS = ("label", "role", "places", "taken", "until", "link")


class ManyLinksForm(forms.Form):
    """One link or many, each with a line of its own."""

    labels = forms.CharField(
        label="For whom? One line per link",
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="For yourself: names, mail addresses, numbers. Empty makes one link.",
    )
    file = forms.FileField(
        label="Or upload the lines as a file",
        required=False,
        help_text="CSV with the column label, or one label per line; up to 500.",
    )
    days = forms.IntegerField(
        label="Days until it ends", initial=VALID_DAYS, min_value=1, max_value=365, required=False
    )

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
            raise forms.ValidationError("The file is not UTF-8 text, or not CSV.") from None
        if "\0" in text:
            raise forms.ValidationError("The file holds characters that no text has.")
        head = [cell.strip().lower() for cell in rows[0]] if rows else []
        place = head.index("label") if "label" in head else 0
        labels = [row[place].strip() for row in rows[bool("label" in head) :] if len(row) > place]
        return [label.removeprefix("'") for label in labels if label]

    def clean(self) -> dict[str, Any]:
        """Return the labels, wherever they stand."""
        found: dict[str, Any] = super().clean() or {}
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
        found["labels"] = labels or [""]
        return found


def link_of(request: HttpRequest, row: Invitation) -> str:
    """Return the address by which somebody comes in."""
    return request.build_absolute_uri(reverse("invitation", args=[token_of(row)]))


def send_links(request: HttpRequest, campaign: str) -> StreamingHttpResponse:
    """Send all links that wait, with their labels, as CSV: what is made in bulk is mailed from it."""

    def rows() -> Iterator[dict[str, Any]]:
        for row in waiting(campaign):
            yield {
                "label": row.note,
                "role": row.role,
                "places": row.places,
                "taken": row.taken,
                "until": row.expires.isoformat(timespec="minutes"),
                "link": link_of(request, row),
            }

    response = StreamingHttpResponse(
        to_csv(_COLUMNS, rows()), content_type="text/csv; charset=utf-8"
    )
    response["Content-Disposition"] = f'attachment; filename="links-{campaign}.csv"'
    return response
