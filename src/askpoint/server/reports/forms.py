"""What somebody fills in to have a log reported, and to put its policy into use."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from django import forms
from django.conf import settings

from askpoint.errors import InputError
from askpoint.server.accounts.models import User
from askpoint.server.deployments.folded_forms import Fold
from askpoint.server.deployments.load_forms import (
    LOAD,
    LOG,
    RANDOM,
    WORK,
    LoadFields,
    LogFields,
)
from askpoint.server.deployments.models import Deployment, LogReport
from askpoint.server.deployments.policies import make_opened, preview_opened
from askpoint.server.deployments.policy_forms import (
    AUDITS,
    ERRORS,
    REASON,
    TERMS,
    TermsFields,
    sample_text,
    version_text,
)
from askpoint.server.logs.opening import Opens
from askpoint.server.logs.questions import ReportQuestion
from askpoint.server.logs.reading import MOST_ROWS
from askpoint.server.logs.running import open_from
from askpoint.server.reports.uploads import keep_upload

__all__ = ["ChosenForm", "UploadForm"]


class UploadForm(LogFields):
    """A log, and what is wanted of it."""

    first: ClassVar[tuple[str, ...]] = ("file",)
    folds: ClassVar[tuple[Fold, ...]] = (
        WORK,
        LOG,
    )

    file = forms.FileField(label="A log of cases, with labels where there are some")
    field_order = ("file", "random", "by", "aim", *LOAD, *TERMS)

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.fields["aim"].initial = "unsure"  # the log is all that a report needs
        most = settings.ASKPOINT.most_log
        file = self.fields["file"]
        file.widget.attrs["data-most"] = most
        file.help_text = (
            f"CSV, Parquet, JSON lines, or what a tool writes, up to {most / 1e6:g} MB and {MOST_ROWS:,} rows: "
            "a column of labels, and probabilities (proba_fine, proba_hate) or prediction and confidence. "
            "The file is deleted once its report is made, with all other columns but that of groups, if you name one."
        )

    def keep(self, workspace: str, owner: User) -> LogReport:
        """Keep the log, and queue its report.

        Raises
        ------
        AskpointError
            As `keep_upload`.
        """
        given = self.cleaned_data
        asked = replace(self.read_question(), by=given["by"].strip())
        return keep_upload(workspace, owner, given["file"], asked, random=given["random"])


def _labels_text(form: forms.Form) -> str:
    groups = (
        "A threshold for each group" if form["groups"].value() else "One threshold for all cases"
    )
    return f"{sample_text(form)} {groups}."


class ChosenForm(LoadFields, TermsFields):
    """A classifier whose first policy is chosen by a report: its log is there already."""

    first: ClassVar[tuple[str, ...]] = ("title",)
    folds: ClassVar[tuple[Fold, ...]] = (
        WORK,
        AUDITS,
        Fold("The log", ("random", "groups"), _labels_text),
        Fold("The model", ("version",), version_text),
        ERRORS,
        REASON,
    )

    title = forms.CharField(label="Name of the classifier", max_length=100)
    random = forms.BooleanField(label=RANDOM, required=False)
    groups = forms.BooleanField(
        label="Decide each group of the report by how often the model is right in it",
        required=False,
        help_text="Every case must then come with its group. Needs a report that was asked for groups.",
    )
    field_order = ("title", "random", "groups", "aim", *LOAD, *TERMS, "why")

    def __init__(self, row: LogReport, *args: Any) -> None:
        asked = ReportQuestion(**row.question)
        first: dict[str, Any] = {"aim": "money", "random": row.random}
        first["why"] = f"chosen by the report on {row.name}"
        first |= {"groups": bool(asked.by), "volume": asked.volume, "period": asked.period}
        first["seconds"] = asked.seconds_per_check
        if asked.aim == "promise":
            first |= {"aim": "promise", "error": f"{100 * asked.limit:.6g}"}
        elif asked.mistake is not None:
            first |= {"mistake": asked.mistake, "check": asked.check, "currency": asked.currency}
        elif row.checks is not None:
            first["checks"] = f"{row.checks:.6g}"
        if asked.aim == "capacity" and asked.capacity is not None:
            people = {"ask_at_most": asked.capacity, "ask_period": asked.capacity_period}
            first |= {"aim": "capacity", **people}
        super().__init__(*args, initial=first)
        self.row = row

    def preview(self) -> list[dict[str, Any]]:
        """Return what the policy would do, in words; nothing is made.

        Raises
        ------
        AskpointError
            As `askpoint deploy` does.
        """
        return preview_opened(self._opens(), self.question())

    def make(self, workspace: str, owner: User, *, in_shadow: bool = False) -> Deployment:
        """Make the classifier and propose the policy, or neither; `in_shadow`, put it into use there.

        Raises
        ------
        AskpointError
            As `askpoint deploy` does.
        """
        given, opens, question = self.cleaned_data, self._opens(), self.question()
        title, why = given["title"], given["why"]
        made = make_opened(workspace, owner, title, why, opens, question, in_shadow=in_shadow)
        self.keep_stated(made)
        return made

    def _opens(self) -> Opens:
        given = self.cleaned_data
        if self.row.kept is None:
            raise InputError(
                "this log holds several models, and a policy decides for one: upload the log of that one"
            )
        model = {"name": "", "version": given["version"].strip(), "measure": "max_probability"}
        by = ReportQuestion(**self.row.question).by if given["groups"] else ""
        if given["groups"] and not by:
            raise InputError(
                "the report was not asked for groups, so they were not kept: upload the log again and name their column, or "
                "leave the groups out"
            )
        return open_from(
            bytes(self.row.kept),
            self.row.classes,
            model,
            kept=True,
            random=given["random"],
            asked=replace(self.read_question(), by=by),
        )
