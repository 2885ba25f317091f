"""What an owner fills in: what is asked, who is asked, whose costs hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

from askpoint.reports.elicitation.asking import Scene
from askpoint.server.accounts.models import User
from askpoint.server.logs.running import read_file
from askpoint.server.questionnaires.models import Interview, Questionnaire
from askpoint.server.questionnaires.question_pages import marked_name
from askpoint.server.questionnaires.services import add_people, make_questionnaire

__all__ = ["PeopleForm", "QuestionsForm", "SettleForm"]

_NAME = 80
_WORDS = 80
_MOST_NAMED = 20  # classes of which each has a field


_HOW_TO_NAME = "In words that follow a number, such as: insults stay up. The questions then say “67 more insults stay up”."


class QuestionsForm(forms.Form):
    """What is asked: the options of `askpoint elicit`; a field for what happens when a case of each class is missed."""

    file = forms.FileField(
        label="A log of labelled cases with probabilities",
        help_text="CSV, Parquet or JSON lines up to 5 MB, as for a new version. Labels, probabilities and ids "
        "are kept until you delete the questionnaire; all else in the file is not.",
    )
    questions = forms.IntegerField(
        label="Choices between two outcomes",
        initial=20,
        min_value=0,
        max_value=100,
        help_text="They show what a mistake on one class costs compared with the others. 0: all mistakes cost the same.",
    )
    checks = forms.IntegerField(
        label="Clear choices after those, which the answers should foretell",
        initial=4,
        min_value=0,
        max_value=20,
    )
    offers = forms.IntegerField(
        label="Choices between letting the system decide and a person's check",
        initial=10,
        min_value=1,
        max_value=50,
    )
    together = forms.CharField(
        label="Classes on which a mistake costs the same",
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="So that fewer questions are needed. A line for each group, with commas: opel, saab",
    )
    minutes = forms.FloatField(
        label="Minutes that a person takes for a case",
        required=False,
        min_value=0,
        max_value=10_000,
    )
    people_right = forms.FloatField(
        label="Cases of 100 that a person gets right", required=False, min_value=0, max_value=100
    )
    consequence = forms.CharField(
        label="What happens after a mistake",
        required=False,
        max_length=300,
        help_text="A sentence that is shown in the questions.",
    )
    check_cost = forms.FloatField(
        label="What one check costs, in money", required=False, min_value=0, max_value=10**9
    )
    unit = forms.CharField(label="Of that money", required=False, max_length=20, help_text="EUR")

    def __init__(self, *args: Any, classes: Sequence[str] = ()) -> None:
        super().__init__(*args)
        self.classes = list(classes) if len(classes) <= _MOST_NAMED else []
        for place, name in enumerate(self.classes):
            self.fields[f"missed_{place}"] = forms.CharField(
                label=f"What happens when “{name}” is missed?",
                required=False,
                max_length=_WORDS,
                help_text="" if place else _HOW_TO_NAME,
            )
        names = list(self.fields)
        after = names.index("consequence") + 1
        missed = names[len(names) - len(self.classes) :]
        self.order_fields([*names[:after], *missed])

    def keep(self, deployment: str, who: User) -> Questionnaire:
        """Make the questionnaire.

        Raises
        ------
        AskpointError
            As `askpoint elicit` refuses logs and settings.
        """
        given = self.cleaned_data
        right = given["people_right"]
        scene = Scene(
            given["minutes"],
            None if right is None else right / 100,
            given["consequence"],
            given["check_cost"],
            given["unit"],
            [
                (name, words)
                for place, name in enumerate(self.classes)
                if (words := given[f"missed_{place}"])
            ],
        )
        return make_questionnaire(
            deployment, who, read_file(given["file"]), self._settings(), scene
        )

    def _settings(self) -> dict[str, Any]:
        given = self.cleaned_data
        lines = (line.split(",") for line in given["together"].splitlines() if line.strip())
        return {
            "groups": [[name.strip() for name in line if name.strip()] for line in lines],
            "n_questions": given["questions"],
            "n_checks": given["checks"],
            "radius": 0.0,
            "n_omega_questions": given["offers"],
            "seed": 0,
        }


class PeopleForm(forms.Form):
    """Who is asked."""

    names = forms.CharField(
        label="Whom to ask",
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="One name per line. Each gets a link of their own, and needs no account.",
    )

    def clean_names(self) -> list[str]:
        """Read the lines."""
        names = [line.strip() for line in self.cleaned_data["names"].splitlines() if line.strip()]
        for name in names:
            if len(name) > _NAME:
                raise forms.ValidationError(f"a name has at most {_NAME} characters: {name[:40]}…")
        return names

    def keep(self, row: Questionnaire) -> list[Interview]:
        """Make the links.

        Raises
        ------
        InputError
            If a name is taken, or there are too many.
        """
        return add_people(row, self.cleaned_data["names"])


class SettleForm(forms.Form):
    """Whose costs hold."""

    person = forms.ChoiceField(label="Whose costs to use", widget=forms.RadioSelect)
    why = forms.CharField(label="Why", max_length=500)

    def __init__(self, row: Questionnaire, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        people = row.interviews.exclude(costs="")
        self.fields["person"].choices = [(str(one.number), marked_name(one)) for one in people]
