"""What an organiser fills in: the sample, and how to draw from it."""

from __future__ import annotations

import secrets
from typing import Any

from django import forms

from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.examinations.samples import (
    ENDINGS,
    MOST_CASES,
    MOST_FILE,
    read_sample_file,
    read_sample_text,
)
from askpoint.errors import InputError
from askpoint.unknowns.examination import ExaminationDesign
from askpoint.unknowns.examination_names import METHODS

__all__ = ["MOST_DRAWN", "DesignForm", "SampleForm"]

MOST_DRAWN = 2_000
"""Cases of one examination."""

_METHODS = {
    "stratified": "the same number from each bin of estimated cost",
    "neyman": "more where the model expects costs to differ (Neyman)",
    "random": "all alike, at random",
    "uncertainty": "the most uncertain ones; says nothing of the others",
}


class SampleForm(forms.Form):
    """A sample of the stream."""

    sample = forms.CharField(
        required=False, strip=False, widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"})
    )
    file = forms.FileField(
        label="Or a file",
        required=False,
        widget=forms.FileInput(attrs={"accept": ",".join(ENDINGS)}),
    )

    def __init__(self, campaign: Campaign, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._campaign = campaign
        self.cases: list[Any] = []
        rows = campaign.classifier.cases == "row"
        features = ", ".join(feature["name"] for feature in campaign.classifier.features)
        self.fields["sample"].label = "One case a line"
        self.fields["sample"].help_text = (
            f"Rows with {features}: as JSON lines, or as CSV with a header."
            if rows
            else "Each line is a text, up to 5,000 characters. For texts of several lines bring a "
            "file."
        )
        self.fields["file"].help_text = (
            f"At most {MOST_FILE // 1_000_000} MB in UTF-8, {MOST_CASES:,} cases. "
            + (
                f"CSV with a header that has {features}, or JSON lines with them; other columns "
                "are left out."
                if rows
                else "Plain lines (.txt), CSV with a header and a column “text”, or JSON lines: each a "
                "text, or an object with “text”."
            )
        )

    def clean(self) -> dict[str, Any]:
        """Read the cases."""
        given = super().clean()
        file, text = given.get("file"), given.get("sample") or ""
        if self.errors:
            return given
        if file is not None and text.strip():
            self.add_error(None, "upload a file or type lines, not both")
            return given
        try:
            if file is not None:
                name, content = file.name or "", file.read(MOST_FILE + 1)
                self.cases = read_sample_file(self._campaign, name, content)
            else:
                self.cases = read_sample_text(self._campaign, text)
        except InputError as error:
            hint = "" if file is None else " (then choose the file again)"
            self.add_error("sample" if file is None else "file", f"{error}{hint}")
        return given


class DesignForm(forms.Form):
    """How to draw."""

    method = forms.ChoiceField(
        label="How to draw", choices=[(name, f"{name}: {_METHODS[name]}") for name in METHODS]
    )
    n = forms.IntegerField(label="Cases to judge", min_value=1, max_value=MOST_DRAWN)
    n_bins = forms.IntegerField(
        label="Bins of estimated cost",
        min_value=1,
        max_value=50,
        help_text="Of equal width. A bin that holds less than its share comes whole; nothing is "
        "drawn elsewhere in its place.",
    )
    seed = forms.IntegerField(
        min_value=0,
        max_value=2**53,
        help_text="Where the random numbers start; the same seed draws the same cases.",
    )

    def __init__(self, n_cases: int, data: Any = None) -> None:
        n = min(500, n_cases)
        initial = {
            "method": METHODS[0],
            "n": n,
            "n_bins": min(10, n),
            "seed": secrets.randbelow(10**6),
        }
        super().__init__({**initial, **{key: data[key] for key in initial if key in data}})

    def design(self) -> ExaminationDesign:
        """Return the design as filled in.

        Raises
        ------
        InputError
            If it contradicts itself.
        """
        found = self.cleaned_data
        return ExaminationDesign(found["method"], found["n"], found["n_bins"])
