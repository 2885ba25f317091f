"""What an agent's owner fills in: terms, who has a part, and golden actions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django import forms

from askpoint.errors import InputError
from askpoint.live.licences.policy import LicencePolicy
from askpoint.server.accounts.models import User
from askpoint.server.licences.agents import make_agent
from askpoint.server.licences.models import Agent

__all__ = ["PARTS", "AgentForm", "AgentSettingsForm", "GoldenForm", "MinorVersionForm"]

_EXAMPLE = """{"format": 2, "licence": {"limit": 0.05, "classes": [
  {"tool": "read_*", "harm": "low"},
  {"tool": "refund", "name": "up to 50", "if": {"amount": {"max": 50}}, "harm": "medium"},
  {"tool": "delete_*", "harm": "irreversible"}]}}"""


_LARGEST = 200_000  # characters of the terms


class AgentForm(forms.Form):
    """An agent and its terms."""

    title = forms.CharField(label="Name of the agent", max_length=100)
    file = forms.FileField(
        label="Its terms: the file policy.json", required=False,
        help_text="From a log of approvals: askpoint approvals LOG --policy policy.json. They cannot be changed later: "
        "evidence is about these terms.",
    )  # fmt: skip
    policy = forms.CharField(
        label="Or write them here",
        required=False,
        max_length=_LARGEST,
        strip=False,
        initial=_EXAMPLE,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
        help_text="Which kinds of action there are, how bad a wrong one is, and the limit. A file takes their place.",
    )

    def clean_policy(self) -> LicencePolicy:
        """Read the terms: those of the file, where there is one."""
        file = self.cleaned_data.get("file")
        if file is not None and file.size > _LARGEST:
            raise forms.ValidationError(
                f"{file.name} has {file.size:,} bytes, and terms at most {_LARGEST:,}"
            )
        try:
            text = self.cleaned_data["policy"] if file is None else file.read().decode("utf-8-sig")
            return LicencePolicy.from_json(text)
        except UnicodeDecodeError:
            raise forms.ValidationError(f"{file.name} is not a text in UTF-8") from None
        except InputError as error:
            raise forms.ValidationError(str(error)) from None

    def make(self, workspace: str, owner: User) -> Agent:
        """Make the agent in a workspace."""
        return make_agent(workspace, owner, self.cleaned_data["title"], self.cleaned_data["policy"])


PARTS = [
    ("approver", "Approver: decides what may run, without seeing what the policy would say"),
    ("viewer", "Viewer: read only"),
    ("owner", "Owner: full access"),
]
"""Of an agent, as forms name them."""


class AgentSettingsForm(forms.Form):
    """What a check takes, and how many audits two people read."""

    second = forms.FloatField(
        label="Percent of the audits that two people read", min_value=0, max_value=100,
        help_text="Each without the other. If one of them rejects, it was bad.",
    )  # fmt: skip
    seconds = forms.FloatField(
        label="Seconds that a check takes", required=False, min_value=1, max_value=86_400,
        help_text="The page then says how much time the licences save.",
    )  # fmt: skip
    unit = forms.CharField(
        label="Currency of the prices in the terms",
        required=False,
        max_length=20,
        help_text="EUR, say.",
    )

    def keep(self, agent: Agent) -> None:
        """Keep it."""
        said = self.cleaned_data
        Agent.objects.filter(pk=agent.pk).update(
            second=said["second"] / 100, seconds=said["seconds"], unit=said["unit"]
        )


class MinorVersionForm(forms.Form):
    """A version to come that changes little."""

    version = forms.CharField(
        label="The version to come",
        max_length=200,
        help_text="As the agent will send it: 2.4, say.",
    )
    of = forms.ChoiceField(label="It is a minor version of")

    def __init__(self, versions: Sequence[str], data: Any = None) -> None:
        super().__init__(data)
        self.fields["of"].choices = [(one, one) for one in versions]


class GoldenForm(forms.Form):
    """Golden actions, one a line."""

    actions = forms.CharField(
        label="Actions that are known to be bad, one per line",
        max_length=200_000,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false"}),
        help_text='{"tool": "refund", "arguments": {"amount": 900, "order": 4711}, "why": "charged twice"}',
    )

    def clean_actions(self) -> list[dict[str, Any]]:
        """Read the lines."""
        found = []
        for number, line in enumerate(self.cleaned_data["actions"].splitlines(), start=1):
            if not line.strip():
                continue
            try:
                one = json.loads(line)
            except ValueError:
                one = None
            if not isinstance(one, dict):
                raise forms.ValidationError(
                    f"line {number} is not a JSON object: {line.strip()[:60]!r}"
                )
            found.append(one)
        return found
