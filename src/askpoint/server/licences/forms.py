"""What an agent's owner fills in: terms, who has a part, and golden actions."""

from __future__ import annotations

import json
from typing import Any

from django import forms

from askpoint.errors import InputError
from askpoint.live.licences.policy import LicencePolicy
from askpoint.server.accounts.models import User
from askpoint.server.licences.agents import give_agent_part, make_agent
from askpoint.server.licences.models import Agent, AgentMember

__all__ = ["AgentForm", "AgentPartForm", "AgentSettingsForm", "GoldenForm"]

_EXAMPLE = """{"format": 2, "licence": {"limit": 0.05, "classes": [
  {"tool": "read_*", "harm": "low"},
  {"tool": "refund", "name": "up to 50", "if": {"amount": {"max": 50}}, "harm": "medium"},
  {"tool": "delete_*", "harm": "irreversible"}]}}"""


class AgentForm(forms.Form):
    """An agent and its terms."""

    title = forms.CharField(label="Name of the agent", max_length=100)
    policy = forms.CharField(
        label="Its terms, as policy.json",
        max_length=200_000,
        strip=False,
        initial=_EXAMPLE,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
        help_text="Which kinds of action there are, how bad a wrong one is, and the limit. From a log of approvals: "
        "askpoint approvals LOG --policy policy.json. They cannot be changed later: evidence is about these terms.",
    )

    def clean_policy(self) -> LicencePolicy:
        """Read the terms."""
        try:
            return LicencePolicy.from_json(self.cleaned_data["policy"])
        except InputError as error:
            raise forms.ValidationError(str(error)) from None

    def make(self, workspace: str, owner: User) -> Agent:
        """Make the agent in a workspace."""
        return make_agent(workspace, owner, self.cleaned_data["title"], self.cleaned_data["policy"])


class AgentPartForm(forms.Form):
    """Who has a part in an agent."""

    name = forms.CharField(label="Name of the account", max_length=150)
    role = forms.ChoiceField(label="Role", choices=AgentMember.ROLES)

    def clean_name(self) -> str:
        """Check that there is such an account."""
        name = str(self.cleaned_data["name"])
        if not User.objects.filter(username=name).exists():
            raise forms.ValidationError("there is no account of that name on this server")
        return name

    def keep(self, agent: Agent) -> AgentMember:
        """Give the part.

        Raises
        ------
        RuleError
            As `askpoint.server.licences.agents.give_agent_part`.
        """
        user = User.objects.get(username=self.cleaned_data["name"])
        return give_agent_part(agent.pk, user, self.cleaned_data["role"])


class AgentSettingsForm(forms.Form):
    """What a check takes, and how many audits two people read."""

    second = forms.FloatField(
        label="Per cent of the audits that two people read", min_value=0, max_value=100,
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


class GoldenForm(forms.Form):
    """Golden actions, one a line."""

    actions = forms.CharField(
        label="Actions that are known to be bad, one a line",
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
