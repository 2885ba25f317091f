"""What an owner fills in for reviewers to go by."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db import transaction

from askpoint.labelling.case import GOLD
from askpoint.labelling.guideline import (
    LONGEST_RULE,
    MOST_EXAMPLES,
    LabelRule,
    check_guideline,
)
from askpoint.server.clock import moment
from askpoint.server.deployments.cases import cases_of, queue_of
from askpoint.server.deployments.models import Deployment
from askpoint.server.deployments.policies import lock_deployment
from askpoint.server.deployments.queue import classes_of
from askpoint.server.journal.services import note
from askpoint.server.labelling.guidelines import ShownGuideline, add_version

__all__ = ["GuidelineForm"]


class GuidelineForm(forms.Form):
    """A rule and examples for each label, and what holds for all."""

    seen = forms.IntegerField(widget=forms.HiddenInput)
    general = forms.CharField(
        label="For all labels",
        required=False,
        max_length=LONGEST_RULE,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Such as: judge what is meant, not single words.",
    )

    def __init__(self, row: Deployment, stands: ShownGuideline | None, *args: Any) -> None:
        self.row = row
        self.labels = classes_of(row) if row.adopted else []
        now: dict[str, Any] = {"seen": 0 if stands is None else stands.number}
        rules: dict[str, LabelRule] = {}
        if stands is not None:
            now["general"] = stands.text.general
            rules = {rule.label: rule for rule in stands.text.rules}
        self.labels += [label for label in rules if label not in self.labels]
        super().__init__(*args, initial=now)
        for place, label in enumerate(self.labels):
            rule = rules.get(label, LabelRule(label, "", ()))
            self.fields[f"rule_{place}"] = forms.CharField(
                label=f"When “{label}” fits",
                required=False,
                max_length=LONGEST_RULE,
                initial=rule.rule,
                widget=forms.Textarea(attrs={"rows": 2}),
            )
            self.fields[f"examples_{place}"] = forms.CharField(
                label=f"Examples of “{label}”",
                required=False,
                initial="\n".join(rule.examples),
                widget=forms.Textarea(attrs={"rows": 2}),
                help_text=f"One per line, at most {MOST_EXAMPLES}.",
            )

    def keep(self, who: str) -> int:
        """Keep it as a new version; its number.

        Raises
        ------
        InputError
            As `check_guideline`.
        RuleError
            As `add_version`.
        """
        given = self.cleaned_data
        rules = [
            LabelRule(label, given[f"rule_{i}"], tuple(given[f"examples_{i}"].splitlines()))
            for i, label in enumerate(self.labels)
        ]
        with transaction.atomic():
            row = lock_deployment(self.row.pk)
            contents = cases_of(row).filter(purpose=GOLD).values_list("content", flat=True)
            gold = {it.strip() for it in contents if isinstance(it, str)}
            text = check_guideline(given["general"], rules, gold)
            number = add_version(queue_of(row.pk), who, text, given["seen"], moment(row))
            note("guideline written", campaign=row.pk, about=f"version {number}")
        return number
