"""Cases as an owner reads them: what the model said, what people say, and the decision record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

from askpoint.server.deployments.cases import cases_of
from askpoint.server.deployments.models import Deployment, Label, Policy, Receipt
from askpoint.server.deployments.policy_state import document_of
from askpoint.server.deployments.rows import ANSWER, ASK, AUDIT
from askpoint.server.labelling.models import Case

__all__ = [
    "FILTERS",
    "CaseList",
    "CasePlace",
    "CaseRecord",
    "case_record",
    "list_cases",
    "parse_place",
    "records_of",
]

FILTERS: Mapping[str, str] = {
    "all": "All",
    "wrong": "Model wrong",
    "audited": "Audited",
    "review": "Sent to review",
    "alone": "Decided alone",
}
"""What may be listed, and its word."""

_PAGE = 50


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
    """

    receipt: Receipt
    version: int
    said: str
    case: Case | None
    label: Label | None

    @property
    def content(self) -> Any:
        """What was decided about; None where it was not kept or was deleted."""
        return None if self.case is None else self.case.content

    @property
    def action(self) -> str:
        """Result, in words."""
        if self.receipt.action == ASK:
            return "sent to review"
        alone = "would decide alone" if self.receipt.held else "decided alone"
        return f"{alone}, audited" if self.receipt.action == AUDIT else alone

    @property
    def place(self) -> CasePlace:
        """Where it stands in lists."""
        return CasePlace(self.version, self.receipt.seq)


@dataclass(frozen=True)
class CaseList:
    """A page of cases, the newest first, and where the next page begins; None on the last."""

    rows: Sequence[CaseRecord]
    older: CasePlace | None


def parse_place(text: str) -> CasePlace | None:
    """Read where a list goes on; None where there is no such place."""
    version, _, seq = text.partition(".")
    if not (version.isdecimal() and seq.isdecimal() and len(text) <= 30):
        return None
    return CasePlace(int(version), int(seq))


def list_cases(row: Deployment, show: str, before: CasePlace | None = None) -> CaseList:
    """Return the cases of a filter before a place, at most a page; counts nothing."""
    found: list[tuple[Policy, Receipt]] = []
    for policy in row.policies.order_by("-number"):
        if before is not None and policy.number > before.version:
            continue
        below = before.seq if before is not None and policy.number == before.version else None
        wanted = _PAGE + 1 - len(found)
        found += [(policy, receipt) for receipt in _newest(policy, show, below, wanted)]
        if len(found) > _PAGE:
            break
    records = records_of(row, found[:_PAGE])
    return CaseList(records, records[-1].place if len(found) > _PAGE else None)


_ACTIONS: Mapping[str, Sequence[int]] = {
    "audited": (AUDIT,),
    "review": (ASK,),
    "alone": (ANSWER, AUDIT),
}


def _newest(policy: Policy, show: str, below: int | None, most: int) -> list[Receipt]:
    """Return the newest decisions of a filter, read in the order of an index, however few there are among many."""
    rows = Receipt.objects.filter(policy=policy).order_by("-seq")
    if below is not None:
        rows = rows.filter(seq__lt=below)
    if show == "wrong":
        wrong = Label.objects.filter(policy=policy, wrong=True, counts=True, seq__gte=0)
        if below is not None:
            wrong = wrong.filter(seq__lt=below)
        numbers = list(wrong.order_by("-seq").values_list("seq", flat=True)[:most])
        return list(rows.filter(seq__in=numbers))
    if show == "all":
        return list(rows[:most])
    parts = [rows.filter(action=action)[:most] for action in _ACTIONS[show]]
    return sorted(chain(*parts), key=lambda one: -one.seq)[:most]


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
    cases = {one.key: one for one in cases_of(row).filter(key__in=keys)}
    policies = {policy.pk for policy, _ in pairs}
    labels: dict[str, Label] = {}
    for label in Label.objects.filter(policy__in=policies, key__in=keys, counts=True, seq__gte=0):
        labels.setdefault(label.key, label)
    return [
        CaseRecord(
            receipt,
            policy.number,
            document_of(policy).model["classes"][receipt.prediction],
            cases.get(receipt.key),
            labels.get(receipt.key),
        )
        for policy, receipt in pairs
    ]
