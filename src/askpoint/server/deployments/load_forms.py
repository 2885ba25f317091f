"""A log with its groups, how many cases come, and how many people can check: fields of forms that read a log."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms

from askpoint.answers.value.volume import Volume
from askpoint.server.deployments.classifier_settings import change_settings
from askpoint.server.deployments.folded_forms import Fold, number_text
from askpoint.server.deployments.models import Deployment
from askpoint.server.deployments.policy_forms import AimFields, sample_text
from askpoint.server.logs.questions import ReportQuestion

__all__ = ["LOAD", "LOG", "RANDOM", "WORK", "LoadFields", "LogFields"]

LOAD = ("volume", "period", "ask_at_most", "ask_period", "seconds")
"""The fields in the order in which they are asked."""

RANDOM = "The labelled cases are a random sample"

_PERIODS = [(name, f"each {name}") for name in ("day", "week", "month", "year")]
_NEEDED = {
    "ask_at_most": "Say how many cases people can check.",
    "volume": "Say how many cases come: what people can check is a share of them.",
}


def _load_text(form: forms.Form) -> str:
    said = "Nothing stated: the answer counts per 1,000 cases."
    if form["volume"].value() not in (None, ""):
        said = f"{number_text(form, 'volume')} cases a {form['period'].value()}."
    if form["seconds"].value() not in (None, ""):
        said += f" A check takes {number_text(form, 'seconds')} seconds."
    return said


def _log_text(form: forms.Form) -> str:
    by = form["by"].value()
    threshold = f"A threshold for each {by}" if by else "One threshold for all cases"
    return f"{sample_text(form)} {threshold}."


LOG = Fold("The log", ("random", "by"), _log_text)
WORK = Fold("How many cases come", ("volume", "period", "seconds"), _load_text)


class LoadFields(AimFields):
    """The same aims and people's time; with a volume the answer speaks of hours and money in that time."""

    numbers: ClassVar[dict[str, tuple[str, ...]]] = {
        **AimFields.numbers,
        "capacity": ("ask_at_most", "ask_period"),
    }

    volume = forms.FloatField(
        label="How many cases come",
        required=False,
        min_value=1,
        max_value=1e12,
        help_text="Such as 10000. The answer then speaks of reviews, hours and money in that time.",
    )
    period = forms.ChoiceField(
        label="Period of the cases", choices=_PERIODS, initial="week", required=False
    )
    ask_at_most = forms.FloatField(
        label="Cases that people can check",
        required=False,
        min_value=0.001,
        max_value=1e12,
        help_text="Such as 400. Add below how many cases come.",
    )
    ask_period = forms.ChoiceField(
        label="Period of the checks", choices=_PERIODS, initial="week", required=False
    )
    seconds = forms.FloatField(
        label="How many seconds one check takes", required=False, min_value=0.1, max_value=1e6
    )

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        capacity = ("capacity", "Reviewers’ time: a limit on the checks")
        self.fields["aim"].choices = [capacity, *self.fields["aim"].choices]

    def clean(self) -> dict[str, Any]:
        """Make sure that a capacity comes with the cases of which it is a share."""
        given: dict[str, Any] = super().clean() or {}
        if given.get("aim") == "capacity":
            for name, says in _NEEDED.items():
                if name in given and given[name] is None:
                    self.add_error(name, says)
        return given

    def read_aim(self) -> tuple[str, float]:
        """Return the same; of a capacity the share of the cases that people can check."""
        if self.cleaned_data["aim"] == "capacity":
            return "capacity", self._capacity().share_of(self._volume())
        return super().read_aim()

    def read_question(self) -> ReportQuestion:
        """Return what is asked of the log, with volume and money.

        Raises
        ------
        InputError
            If a number that belongs to the aim is not stated, or does not fit another.
        """
        given = self.cleaned_data
        aim, limit = self.read_aim()
        in_money = given["aim"] == "money" and given["mistake"] is not None
        return ReportQuestion(
            aim=aim,
            limit=limit,
            mistake=given["mistake"] if in_money else None,
            check=given["check"] if in_money else None,
            currency=given["currency"] if in_money else "",
            volume=given["volume"],
            period=given["period"] or "week",
            seconds_per_check=given["seconds"],
            capacity=given["ask_at_most"] if aim == "capacity" else None,
            capacity_period=given["ask_period"] or "week",
        )

    def keep_stated(self, row: Deployment) -> None:
        """Let a new classifier speak in money, where costs and currency were stated, and know what people can check."""
        given = self.cleaned_data
        in_money = given["aim"] == "money" and None not in (given["mistake"], given["check"])
        changes: dict[str, Any] = {}
        if in_money and given["currency"]:
            changes = {"mistake": given["mistake"], "unit": given["currency"]}
        if given["aim"] == "capacity":
            changes["capacity"] = max(1, round(self._capacity().per_day))
        change_settings(row.pk, **changes)

    def _volume(self) -> Volume:
        return Volume(self.cleaned_data["volume"], self.cleaned_data["period"] or "week")

    def _capacity(self) -> Volume:
        return Volume(self.cleaned_data["ask_at_most"], self.cleaned_data["ask_period"] or "week")


class LogFields(LoadFields):
    """The same with what is known of a log: how its labels were drawn, and the column of its groups."""

    random = forms.BooleanField(label=RANDOM, required=False)
    by = forms.CharField(
        label="Column of the log that names each case's group",
        required=False,
        max_length=200,
        help_text="Such as language. Each group is then decided by how often the model is right in it, and every case "
        "must come with its group. Without a column one threshold holds for all.",
    )
