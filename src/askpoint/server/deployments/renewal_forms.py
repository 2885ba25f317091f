"""What an owner fills in to choose a policy again, and what a mistake costs them."""

from __future__ import annotations

from typing import Any

from django import forms

from askpoint.server.accounts.models import User
from askpoint.server.deployments.audit_rates import set_audit_rate
from askpoint.server.deployments.models import Deployment, Policy
from askpoint.server.deployments.policies import set_settings
from askpoint.server.deployments.policy_forms import TermsFields
from askpoint.server.deployments.policy_state import document_of
from askpoint.server.deployments.renewal import propose_again, question_of

__all__ = ["AuditRateForm", "NewVersionForm", "SettingsForm"]


class NewVersionForm(TermsFields):
    """The next version, from the cases and labels of the one in use; on its terms, or on others."""

    def __init__(self, policy: Policy, *args: Any) -> None:
        document = document_of(policy)
        terms = document.terms
        first: dict[str, Any] = {
            "aim": terms.aim,
            "audits": f"{100 * terms.rate:.6g}",
            "planned_decisions": terms.planned_decisions,
            "max_label_delay": terms.max_label_delay,
            "version": document.model.get("version", ""),
            "why": "",
        }
        if terms.aim == "promise":
            first["error"] = f"{100 * terms.limit:.6g}"
        else:
            first["checks"] = f"{1 / question_of(policy).limit:.6g}"
        super().__init__(*args, initial=first)

    def keep(self, deployment: str, who: User) -> Policy:
        """Propose the version.

        Raises
        ------
        AskpointError
            As `propose_again`.
        """
        given = self.cleaned_data
        version = given["version"].strip()
        return propose_again(deployment, who.username, given["why"], self.question(), version)


_SECTIONS = {
    "Prices and people": ("mistake", "unit", "hour", "capacity"),
    "Contents": ("viewers_read", "keep_days"),
    "Name and versions": ("title", "renews"),
}


class SettingsForm(forms.Form):
    """Name, money, and what happens after the planned decisions."""

    title = forms.CharField(
        label="Name", max_length=100, help_text="Addresses and programs go on as before."
    )

    mistake = forms.FloatField(
        label="What a mistake costs",
        required=False,
        min_value=1e-6,
        max_value=1e12,
        help_text="Costs on the page are then in money. Without it they are in mistakes.",
    )
    unit = forms.CharField(
        label="In which unit", required=False, max_length=20, help_text="EUR or minutes."
    )
    hour = forms.FloatField(
        label="What an hour of review costs",
        required=False,
        min_value=1e-6,
        max_value=1e9,
        help_text="In the same unit. The overview then says what the waiting cases cost.",
    )
    capacity = forms.IntegerField(
        label="Cases that reviewers can label a day",
        required=False,
        min_value=1,
        max_value=10**7,
        help_text="Home and overview compare the queue with it.",
    )
    renews = forms.BooleanField(
        label="Activate the proposed version automatically after the planned decisions",
        required=False,
        help_text="Chosen from the newest cases, on the same terms. Without it an owner activates it.",
    )

    keep_days = forms.IntegerField(
        label="Delete contents after, in days",
        required=False,
        min_value=1,
        max_value=36_500,
        help_text="Contents still waiting for a label go, too. Decision records and labels stay. Empty keeps contents.",
    )

    viewers_read = forms.BooleanField(
        label="Viewers may read cases",
        required=False,
        help_text="Without it they see numbers and the names of regions. Activity says who read how many cases.",
    )

    def __init__(self, row: Deployment, *args: Any) -> None:
        now = {name: getattr(row, name) for name in self.base_fields}
        super().__init__(*args, initial=now)
        self.row = row

    def clean(self) -> dict[str, Any]:
        """Make sure that a price has a unit, and a unit a price."""
        given: dict[str, Any] = super().clean() or {}
        if "mistake" in given and (given["mistake"] is None) != (not given.get("unit")):
            raise forms.ValidationError(
                "say both what a mistake costs and in which unit, or neither"
            )
        if given.get("hour") is not None and given.get("mistake", 1.0) is None:
            self.add_error("hour", "say what a mistake costs, too: an hour is priced in its unit")
        return given

    def list_sections(self) -> list[tuple[str, list[forms.BoundField]]]:
        """Return the fields as the page has them, under their headings."""
        return [(name, [self[one] for one in fields]) for name, fields in _SECTIONS.items()]

    def keep(self) -> None:
        """Keep it."""
        given = self.cleaned_data
        set_settings(self.row.pk, **given)


class AuditRateForm(forms.Form):
    """A group whose answers are audited more often."""

    group = forms.CharField(
        label="Group", max_length=100, help_text="As your program names it with each case."
    )
    audits = forms.FloatField(
        label="Percent of its decisions that are audited", min_value=0.1, max_value=99
    )

    def keep(self, deployment: str) -> None:
        """Raise it.

        Raises
        ------
        InputError
            As `set_audit_rate`.
        """
        given = self.cleaned_data
        set_audit_rate(deployment, given["group"], given["audits"] / 100)
