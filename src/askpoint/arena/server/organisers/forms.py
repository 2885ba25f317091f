"""What an organiser fills in, step by step."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import permutations
from typing import Any

from django import forms
from django.db.models import QuerySet

from askpoint.arena.game.designs import DESIGNS
from askpoint.arena.game.pay import Pay, hourly_pay
from askpoint.arena.game.reward import BY_REPEATS, SCHEMES
from askpoint.arena.game.terms import CampaignTerms, Sought
from askpoint.arena.server.campaigns.models import Campaign
from askpoint.arena.server.organisers.items import (
    ItemImages,
    KnownItems,
    parse_items,
    parse_items_file,
)
from askpoint.measures.cost_matrix import CostMatrix
from askpoint.server.accounts.models import User
from askpoint.server.classifiers.models import Classifier

__all__ = ["CampaignForm", "JudgingForm", "TermsForm"]

_IMAGES_KEPT = "Images are brought as a ZIP file below. Here each stands as one line: answer | its SHA-256 | why."
_IMAGES_PACKED = (
    "A ZIP file with the images and items.csv, whose columns are answer, case (the image's name in the "
    "ZIP) and, if you like, why; up to 50 images and 7 MB."
)
_MOST_COSTS = 4  # classes; with more, every mistake costs the same


def _offers() -> list[tuple[str, str]]:
    return [(str(number), design.offer) for number, design in DESIGNS.items() if design.offer]


class CampaignForm(forms.Form):
    """What a campaign looks for, and against which model."""

    kind = forms.ChoiceField(
        label="What people do",
        choices=[
            ("cases", "bring cases that the model gets wrong"),
            ("tags", "propose better labels for items that the model, or a file, has tagged"),
        ],
        required=False,
        initial="cases",
        widget=forms.RadioSelect,
    )
    title = forms.CharField(max_length=100)
    wanted = forms.CharField(
        label="What players should look for, in plain words",
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 4}),
    )
    classifier = forms.ModelChoiceField(label="Model", queryset=Classifier.objects.none())

    def __init__(self, models: QuerySet[Classifier], *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.fields["classifier"].queryset = models
        self.fields["classifier"].label_from_instance = lambda row: row.name
        found = list(self.fields["classifier"].queryset[:2])
        if len(found) == 1:  # nothing to choose
            self.fields["classifier"].empty_label = None
            self.initial.setdefault("classifier", found[0])


class TermsForm(forms.Form):
    """What errors cost, what is paid, and which designs are on."""

    sought = forms.ChoiceField(label="The error to find")
    top = forms.IntegerField(label="Most points for an error", min_value=1, max_value=1_000_000)
    base = forms.IntegerField(label="Points for any judged case", min_value=0, max_value=100_000)
    unsure = forms.IntegerField(
        label="Most points where the model is right but unsure", min_value=0, max_value=100_000
    )
    vote = forms.IntegerField(label="Points for a judge's vote", min_value=0, max_value=100_000)
    hourly = forms.IntegerField(
        label="Cents that an hour of honest work brings at least",
        required=False,
        min_value=0,
        max_value=100_000,
        help_text="If it is given, the points for a judged case and for a vote follow from the "
        "two times below, and the most for an error is at least twice a case.",
    )
    case_seconds = forms.FloatField(
        label="Seconds that a submitted case takes", initial=60, min_value=1, max_value=36_000
    )
    vote_seconds = forms.FloatField(
        label="Seconds that a vote takes", initial=15, min_value=1, max_value=36_000
    )
    designs = forms.MultipleChoiceField(
        label="How the game is played",
        choices=_offers,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    scheme = forms.ChoiceField(
        label="How the reward grows with the machine's certainty",
        choices=[(name, name.replace("-", " ")) for name in SCHEMES if name != "flat"],
    )
    votes = forms.TypedChoiceField(
        label="Judges for a case, before a disagreement calls one more",
        choices=[(n, str(n)) for n in (1, 2, 3)],
        coerce=int,
    )
    tries = forms.IntegerField(
        label="Tries in an hour that one player may make", min_value=1, max_value=100_000
    )
    tries_per_address = forms.IntegerField(
        label="Tries in an hour that one network address may make",
        required=False,
        min_value=1,
        max_value=10_000_000,
        help_text="Empty: as many as all players together, who may sit behind one address.",
    )
    warning = forms.CharField(
        label="A warning about what one may read here",
        max_length=300,
        required=False,
        help_text="Shown before playing and judging, for texts that may hurt.",
    )

    def __init__(
        self, terms: CampaignTerms, warning: str, *args: Any, repeats: bool = False, **named: Any
    ) -> None:
        pay = terms.pay
        initial = {
            "sought": "" if terms.sought is None else json.dumps(terms.sought),
            "top": pay.top,
            "base": pay.base,
            "unsure": pay.unsure,
            "vote": pay.vote,
            "hourly": pay.hourly_floor or None,
            "designs": [str(design) for design in terms.designs],
            "scheme": terms.scheme if terms.scheme != "flat" else SCHEMES[0],
            "votes": terms.protocol.votes,
            "tries": terms.tries_per_hour,
            "tries_per_address": terms.tries_per_address,
            "warning": warning,
        }
        super().__init__(*args, initial=initial, **named)
        self._terms = terms
        scheme = self.fields["scheme"]
        if repeats:
            scheme.help_text = (
                "“Cost times share”: what the mistake costs you, times the share of the model's "
                "answers that make it."
            )
        else:  # a toss of a coin would pay half
            scheme.choices = [choice for choice in scheme.choices if choice[0] != BY_REPEATS]
        pairs = list(permutations(terms.classes, 2))
        self.fields["sought"].required = False
        self.fields["sought"].choices = [
            *(
                (json.dumps([truth, decision]), f"“{truth}” that the model takes for “{decision}”")
                for truth, decision in pairs
            ),
            ("", "any error"),
        ]
        self._costs = {}
        if len(terms.classes) <= _MOST_COSTS:
            for number, (truth, decision) in enumerate(pairs):
                row, column = terms.classes.index(truth), terms.classes.index(decision)
                self._costs[row, column] = f"cost-{number}"
                self.fields[f"cost-{number}"] = forms.FloatField(
                    label=f"What it costs you when “{truth}” is taken for “{decision}”",
                    initial=float(terms.costs.cost[row, column]),
                    min_value=1e-6,
                    max_value=1e9,
                )

    def terms(self) -> CampaignTerms:
        """Return the terms as filled in.

        Raises
        ------
        InputError
            If they contradict each other.
        """
        found = self.cleaned_data
        costs = self._terms.costs
        if self._costs:
            cost = costs.cost.copy()
            for place, name in self._costs.items():
                cost[place] = found[name]
            costs = CostMatrix(costs.classes, cost)
        sought = Sought(*json.loads(found["sought"])) if found["sought"] else None
        follows = {n for n, design in DESIGNS.items() if design.seeks and sought is not None}
        return replace(
            self._terms,
            costs=costs,
            sought=sought,
            designs=follows | set(map(int, found["designs"])),
            scheme=found["scheme"],
            boundary_pay=found["scheme"] == BY_REPEATS,  # half of its answers are wrong, not none
            pay=self._pay(),
            tries_per_hour=found["tries"],
            tries_per_address=found["tries_per_address"],
            protocol=replace(self._terms.protocol, votes=found["votes"]),
        )

    def _pay(self) -> Pay:
        found = self.cleaned_data
        if not found["hourly"]:
            return Pay(found["base"], found["top"], found["vote"], found["unsure"])
        seconds = {
            "seconds_per_case": found["case_seconds"],
            "seconds_per_vote": found["vote_seconds"],
        }
        least = hourly_pay(found["hourly"], **seconds)
        top = max(least.top, found["top"])
        return replace(least, top=top, unsure=min(found["unsure"], top))


class JudgingForm(forms.Form):
    """What judges are told, and items with known answers."""

    guide = forms.CharField(
        label="What judges should go by, in plain words",
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
    )

    reference = forms.CharField(
        label="Everyday texts of other kinds",
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="One per line, 20 or more. These show what resembles earlier finds; without "
        "them only near-duplicates earn less.",
    )
    training = forms.CharField(
        label="Training items",
        required=False,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text="One per line: answer | case | why. Judges see them first, with the answers.",
    )
    training_file = forms.FileField(
        label="Or training items as a file",
        required=False,
        help_text="The same lines, or CSV with the columns answer, case and, if you like, why. They "
        "take the place of those above.",
    )
    gold = forms.CharField(
        label="Gold cases to add",
        required=False,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text="One per line: answer | case. Mixed among the cases, to check the judges; "
        "20 or more make the check work.",
    )
    gold_file = forms.FileField(
        label="Or gold cases as a file",
        required=False,
        help_text="The same lines, or CSV with the columns answer and case. They are added to those "
        "above.",
    )

    def __init__(self, campaign: Campaign, *args: Any, labels: bool = False, **named: Any) -> None:
        super().__init__(*args, **named)
        self._classifier, self._labels = campaign.classifier, labels
        self._images = ItemImages(campaign.pk)
        if campaign.classifier.cases == "image":
            for name in ("training", "gold"):
                self.fields[name].help_text = _IMAGES_KEPT
                self.fields[f"{name}_file"].help_text = _IMAGES_PACKED
        if labels:
            self.fields["gold"].help_text += (
                " An answer may be two labels of any words, as people propose them: "
                "better label > worse label | item."
            )

    def clean_training(self) -> KnownItems:
        """Return the training items."""
        return parse_items(self.cleaned_data["training"], self._classifier, self._images)

    def clean_gold(self) -> KnownItems:
        """Return the gold items."""
        return parse_items(
            self.cleaned_data["gold"], self._classifier, self._images, labels=self._labels
        )

    def clean_training_file(self) -> KnownItems:
        """Return the training items of a file."""
        return parse_items_file(self.cleaned_data["training_file"], self._classifier, self._images)

    def clean_gold_file(self) -> KnownItems:
        """Return the gold items of a file."""
        return parse_items_file(
            self.cleaned_data["gold_file"], self._classifier, self._images, labels=self._labels
        )

    def keep_images(self, user: User) -> None:
        """Keep the images that the files brought."""
        self._images.keep(user)

    def clean(self) -> dict[str, Any]:
        """Put the items of the files where the others are."""
        found: dict[str, Any] = super().clean()
        if found.get("training_file"):
            found["training"] = found["training_file"]
        found["gold"] = [*found.get("gold", []), *found.get("gold_file", [])]
        return found
