"""Lists of decided cases by filters that stand in the address, and the next case of a list; each costs the same, however many there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import chain
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from askpoint.errors import RuleError
from askpoint.live.ask_rules import AskRule, case_fields
from askpoint.server.deployments.case_filters import CaseFilter
from askpoint.server.deployments.case_records import CasePlace, CaseRecord, records_of
from askpoint.server.deployments.cases import cases_of, content_text
from askpoint.server.deployments.models import DeletedContent, Deployment, Label, Policy, Receipt
from askpoint.server.deployments.policy_state import document_of
from askpoint.server.deployments.rows import ANSWER, ASK, AUDIT

__all__ = ["CaseList", "list_cases", "neighbours_of", "parse_place"]

_PAGE = 50
_MOST_CONTENTS = 1_000  # read for a page of a region
_MOST_READ = 20_000  # decisions, for a page of another filter that no index answers
_PART, _PART_OF_CONTENTS = 1_000, 250
_MOST_KEYS = 1_000


@dataclass(frozen=True)
class CaseList:
    """A page of cases, the newest first, and where the next page begins; None on the last.

    `is_cut` tells that it ended early, after so many contents as are read at once.
    """

    rows: Sequence[CaseRecord]
    older: CasePlace | None
    is_cut: bool = False


def parse_place(text: str) -> CasePlace | None:
    """Read where a list goes on; None where there is no such place."""
    version, _, seq = text.partition(".")
    if not (version.isdecimal() and seq.isdecimal() and len(version) < 10 and len(seq) < 19):
        return None
    return CasePlace(int(version), int(seq))


def list_cases(row: Deployment, which: CaseFilter, before: CasePlace | None = None) -> CaseList:
    """Return the cases of a filter before a place, at most a page; counts nothing.

    Raises
    ------
    RuleError
        ``bad-filter``, if too many keys begin as it says.
    """
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
    """From decision to decision of a filter over all versions, in the order of indexes, however few there are among many.

    One index leads from number to number; what else must hold is asked of so many numbers at once, and of so many in all.
    """

    def __init__(self, row: Deployment, which: CaseFilter, *, newest_first: bool) -> None:
        self.row, self.which, self.newest_first = row, which, newest_first
        by_content = which.region is not None
        self.left = _MOST_CONTENTS if by_content else _MOST_READ
        self.part = _PART_OF_CONTENTS if by_content else _PART
        self.keyed = _numbers_of_key(row, which.key) if which.key else None
        self.actions = _ACTIONS.get(which.show, ())
        if by_content:  # no other content is kept
            self.actions = [one for one in (ASK, AUDIT) if one in (self.actions or (ASK, AUDIT))]
        self.stopped: CasePlace | None = None

    def take(self, most: int, after: CasePlace | None) -> list[tuple[Policy, Receipt]]:
        """Return what comes next after a place; `stopped` is where too much had to be read."""
        found: list[tuple[Policy, Receipt]] = []
        for policy in self._policies(after):
            at = after.seq if after is not None and policy.number == after.version else None
            found += [(policy, it) for it in self._matching(policy, at, most - len(found))]
            if len(found) == most or self.stopped is not None:
                break
        return found

    def _policies(self, after: CasePlace | None) -> list[Policy]:
        rows = self.row.policies.defer("told", "log").order_by(
            "-number" if self.newest_first else "number"
        )
        if self.which.version is not None:
            rows = rows.filter(number=self.which.version)
        if self.keyed is not None:
            rows = rows.filter(pk__in=list(self.keyed))
        if after is not None:
            side = "number__lte" if self.newest_first else "number__gte"
            rows = rows.filter(**{side: after.version})
        return list(rows)

    def _matching(self, policy: Policy, at: int | None, most: int) -> list[Receipt]:
        which = self.which
        span = _span_of(policy, which)
        is_sifted = bool(which.region or which.label or which.answer or which.deleted or which.key)
        found: list[Receipt] = []
        while self.left > 0:
            size = min(self.part, self.left) if is_sifted else most
            numbers = self._numbers(policy, at, size, span)
            found += self._sift(policy, numbers)
            if is_sifted:
                self.left -= len(numbers)
            if len(found) >= most or len(numbers) < size:
                return found[:most]
            at = numbers[-1]
            self.stopped = CasePlace(policy.number, at) if self.left == 0 else None
        return found

    def _numbers(self, policy: Policy, at: int | None, most: int, span: range) -> list[int]:
        """Return the next numbers among which all are that match, by an index in their order."""
        if at is not None:
            beyond = range(at) if self.newest_first else range(at + 1, policy.decided)
            span = range(max(span.start, beyond.start), min(span.stop, beyond.stop))
        if self.keyed is not None:
            held = [one for one in self.keyed[policy.pk] if one in span]
            return sorted(held, reverse=self.newest_first)[:most]
        which = self.which
        streams: list[QuerySet[Any]]
        if which.show == "wrong" or which.label:
            # as a value: SQLite finds no index for what is only true
            sides = (True,) if which.show == "wrong" else (False, True)
            labels = Label.objects.filter(policy=policy, counts=True)
            streams = [labels.filter(wrong__in=(side,)) for side in sides]
        elif which.deleted:
            streams = [DeletedContent.objects.filter(policy=policy)]
        else:
            receipts = Receipt.objects.filter(policy=policy)
            streams = [receipts.filter(action=one) for one in self.actions] or [receipts]
        order = "-seq" if self.newest_first else "seq"
        parts = (
            rows.filter(seq__gte=span.start, seq__lt=span.stop)
            .order_by(order)
            .values_list("seq", flat=True)[:most]
            for rows in streams
        )
        return sorted(set(chain(*parts)), reverse=self.newest_first)[:most]

    def _sift(self, policy: Policy, numbers: list[int]) -> list[Receipt]:
        """Return the receipts among some numbers for which all of the filter holds, in their order."""
        which, held = self.which, set(numbers)
        if held and (which.show == "wrong" or which.label):
            sides = (True,) if which.show == "wrong" else (False, True)
            labels = Label.objects.filter(
                policy=policy, wrong__in=sides, seq__in=numbers, counts=True
            )
            labels = labels.filter(label=which.label) if which.label else labels
            held &= set(labels.values_list("seq", flat=True))
        if held and which.deleted:
            gone = DeletedContent.objects.filter(policy=policy, seq__in=list(held))
            held = set(gone.values_list("seq", flat=True))
        if not held:
            return []
        rows = Receipt.objects.filter(policy=policy, seq__in=list(held))
        if self.actions:
            rows = rows.filter(action__in=self.actions)
        if which.answer:
            classes = document_of(policy).model["classes"]
            rows = rows.filter(
                prediction__in=[n for n, one in enumerate(classes) if one == which.answer]
            )
        found = sorted(rows, key=lambda it: it.seq, reverse=self.newest_first)
        if which.region is None:
            return found
        kept = cases_of(self.row, [it.key for it in found]).filter(content__isnull=False)
        contents = dict(kept.values_list("key", "content"))
        return [it for it in found if it.key in contents and _covers(which.region, it, contents)]


def _numbers_of_key(row: Deployment, key: str) -> dict[int, list[int]]:
    """Return the decisions of a key, or of all that begin so, by version."""
    rows = Receipt.objects.filter(deployment=row)
    begin = key.removesuffix("*")
    if begin == key:
        rows = rows.filter(key=key)
    elif connection.vendor == "postgresql":
        rows = rows.filter(key__startswith=begin)
    else:  # whose LIKE knows no case, and so no index
        rows = rows.filter(key__gte=begin, key__lt=f"{begin}{chr(0x10FFFF)}")
    found: dict[int, list[int]] = {}
    pairs = list(rows.values_list("policy", "seq")[: _MOST_KEYS + 1])
    if len(pairs) > _MOST_KEYS:
        raise RuleError(
            "bad-filter",
            f"Over {_MOST_KEYS:,} keys begin with “{begin}”. Write more of the key before the *.",
        )
    for policy, seq in pairs:
        found.setdefault(policy, []).append(seq)
    return found


def _span_of(policy: Policy, which: CaseFilter) -> range:
    """Return the numbers of the decisions of some days: times only grow with them, so both ends are searched by halves."""
    midnight, day = time(tzinfo=UTC), timedelta(days=1)
    low, high = 0, policy.decided
    if which.since is not None:
        low = _first_from(policy, datetime.combine(which.since, midnight), high)
    if which.until is not None and which.until < date.max:
        high = _first_from(policy, datetime.combine(which.until + day, midnight), high)
    return range(low, high)


def _first_from(policy: Policy, moment: datetime, stop: int) -> int:
    """Return the number of the first decision at or after a moment."""
    low, high, place = 0, stop, 0
    while low < high:
        rows = Receipt.objects.filter(policy=policy, seq__gte=place).order_by("seq")
        at = rows.values_list("at", flat=True)[:1]
        low, high = (low, place) if all(one >= moment for one in at) else (place + 1, high)
        place = stop - 1 if (low, high) == (1, stop) else (low + high) // 2  # both ends first
    return low


def _covers(region: AskRule, receipt: Receipt, contents: Mapping[str, Any]) -> bool:
    fields = case_fields(content_text(contents[receipt.key]))
    if receipt.group is not None:
        fields["group"] = receipt.group
    return region.covers(fields)
