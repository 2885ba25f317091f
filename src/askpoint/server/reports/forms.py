"""What somebody fills in to have a log reported, and to put its policy into use."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.conf import settings

from askpoint.errors import InputError
from askpoint.server.accounts.models import User
from askpoint.server.deployments.folded_forms import Fold, number_text
from askpoint.server.deployments.models import Deployment, LogReport
from askpoint.server.deployments.policies import make_opened, preview_opened
from askpoint.server.deployments.policy_forms import (
    AUDITS,
    ERRORS,
    REASON,
    TERMS,
    AimFields,
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

_LOAD = ("volume", "period", "ask_at_most", "seconds")
_RANDOM = "I know that the labels of the log are of a random sample of the cases"


_PERIODS = [(name, f"each {name}") for name in ("day", "week", "month", "year")]


def _load_text(form: forms.Form) -> str:
    said = "Nothing stated: the report counts per 1,000 cases."
    if form["volume"].value() not in (None, ""):
        said = f"{number_text(form, 'volume')} cases a {form['period'].value()}."
    if form["seconds"].value() not in (None, ""):
        said += f" A check takes {number_text(form, 'seconds')} seconds."
    return said


class UploadForm(AimFields):
    """A log, and what is wanted of it."""

    first: ClassVar[tuple[str, ...]] = ("file",)
    numbers: ClassVar[dict[str, tuple[str, ...]]] = {
        **AimFields.numbers,
        "capacity": ("ask_at_most",),
    }
    folds: ClassVar[tuple[Fold, ...]] = (
        Fold("How many cases come", ("volume", "period", "seconds"), _load_text),
        Fold("The labels", ("random",), sample_text),
    )

    volume = forms.FloatField(
        label="How many cases come",
        required=False,
        min_value=1,
        max_value=1e12,
        help_text="The report then speaks of reviews, hours and money in that time.",
    )
    period = forms.ChoiceField(
        label="In which time", choices=_PERIODS, initial="week", required=False
    )
    ask_at_most = forms.FloatField(
        label="Cases that people can check in that time",
        required=False,
        min_value=0.001,
        max_value=1e12,
        help_text="Add below how many cases come in it.",
    )
    seconds = forms.FloatField(
        label="How many seconds one check takes", required=False, min_value=0.1, max_value=1e6
    )
    file = forms.FileField(label="A log of cases, with labels where there are some")
    random = forms.BooleanField(label=_RANDOM, required=False)
    field_order = (
        "file",
        "random",
        "aim",
        "mistake",
        "check",
        "currency",
        *_LOAD,
        *TERMS,
    )

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        money, promise, unsure = self.fields["aim"].choices
        capacity = ("capacity", "People's time: a limit on the checks")
        self.fields["aim"].choices = [capacity, money, promise, unsure]
        self.fields["aim"].initial = "unsure"  # the log is all that a report needs
        most = settings.ASKPOINT.most_log
        file = self.fields["file"]
        file.widget.attrs["data-most"] = most
        file.help_text = (
            f"CSV, Parquet, JSON lines, or what a tool writes, up to {most / 1e6:g} MB and {MOST_ROWS:,} rows: "
            "the column label, and probabilities (proba_fine, proba_hate) or prediction and confidence. "
            "The file is deleted once its report is made, with all other columns."
        )

    def keep(self, workspace: str, owner: User) -> LogReport:
        """Keep the log, and queue its report.

        Raises
        ------
        AskpointError
            As `keep_upload`.
        """
        given = self.cleaned_data
        return keep_upload(workspace, owner, given["file"], self.question(), random=given["random"])

    def question(self) -> ReportQuestion:
        """Return what is asked of the log.

        Raises
        ------
        InputError
            If a number that belongs to the aim is not stated, or does not fit another.
        """
        given = self.cleaned_data
        load: dict[str, Any] = {
            "volume": given["volume"],
            "period": given["period"] or "week",
            "seconds_per_check": given["seconds"],
        }
        if given["aim"] == "capacity":
            if given["volume"] is None or given["ask_at_most"] is None:
                raise InputError("say how many cases come, and how many of them people can check")
            limit = given["ask_at_most"] / given["volume"]
            return ReportQuestion(aim="capacity", limit=limit, **load)
        aim, limit = self.read_aim()
        prices = {name: given[name] for name in ("mistake", "check", "currency")}
        return ReportQuestion(aim=aim, limit=limit, **load, **(prices if aim == "money" else {}))


class ChosenForm(TermsFields):
    """A classifier whose first policy is chosen by a report: its log is there already."""

    first: ClassVar[tuple[str, ...]] = ("title",)
    folds: ClassVar[tuple[Fold, ...]] = (
        AUDITS,
        Fold("The labels", ("random",), sample_text),
        Fold("The model", ("version",), version_text),
        ERRORS,
        REASON,
    )

    title = forms.CharField(label="What it decides", max_length=100)
    random = forms.BooleanField(label=_RANDOM, required=False)
    field_order = ("title", "random", *TERMS, "why")

    def __init__(self, row: LogReport, *args: Any) -> None:
        asked = ReportQuestion(**row.question)
        first: dict[str, Any] = {"aim": "money", "random": row.random}
        first["why"] = f"chosen by the report on {row.name}"
        if asked.aim == "promise":
            first |= {"aim": "promise", "error": f"{100 * asked.limit:.6g}"}
        elif asked.mistake is not None:
            first |= {"mistake": asked.mistake, "check": asked.check, "currency": asked.currency}
        elif row.checks is not None:
            first["checks"] = f"{row.checks:.6g}"
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
        self.keep_money(made)
        return made

    def _opens(self) -> Opens:
        given = self.cleaned_data
        if self.row.kept is None:
            raise InputError(
                "this log holds several models, and a policy decides for one: upload the log of that one"
            )
        model = {"name": "", "version": given["version"].strip(), "measure": "max_probability"}
        return open_from(
            bytes(self.row.kept), self.row.classes, model, kept=True, random=given["random"]
        )
