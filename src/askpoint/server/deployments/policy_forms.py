"""What is wanted of a policy, and what its owner agrees to: fields of every form that makes one."""

from __future__ import annotations

from django import forms

from askpoint.answers.live.first_policy import OpeningQuestion
from askpoint.errors import InputError
from askpoint.value.reviewer_errors import work_of_check

__all__ = ["TERMS", "AimFields", "TermsFields"]

TERMS = (
    "aim",
    "mistake",
    "check",
    "checks",
    "people_right",
    "error",
    "audits",
    "planned_decisions",
    "max_label_delay",
    "version",
)
"""The fields in the order in which they are asked."""

_LEAST_WORK = 1e-6  # of a mistake: a policy's limit lies above 0


class AimFields(forms.Form):
    """Least cost, or a limit on the share of mistakes."""

    aim = forms.ChoiceField(
        label="What it is to keep to",
        choices=[
            ("money", "least cost: a check costs a part of a mistake"),
            ("promise", "at most so many mistakes among its answers"),
        ],
    )
    mistake = forms.FloatField(
        label="Least cost: what a mistake costs, in money",
        required=False,
        min_value=0.000001,
        max_value=1e12,
        help_text="For example 40, where a check costs 2.50. The report speaks of both in checks: here a mistake is "
        "as bad as 16.",
    )
    check = forms.FloatField(
        label="What a check costs, in the same money",
        required=False,
        min_value=0.000001,
        max_value=1e12,
    )
    checks = forms.FloatField(
        label="Without amounts: how many checks are worth one mistake",
        required=False,
        initial=20,
        min_value=1.01,
        max_value=100_000,
    )
    error = forms.FloatField(
        label="Or: at most so many per cent of its answers are wrong",
        required=False,
        min_value=0.01,
        max_value=99,
        help_text="While the world holds still, but for a probability of 5%.",
    )

    def read_aim(self) -> tuple[str, float]:
        """Return the aim, and the price of a check in mistakes or the greatest risk.

        Raises
        ------
        InputError
            If the number that belongs to the aim is not stated.
        """
        given = self.cleaned_data
        if given["aim"] == "promise":
            if given["error"] is None:
                raise InputError("say how many per cent of its answers may be wrong")
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
        label="Per cent of its answers that people check at random",
        initial=5,
        min_value=0.1,
        max_value=99,
    )
    planned_decisions = forms.IntegerField(
        label="Planned decisions",
        initial=40_000,
        min_value=100,
        max_value=10**9,
        help_text="Until a new policy comes, about.",
    )
    max_label_delay = forms.IntegerField(
        label="Longest label delay, in decisions",
        initial=2000,
        min_value=1,
        max_value=10**9,
        help_text="It answers so many while no labels come; then it asks about everything until they do. At "
        "least what comes in over your longest weekend.",
    )
    version = forms.CharField(
        label="Version of the model",
        required=False,
        max_length=80,
        help_text="Cases of another version are refused.",
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
        )
