"""What an organiser fills in: prices, and a file of items."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django import forms

from askpoint.arena.game.challenge import tag_terms
from askpoint.arena.game.pay import Pay
from askpoint.arena.game.terms import CampaignTerms
from askpoint.arena.server.examinations.samples import ENDINGS, MOST_CASES, MOST_FILE
from askpoint.arena.server.tags.item_lists import read_items
from askpoint.errors import InputError

__all__ = ["ItemsForm", "TagPricesForm"]


class TagPricesForm(forms.Form):
    """What is paid, and how many judge."""

    top = forms.IntegerField(label="Points for a better label", min_value=1, max_value=1_000_000)
    base = forms.IntegerField(
        label="Points for any judged challenge", min_value=0, max_value=100_000
    )
    vote = forms.IntegerField(label="Points for a judge's vote", min_value=0, max_value=100_000)
    votes = forms.TypedChoiceField(
        label="Judges for a challenge, before a disagreement calls one more",
        choices=[(number, str(number)) for number in (1, 2, 3)],
        coerce=int,
    )

    def __init__(self, terms: CampaignTerms, *args: Any, **named: Any) -> None:
        pay = terms.pay
        initial = {
            "top": pay.top,
            "base": pay.base,
            "vote": pay.vote,
            "votes": terms.protocol.votes,
        }
        super().__init__(*args, initial=initial, **named)
        self._kept = terms

    def terms(self) -> CampaignTerms:
        """Return the terms that this makes; training stays as it is."""
        given, kept = self.cleaned_data, self._kept
        pay = Pay(given["base"], given["top"], given["vote"], min(kept.pay.unsure, given["top"]))
        protocol = replace(kept.protocol, votes=given["votes"])
        return tag_terms(pay, protocol, kept.classes)


class ItemsForm(forms.Form):
    """A file of items."""

    file = forms.FileField(
        label="Items",
        widget=forms.FileInput(attrs={"accept": ",".join(ENDINGS)}),
        help_text=f"At most {MOST_FILE // 1_000_000} MB in UTF-8, {MOST_CASES:,} items. CSV with a "
        "header, or JSON lines: columns “item” and “label”. Where the label is empty or left out, "
        "and in plain lines (.txt), the model gives it.",
    )

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.items: list[tuple[str, str]] = []

    def clean_file(self) -> Any:
        """Read the file, or say which line is wrong."""
        file = self.cleaned_data["file"]
        if file.size > MOST_FILE:
            raise forms.ValidationError(f"a file has at most {MOST_FILE:,} bytes; upload a part")
        try:
            self.items = read_items(file.name, file.read())
        except InputError as error:
            raise forms.ValidationError(str(error)) from None
        return file
