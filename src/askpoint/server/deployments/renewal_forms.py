"""What an owner fills in to choose a policy again, or to audit a group more often."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms

from askpoint.server.accounts.models import User
from askpoint.server.deployments.audit_rates import set_audit_rate
from askpoint.server.deployments.folded_forms import Fold
from askpoint.server.deployments.load_forms import LOAD, WORK, LoadFields
from askpoint.server.deployments.models import Policy
from askpoint.server.deployments.policy_forms import (
    AUDITS,
    ERRORS,
    TERMS,
    TermsFields,
    version_text,
)
from askpoint.server.deployments.policy_state import document_of
from askpoint.server.deployments.renewal import propose_again, question_of
from askpoint.server.deployments.review_workload import Fit

__all__ = ["AuditRateForm", "NewVersionForm"]


class NewVersionForm(LoadFields, TermsFields):
    """The next version, from the cases and labels of the one in use; on its terms, or on others.

    With a `fit` it begins with what reviewers can do of what comes.
    """

    first: ClassVar[tuple[str, ...]] = ("why",)
    folds: ClassVar[tuple[Fold, ...]] = (
        WORK,
        AUDITS,
        Fold("The model", ("version",), version_text),
        ERRORS,
    )
    field_order = ("why", "aim", *LOAD, *TERMS)

    def __init__(self, policy: Policy, *args: Any, fit: Fit | None = None) -> None:
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
        if fit is not None:
            people = {"ask_at_most": fit.capacity, "ask_period": "day"}
            first |= {"aim": "capacity", "volume": round(fit.per_day), "period": "day", **people}
            first["why"] = "what reviewers can label"
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
        question, asked = self.question(), self.read_question()
        return propose_again(deployment, who.username, given["why"], question, version, asked)


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
