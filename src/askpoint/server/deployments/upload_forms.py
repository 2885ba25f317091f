"""What somebody fills in to have a log reported, and to put its policy into use."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db import transaction

from askpoint.errors import InputError
from askpoint.server.accounts.models import User
from askpoint.server.deployments.log_reports import MOST_ROWS
from askpoint.server.deployments.models import Deployment, LogReport
from askpoint.server.deployments.policies import make_deployment, propose
from askpoint.server.deployments.term_forms import TERMS, AimFields, TermsFields
from askpoint.server.deployments.uploads import MOST_LOG, keep_upload, log_of

__all__ = ["ChosenForm", "UploadForm"]

_RANDOM = "I know that the labels of the log are of a random sample of the cases"


class UploadForm(AimFields):
    """A log, and what is wanted of it."""

    file = forms.FileField(
        label="A log of cases, with labels where there are some",
        help_text=f"CSV, Parquet, JSON lines, or what a tool writes, up to {MOST_LOG / 1e6:g} MB and "
        f"{MOST_ROWS:,} rows: the column label, and probabilities (proba_fine, proba_hate) or prediction "
        "and confidence. All other columns are deleted as soon as it is read.",
    )
    random = forms.BooleanField(label=_RANDOM, required=False)
    field_order = ("file", "random", *TERMS)

    def keep(self, owner: User) -> LogReport:
        """Keep the log, and queue its report.

        Raises
        ------
        AskpointError
            As `keep_upload`.
        """
        file, (aim, limit) = self.cleaned_data["file"], self.wanted()
        if file.size > MOST_LOG:
            raise InputError(
                f"a log has at most {MOST_LOG:,} bytes, and {file.name[-80:]} has {file.size:,}; bring "
                "its newest rows, only the columns that are needed, or Parquet, which is smaller"
            )
        random = self.cleaned_data["random"]
        return keep_upload(owner, file.name, file.read(), aim, limit, random=random)


class ChosenForm(TermsFields):
    """A classifier whose first policy is chosen by a report: its log is there already."""

    title = forms.CharField(label="What it decides", max_length=100)
    random = forms.BooleanField(label=_RANDOM, required=False)
    field_order = ("title", "random", *TERMS, "why")

    def __init__(self, row: LogReport, *args: Any) -> None:
        first: dict[str, Any] = {"aim": row.aim, "random": row.random}
        first["why"] = f"chosen by the report on {row.name}"
        if row.aim == "promise":
            first["error"] = f"{100 * row.limit:.6g}"
        else:
            first["checks"] = f"{1 / row.limit:.6g}"
        super().__init__(*args, initial=first)
        self.row = row

    def make(self, owner: User) -> Deployment:
        """Make the classifier and propose the policy, or neither.

        Raises
        ------
        AskpointError
            As `askpoint deploy` does.
        """
        given = self.cleaned_data
        log = log_of(self.row)
        model = {"name": "", "version": given["version"].strip(), "classes": list(log.classes)}
        with transaction.atomic():
            made = make_deployment(owner, given["title"])
            propose(
                made.pk,
                owner,
                given["why"],
                log,
                self.question(),
                {**model, "measure": "max_probability"},
                labels_are_random=given["random"],
            )
        return made
