"""Forms for policies, roles and the review queue."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, ClassVar, Protocol

from django import forms
from django.db import transaction

from askpoint.errors import InputError
from askpoint.measures.confidence_measures import CONFIDENCE_MEASURES
from askpoint.server.accounts.models import User
from askpoint.server.deployments.agreed_gold import make_agreed_gold
from askpoint.server.deployments.classifier_settings import change_settings
from askpoint.server.deployments.folded_forms import Fold
from askpoint.server.deployments.load_forms import LOAD, LOG, WORK, LogFields
from askpoint.server.deployments.models import Deployment, Policy
from askpoint.server.deployments.policies import (
    adopt,
    make_deployment,
    make_opened,
    opens_here,
    preview_document,
    preview_opened,
    propose_document,
    propose_opened,
    refuse_same_title,
)
from askpoint.server.deployments.policy_forms import (
    AUDITS,
    ERRORS,
    REASON,
    TERMS,
    TermsFields,
    version_text,
)
from askpoint.server.deployments.queue import add_gold
from askpoint.server.deployments.settings_forms import SettingsFields
from askpoint.server.labelling.services import LONGEST_HOLD
from askpoint.server.logs.opening import Opens
from askpoint.server.logs.running import LOG_ENDINGS, MOST_FILE, open_from

__all__ = [
    "PARTS",
    "ClassifierForm",
    "OpeningForm",
    "PolicyForm",
    "RolloutForm",
    "VersionsForm",
    "WorkForm",
]


def _no_log_text(form: forms.Form) -> str:
    return f"Classes: {form['classes'].value() or 'none named'}. Every case goes to review first."


def _model_text(form: forms.Form) -> str:
    measure = str(form["measure"].value()).replace("_", " ")
    return f"{version_text(form)} Confidence is the {measure}."


class PolicyForm(LogFields, TermsFields):
    """A version of the policy: from a log, from a policy.json, or from nothing."""

    first: ClassVar[tuple[str, ...]] = ("why", "file")
    folds: ClassVar[tuple[Fold, ...]] = (
        WORK,
        AUDITS,
        LOG,
        Fold("Without a log", ("classes",), _no_log_text),
        Fold("The model", ("version", "measure"), _model_text),
        ERRORS,
    )

    file = forms.FileField(
        label="Prediction log or policy.json",
        required=False,
        help_text=f"The log: CSV, Parquet or JSON lines up to {MOST_FILE / 1e6:g} MB, oldest first, with the "
        "columns label and probabilities (proba_fine, proba_hate), or prediction and confidence. A larger one "
        "goes to Report on a log, from where it is deployed. Without a file, every case goes to review "
        "first.",
        widget=forms.ClearableFileInput(
            # what was chosen stays while the preview comes
            attrs={"accept": ",".join((*LOG_ENDINGS, ".json")), "hx-preserve": "true"}
        ),
    )
    classes = forms.CharField(
        required=False,
        max_length=1000,
        help_text="With commas: fine, hate. Needed without a log.",
    )
    measure = forms.ChoiceField(
        label="Confidence is",
        required=False,
        choices=[(name, name.replace("_", " ")) for name in CONFIDENCE_MEASURES],
        initial="max_probability",
    )
    field_order: tuple[str, ...] = (
        "file",
        "random",
        "by",
        "classes",
        "aim",
        *LOAD,
        *TERMS,
        "measure",
        "why",
    )

    def keep(self, deployment: str, who: User) -> Policy:
        """Propose the version as filled in.

        Raises
        ------
        AskpointError
            As `askpoint deploy` does.
        """
        given = self.cleaned_data
        text = self._policy()
        if text is not None:
            return propose_document(deployment, who, given["why"], text)
        opens, question = self._opens(), self.question()
        return propose_opened(deployment, who.username, given["why"], opens, question)

    def _policy(self) -> str | None:
        """Return the policy.json that was brought, if it was one."""
        file = self.cleaned_data["file"]
        if file is None or not file.name.lower().endswith(".json"):
            return None
        if file.size > MOST_FILE:
            raise InputError(
                f"a policy.json has at most {MOST_FILE:,} bytes, and {file.name[-80:]} has {file.size:,}"
            )
        file.seek(0)
        return str(file.read().decode("utf-8", "replace"))

    def _opens(self) -> Opens:
        """Return what chooses the policy: from the log that was brought, or from nothing."""
        given = self.cleaned_data
        classes = _names(given["classes"])
        model = {"name": "", "version": given["version"].strip(), "classes": classes}
        model["measure"] = given["measure"] or "max_probability"
        by = given["by"].strip() or None
        if given["file"] is not None:
            return open_from(
                given["file"],
                classes,
                model,
                kept=False,
                random=given["random"],
                asked=replace(self.read_question(), by=by or ""),
            )
        if by is not None:
            raise InputError("groups are learned from the labels of a log: upload one")
        if classes is None or len(classes) < 2:
            raise InputError(
                "without a log the policy knows no classes: name them, with commas, at least two"
            )
        asked = self.read_question()
        return opens_here(None, model, labels_are_random=given["random"], asked=asked)


def _names(text: str) -> list[str] | None:
    return [name.strip() for name in text.split(",") if name.strip()] or None


class OpeningForm(Protocol):
    """A form that opens a classifier with its first policy."""

    cleaned_data: dict[str, Any]

    def is_valid(self) -> bool:
        """Tell whether it was filled in."""

    def add_error(self, field: str | None, error: str) -> None:
        """Say on it why it was refused."""

    def preview(self) -> list[dict[str, Any]]:
        """Return what the policy would do; nothing is made."""

    def make(self, workspace: str, owner: User, *, in_shadow: bool = False) -> Deployment:
        """Make the classifier."""


class ClassifierForm(PolicyForm):
    """A classifier, and its first policy."""

    title = forms.CharField(label="Name of the classifier", max_length=100)
    field_order = ("title", *PolicyForm.field_order)
    first: ClassVar[tuple[str, ...]] = ("title", "file")
    folds: ClassVar[tuple[Fold, ...]] = (*PolicyForm.folds, REASON)

    def preview(self) -> list[dict[str, Any]]:
        """Return what the first policy would do, in words; nothing is made.

        Raises
        ------
        AskpointError
            As `askpoint deploy` does.
        """
        text = self._policy()
        if text is not None:
            return preview_document(text)
        return preview_opened(self._opens(), self.question())

    def make(self, workspace: str, owner: User, *, in_shadow: bool = False) -> Deployment:
        """Make the classifier and propose its first policy, or neither; `in_shadow`, put it into use there.

        Raises
        ------
        AskpointError
            As `askpoint deploy` does.
        """
        given, text = self.cleaned_data, self._policy()
        title, why = given["title"], given["why"]
        if text is None:
            opens, question = self._opens(), self.question()
            row = make_opened(workspace, owner, title, why, opens, question, in_shadow=in_shadow)
            self.keep_stated(row)
            return row
        with transaction.atomic():
            refuse_same_title(workspace, owner, title)
            row = make_deployment(workspace, owner, title)
            propose_document(row.pk, owner, why, text)
            if in_shadow:
                adopt(row.pk, owner, 1, 0)
        return row


class VersionsForm(forms.Form):
    """Choose two versions to compare."""

    first = forms.ModelChoiceField(Policy.objects.none(), label="Version", to_field_name="number")
    second = forms.ModelChoiceField(
        Policy.objects.none(), label="with version", to_field_name="number"
    )

    def __init__(self, row: Deployment, *args: Any) -> None:
        super().__init__(*args)
        used = row.policies.exclude(adopted=None).order_by("-number")
        for field in self.fields.values():
            field.queryset = used
            field.label_from_instance = lambda one: f"{one.number}: {one.why[:60]}"

    def clean(self) -> dict[str, Any]:
        """Make sure that there are two."""
        given: dict[str, Any] = super().clean() or {}
        if "first" in given and given["first"] == given.get("second"):
            raise forms.ValidationError("choose two versions")
        return given


class RolloutForm(forms.Form):
    """For how much of the traffic it decides."""

    mode = forms.ChoiceField(label="It decides", choices=Deployment.MODES)
    rollout = forms.FloatField(
        label="Rollout, in percent of the cases", min_value=0.1, max_value=99.9, required=False
    )


PARTS = [
    ("reviewer", "Reviewer: labels cases without seeing the model's decision"),
    ("viewer", "Viewer: read only"),
    ("owner", "Owner: full access"),
]
"""Of a classifier, as forms name them."""


class WorkForm(SettingsFields):
    """Review capacity, double labelling and gold cases."""

    capacity = forms.IntegerField(
        label="Cases that people can label a day",
        required=False,
        min_value=1,
        max_value=10**7,
        help_text="You get a warning when the queue exceeds this, with a threshold that fits.",
    )
    second = forms.FloatField(
        label="Percent of the cases that two reviewers label",
        min_value=0,
        max_value=100,
        help_text="Chosen at random. A third reviewer decides when the two differ.",
    )
    hold = forms.IntegerField(
        label="Seconds in which a reviewer can undo a label",
        min_value=0,
        max_value=int(LONGEST_HOLD.total_seconds()),
        help_text="A label counts after these seconds, or after five later labels. 0: at once.",
    )
    gold = forms.CharField(
        label="Gold cases: their labels are known",
        required=False,
        max_length=200_000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="One per line, “hate | the text”, or the case as JSON in the shape in which you send cases. They are shown among "
        "the others, as many as audits; a case that reviewers could tell apart by its shape is refused.",
    )

    agreed = forms.IntegerField(
        label="Gold cases to make of labelled cases",
        required=False,
        min_value=0,
        max_value=1_000,
        help_text="How many more now, of cases on which two reviewers agreed or an owner ruled, evenly by label where there are "
        "enough. Nobody gets a case that they labelled before.",
    )

    def clean_gold(self) -> list[tuple[Any, str]]:
        """Read the lines: text and truth."""
        found = []
        for number, line in enumerate(self.cleaned_data["gold"].splitlines(), start=1):
            truth, bar, text = (part.strip() for part in line.partition("|"))
            if line.strip() and not (truth and bar and text):
                raise forms.ValidationError(
                    f"line {number} is not “label | case”: {line.strip()[:60]!r}"
                )
            if line.strip():
                found.append((_read_case(text, number), truth))
        return found

    def _changes(self) -> dict[str, Any]:
        sent = self.read_sent()
        changes = {name: sent[name] for name in ("capacity", "hold") if name in sent}
        return changes | ({"second": sent["second"] / 100} if "second" in sent else {})

    def keep(self, row: Deployment) -> int:
        """Keep it; how many gold cases are new.

        Raises
        ------
        InputError
            If a gold case's truth is no class, or fewer cases have a known truth.
        """
        given = self.cleaned_data
        with transaction.atomic():
            made = add_gold(row.pk, given["gold"]) if given["gold"] else 0
            made += make_agreed_gold(row.pk, given["agreed"]) if given["agreed"] else 0
            change_settings(row.pk, **self._changes())
        return made


def _read_case(text: str, number: int) -> Any:
    """Return a case: a record that is written as JSON, or the text."""
    if not text.startswith("{"):
        return text
    try:
        return json.loads(text)
    except ValueError as error:
        raise forms.ValidationError(f"line {number} is not JSON: {error}") from None
