"""Lists of decided cases by filters that stand in the address, and the next case of a list; each costs the same, however many there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any
from urllib.parse import urlencode

from askpoint.live.ask_rules import AskRule, case_fields
from askpoint.server.deployments.case_records import CasePlace, CaseRecord, records_of
from askpoint.server.deployments.cases import cases_of, content_text
from askpoint.server.deployments.models import Deployment, Label, Policy, Receipt
from askpoint.server.deployments.rows import ANSWER, ASK, AUDIT

__all__ = [
    "FILTERS",
    "CaseFilter",
    "CaseList",
    "list_cases",
    "neighbours_of",
    "parse_filter",
    "parse_place",
    "regions_of",
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
_MOST_READ = 1_000  # contents, for a page of a region
_PART = 250


@dataclass(frozen=True)
class CaseFilter:
    """Which cases are listed.

    Parameters
    ----------
    show : str
        One of `FILTERS`.
    version : int, optional
        Of the policy that decided.
    region : AskRule, optional
        What holds of their contents; a case whose content is not kept is in no region.
    """

    show: str = "all"
    version: int | None = None
    region: AskRule | None = None

    def to_query(self, **more: Any) -> str:
        """Return what `parse_filter` reads, for an address."""
        said: dict[str, Any] = {} if self.show == "all" else {"show": self.show}
        if self.version is not None:
            said["version"] = self.version
        if self.region is not None:
            said["region"] = self.region.name
        return urlencode({**said, **more})


@dataclass(frozen=True)
class CaseList:
    """A page of cases, the newest first, and where the next page begins; None on the last.

    `is_cut` tells that it ended early, after so many contents as are read at once.
    """

    rows: Sequence[CaseRecord]
    older: CasePlace | None
    is_cut: bool = False


def regions_of(row: Deployment) -> dict[str, AskRule]:
    """Return the regions that labels confirmed, by their names."""
    found = (one for one in row.regions.get("found", ()) if "conditions" in one)
    rules = (
        AskRule.from_plain({"name": it["name"], "conditions": it["conditions"]}) for it in found
    )
    return {rule.name: rule for rule in rules}


def parse_filter(row: Deployment, said: Mapping[str, str]) -> CaseFilter | None:
    """Read the filter of an address; None where it names what there is not."""
    show, version, region = (said.get(name, "") for name in ("show", "version", "region"))
    regions = regions_of(row) if region else {}
    if show not in ("", *FILTERS) or (region and region not in regions):
        return None
    if version and not (version.isdecimal() and len(version) < 10):
        return None
    return CaseFilter(show or "all", int(version) if version else None, regions.get(region))


def parse_place(text: str) -> CasePlace | None:
    """Read where a list goes on; None where there is no such place."""
    version, _, seq = text.partition(".")
    if not (version.isdecimal() and seq.isdecimal() and len(version) < 10 and len(seq) < 19):
        return None
    return CasePlace(int(version), int(seq))


def list_cases(row: Deployment, which: CaseFilter, before: CasePlace | None = None) -> CaseList:
    """Return the cases of a filter before a place, at most a page; counts nothing."""
    walk = _Walk(row, which, newest_first=True)
    found = walk.take(_PAGE + 1, before)
    records = records_of(row, found[:_PAGE])
    if len(found) > _PAGE:
        return CaseList(records, records[-1].place)
    return CaseList(records, walk.stopped, is_cut=walk.stopped is not None)


def neighbours_of(
    row: Deployment, which: CaseFilter, place: CasePlace
) -> tuple[CaseRecord | None, CaseRecord | None]:
    """Return the next newer and the next older case of a filter; None where there is none among those that are read at once."""
    newer = _Walk(row, which, newest_first=False).take(1, place)
    older = _Walk(row, which, newest_first=True).take(1, place)
    first, second = (next(iter(records_of(row, found)), None) for found in (newer, older))
    return first, second


_ACTIONS: Mapping[str, Sequence[int]] = {
    "audited": (AUDIT,),
    "review": (ASK,),
    "alone": (ANSWER, AUDIT),
}


class _Walk:
    """From decision to decision of a filter over all versions, in the order of indexes, however few there are among many."""

    def __init__(self, row: Deployment, which: CaseFilter, *, newest_first: bool) -> None:
        self.row, self.which, self.newest_first = row, which, newest_first
        self.left = _MOST_READ
        self.stopped: CasePlace | None = None

    def take(self, most: int, after: CasePlace | None) -> list[tuple[Policy, Receipt]]:
        """Return what comes next after a place; `stopped` is where too much had to be read."""
        found: list[tuple[Policy, Receipt]] = []
        for policy in self._policies(after):
            at = after.seq if after is not None and policy.number == after.version else None
            wanted = most - len(found)
            region = self.which.region
            receipts = (
                self._some(policy, at, wanted)
                if region is None
                else self._inside(policy, at, wanted, region)
            )
            found += [(policy, receipt) for receipt in receipts]
            if len(found) == most or self.stopped is not None:
                break
        return found

    def _policies(self, after: CasePlace | None) -> list[Policy]:
        rows = self.row.policies.defer("told", "log").order_by(
            "-number" if self.newest_first else "number"
        )
        if self.which.version is not None:
            rows = rows.filter(number=self.which.version)
        if after is not None:
            side = "number__lte" if self.newest_first else "number__gte"
            rows = rows.filter(**{side: after.version})
        return list(rows)

    def _inside(self, policy: Policy, at: int | None, most: int, region: AskRule) -> list[Receipt]:
        found: list[Receipt] = []
        while self.left > 0:
            size = min(_PART, self.left)
            part = self._some(policy, at, size)
            keys = [receipt.key for receipt in part]
            kept = cases_of(self.row, keys).filter(content__isnull=False)
            contents = dict(kept.values_list("key", "content"))
            found += [one for one in part if one.key in contents and _covers(region, one, contents)]
            self.left -= len(part)
            if len(found) >= most or len(part) < size:
                return found[:most]
            at = part[-1].seq
            self.stopped = CasePlace(policy.number, at) if self.left == 0 else None
        return found

    def _some(self, policy: Policy, at: int | None, most: int) -> list[Receipt]:
        order, side = ("-seq", "seq__lt") if self.newest_first else ("seq", "seq__gt")
        beyond = {} if at is None else {side: at}
        rows = Receipt.objects.filter(policy=policy, **beyond).order_by(order)
        if self.which.show == "wrong":
            # as a value: SQLite finds no index for what is only true
            wrong = Label.objects.filter(policy=policy, wrong__in=(True,), counts=True)
            wrong = wrong.filter(seq__gte=0)
            numbers = wrong.filter(**beyond).order_by(order).values_list("seq", flat=True)
            return list(rows.filter(seq__in=list(numbers[:most])))
        actions = _ACTIONS.get(self.which.show, ())
        if self.which.region is not None:  # no other content is kept
            actions = [one for one in (ASK, AUDIT) if one in (actions or (ASK, AUDIT))]
        if not actions:
            return list(rows[:most])
        parts = chain(*(rows.filter(action=action)[:most] for action in actions))
        return sorted(parts, key=lambda it: it.seq, reverse=self.newest_first)[:most]


def _covers(region: AskRule, receipt: Receipt, contents: Mapping[str, Any]) -> bool:
    fields = case_fields(content_text(contents[receipt.key]))
    if receipt.group is not None:
        fields["group"] = receipt.group
    return region.covers(fields)
