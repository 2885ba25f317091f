"""Form fields shared by all forms that create a policy."""

from __future__ import annotations

from typing import ClassVar

from django import forms

from askpoint.answers.live.first_policy import OpeningQuestion
from askpoint.errors import InputError
from askpoint.server.deployments.folded_forms import Fold, FoldedForm, number_text
from askpoint.value.reviewer_errors import work_of_check

__all__ = [
    "AUDITS",
    "ERRORS",
    "REASON",
    "TERMS",
    "AimFields",
    "TermsFields",
    "sample_text",
    "version_text",
]

TERMS = (
    "aim",
    "mistake",
    "check",
    "currency",
    "checks",
    "people_right",
    "error",
    "audits",
    "planned_decisions",
    "max_label_delay",
    "version",
)
"""The fields in the order in which they are asked."""

_CHECKS = 20  # of which one mistake is as bad, where nobody says how many
_LEAST_WORK = 1e-6  # of a mistake: a policy's limit lies above 0


def _audits_text(form: forms.Form) -> str:
    rate, planned, delay = (
        number_text(form, name) for name in ("audits", "planned_decisions", "max_label_delay")
    )
    return f"{rate}% of its decisions are audited. Planned for {planned} decisions. Without labels it stops after {delay}."


def _errors_text(form: forms.Form) -> str:
    if form["people_right"].value() in (None, ""):
        return "Nothing stated: the price assumes that reviewers are always right."
    return f"The price assumes that reviewers get {number_text(form, 'people_right')} of 100 cases right."


def sample_text(form: forms.Form) -> str:
    """Say whether the labels of a log are known to be drawn at random."""
    known = "Drawn" if form["random"].value() else "Not known to be drawn"
    return f"{known} at random."


def version_text(form: forms.Form) -> str:
    """Say which version of the model may be decided about."""
    version = form["version"].value()
    return f"Version {version} only." if version else "No version is named: cases come without one."


def _reason_text(form: forms.Form) -> str:
    return f"Version 1: {form['why'].value() or '–'}"


AUDITS = Fold("Audits and safety", ("audits", "planned_decisions", "max_label_delay"), _audits_text)
ERRORS = Fold("Reviewer errors", ("people_right",), _errors_text)
REASON = Fold("Reason", ("why",), _reason_text)


class AimFields(FoldedForm):
    """Least cost, or a limit on the share of mistakes."""

    numbers: ClassVar[dict[str, tuple[str, ...]]] = {
        "money": ("mistake", "check", "currency", "checks"),
        "promise": ("error",),
        "unsure": (),
    }

    aim = forms.ChoiceField(
        label="What limits you?",
        error_messages={"required": "Choose what limits you."},
        widget=forms.RadioSelect,
        choices=[
            ("money", "Cost: the least for checks and mistakes together"),
            ("promise", "Mistakes: a limit among its decisions"),
            (
                "unsure",
                "I don’t know: begin with 20 checks per mistake, then ask those who bear the mistakes",
            ),
        ],
    )
    mistake = forms.FloatField(
        label="A mistake costs",
        required=False,
        min_value=0.000001,
        max_value=1e12,
        help_text="For example 40, where a check costs 2.50.",
    )
    check = forms.FloatField(
        label="A check costs",
        required=False,
        min_value=0.000001,
        max_value=1e12,
    )
    currency = forms.CharField(
        label="Currency", required=False, max_length=20, help_text="Such as EUR."
    )
    checks = forms.FloatField(
        label="Or: checks per mistake",
        required=False,
        initial=_CHECKS,
        min_value=1.01,
        max_value=100_000,
        help_text="Without amounts: how many checks one mistake is as bad as. A check is one person looking at one case.",
    )
    error = forms.FloatField(
        label="Highest percentage of wrong decisions",
        required=False,
        min_value=0.01,
        max_value=99,
        help_text="It holds as long as new cases look like these. (Chance that this fails: 5%.)",
    )

    def read_aim(self) -> tuple[str, float]:
        """Return the aim, and the price of a check in mistakes or the greatest risk.

        Raises
        ------
        InputError
            If the number that belongs to the aim is not stated.
        """
        given = self.cleaned_data
        if given["aim"] == "unsure":
            return "money", 1 / _CHECKS
        if given["aim"] == "promise":
            if given["error"] is None:
                raise InputError("add the highest percentage of wrong decisions")
            return "promise", given["error"] / 100
        mistake, check = given["mistake"], given["check"]
        if mistake is not None or check is not None:
            if mistake is None or check is None:
                raise InputError(
                    "a price takes both amounts: what a mistake costs, and what a check costs"
                )
            if not check < mistake:
                raise InputError(
                    f"a mistake must cost more than a check; got {mistake:g} and {check:g}"
                )
            return "money", check / mistake
        if given["checks"] is None:
            raise InputError("say how many checks are worth one mistake")
        return "money", 1 / given["checks"]


class TermsFields(AimFields):
    """The same, with audits, planned decisions, and why."""

    people_right = forms.FloatField(
        label="How many cases of 100 a person gets right, if the questions behind that number said so",
        required=False,
        min_value=0,
        max_value=100,
        help_text="Such a price holds reviewers' errors already. They are taken out of it, and charged by "
        "what gold cases and second reviewers show.",
    )
    audits = forms.FloatField(
        label="Percent of its decisions that are audited",
        initial=5,
        min_value=0.1,
        max_value=99,
    )
    planned_decisions = forms.IntegerField(
        label="Planned decisions",
        initial=40_000,
        min_value=100,
        max_value=10**9,
        help_text="About how many cases you expect before you replace this policy. Default: 40,000.",
    )
    max_label_delay = forms.IntegerField(
        label="Longest label delay, in decisions",
        initial=2000,
        min_value=1,
        max_value=10**9,
        help_text="How many cases it decides while no labels come; then every case goes to review until "
        "they do. At least the number that comes in over your longest weekend.",
    )
    version = forms.CharField(
        label="Version of the model",
        required=False,
        max_length=80,
        help_text="Requests from another model version are rejected.",
    )
    why = forms.CharField(label="Why this version", max_length=500, initial="the first")

    def question(self) -> OpeningQuestion:
        """Return what is wanted, for `askpoint.answers.live`.

        Raises
        ------
        InputError
            As `read_aim`.
        ObjectiveError
            If people err more often than the price of a check allows.
        """
        given = self.cleaned_data
        aim, limit = self.read_aim()
        if aim == "money" and given["people_right"] is not None:
            limit = max(work_of_check(limit, given["people_right"] / 100), _LEAST_WORK)
        return OpeningQuestion(
            aim=aim,
            limit=limit,
            rate=given["audits"] / 100,
            planned_decisions=given["planned_decisions"],
            max_label_delay=given["max_label_delay"],
            mistake_in_money=given["mistake"] if given["aim"] == "money" else None,
            check_in_money=given["check"] if given["aim"] == "money" else None,
            currency=given["currency"] or None,
        )
