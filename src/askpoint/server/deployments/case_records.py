"""Cases as an owner reads them: what the model said, what people say, and the decision record."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from askpoint.server.deployments.cases import cases_of
from askpoint.server.deployments.models import CaseRuling, Deployment, Label, Policy, Receipt
from askpoint.server.deployments.policy_state import document_of
from askpoint.server.deployments.rows import ASK, AUDIT
from askpoint.server.labelling.models import Case

__all__ = [
    "CasePlace",
    "CaseRecord",
    "case_record",
    "records_of",
]


class CasePlace(NamedTuple):
    """Where a list goes on: the version, and the number of the last decision that was shown."""

    version: int
    seq: int

    def __str__(self) -> str:
        return f"{self.version}.{self.seq}"


@dataclass(frozen=True)
class CaseRecord:
    """A decided case.

    Parameters
    ----------
    receipt : Receipt
        Its decision.
    version : int
        Of the policy that decided.
    said : str
        The class that the model gave.
    case : Case or None
        What people were asked, with its content; None where nobody was, or it is gone.
    label : Label or None
        The first label that counts.
    ruling : CaseRuling or None
        What an owner says beside it.
    """

    receipt: Receipt
    version: int
    said: str
    case: Case | None
    label: Label | None
    ruling: CaseRuling | None = None

    @property
    def content(self) -> Any:
        """What was decided about; None where it was not kept or was deleted."""
        return None if self.case is None else self.case.content

    @property
    def result(self) -> tuple[str, str]:
        """Whose sign and which word tell how it came out; empty where people have not said what it is."""
        if self.label is not None:
            return ("closed", "Model wrong") if self.label.wrong else ("answering", "Model right")
        is_unsettled = self.case is not None and self.case.state == "referred"
        return ("waiting", "Unsettled") if is_unsettled else ("", "")

    @property
    def action(self) -> str:
        """What was decided, in words."""
        if self.receipt.action == ASK:
            return "sent to review"
        alone = "would decide alone" if self.receipt.held else "decided alone"
        return f"{alone}, audited" if self.receipt.action == AUDIT else alone

    @property
    def place(self) -> CasePlace:
        """Where it stands in lists."""
        return CasePlace(self.version, self.receipt.seq)


def case_record(row: Deployment, key: str) -> CaseRecord | None:
    """Return one case by its key; None where it was never decided."""
    receipt = Receipt.objects.filter(deployment=row, key=key).select_related("policy").first()
    if receipt is None:
        return None
    return records_of(row, [(receipt.policy, receipt)])[0]


def records_of(row: Deployment, found: Iterable[tuple[Policy, Receipt]]) -> list[CaseRecord]:
    """Return the cases of receipts, in their order."""
    pairs = list(found)
    keys = [receipt.key for _, receipt in pairs]
    cases = {one.key: one for one in cases_of(row, keys)}
    policies = {policy.pk for policy, _ in pairs}
    labels: dict[str, Label] = {}
    for label in Label.objects.filter(policy__in=policies, key__in=keys, counts=True, seq__gte=0):
        labels.setdefault(label.key, label)
    rulings = {
        one.key: one
        for one in CaseRuling.objects.filter(policy__in=policies, key__in=keys).order_by("pk")
    }
    return [
        CaseRecord(
            receipt,
            policy.number,
            document_of(policy).model["classes"][receipt.prediction],
            cases.get(receipt.key),
            labels.get(receipt.key),
            rulings.get(receipt.key),
        )
        for policy, receipt in pairs
    ]
