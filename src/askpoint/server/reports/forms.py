"""What somebody fills in to have a log reported, and to put its policy into use."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings

from askpoint.errors import InputError
from askpoint.server.accounts.models import User
from askpoint.server.deployments.models import Deployment, LogReport
from askpoint.server.deployments.policies import make_opened
from askpoint.server.deployments.policy_forms import TERMS, AimFields, TermsFields
from askpoint.server.logs.reading import MOST_ROWS
from askpoint.server.logs.running import open_from
from askpoint.server.reports.uploads import keep_upload

__all__ = ["ChosenForm", "UploadForm"]

_RANDOM = "I know that the labels of the log are of a random sample of the cases"


class UploadForm(AimFields):
    """A log, and what is wanted of it."""

    file = forms.FileField(label="A log of cases, with labels where there are some")
    random = forms.BooleanField(label=_RANDOM, required=False)
    field_order = ("file", "random", *TERMS)

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
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
        given, (aim, limit) = self.cleaned_data, self.read_aim()
        return keep_upload(workspace, owner, given["file"], aim, limit, random=given["random"])


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
        if self.row.kept is None:
            raise InputError(
                "this log holds several models, and a policy decides for one: upload the log of that one"
            )
        model = {"name": "", "version": given["version"].strip(), "measure": "max_probability"}
        opens = open_from(
            bytes(self.row.kept), self.row.classes, model, kept=True, random=given["random"]
        )
        return make_opened(
            self.row.workspace_id, owner, given["title"], given["why"], opens, self.question()
        )
