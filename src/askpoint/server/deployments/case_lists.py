"""Lists of decided cases by filters that stand in the address, and the next case of a list; each costs the same, however many there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import chain
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Q, QuerySet

from askpoint.errors import RuleError
from askpoint.live.ask_rules import AskRule, case_fields
from askpoint.server.deployments.case_filters import CaseFilter
from askpoint.server.deployments.case_marks import unsettled_cases
from askpoint.server.deployments.case_records import CasePlace, CaseRecord, records_of
from askpoint.server.deployments.cases import cases_of, content_text
from askpoint.server.deployments.models import (
    CaseMark,
    DeletedContent,
    Deployment,
    Label,
    Policy,
    Receipt,
)
from askpoint.server.deployments.policy_state import document_of
from askpoint.server.deployments.rows import ANSWER, ASK, AUDIT

__all__ = ["CaseList", "iterate_cases", "list_cases", "neighbours_of", "parse_place"]

_PAGE = 50
_PART_OF_FILE = 500
_MOST_CONTENTS = 1_000  # read for a page of a region
_MOST_READ = 10_000  # decisions, for a page of another filter that no index answers
_MOST_SCANNED = (
    100_000  # decisions, for a page of a group: they are passed over within the database
)
_PART, _PART_OF_CONTENTS, _PART_SCANNED = 1_000, 250, 10_000
_MOST_KEYS = _MOST_UNSETTLED = 1_000


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


def iterate_cases(row: Deployment, which: CaseFilter) -> Iterator[CaseRecord]:
    """Yield all cases of a filter, the newest first; some at a time are read, and never more.

    Raises
    ------
    RuleError
        As `list_cases`.
    """
    place: CasePlace | None = None
    while True:
        walk = _Walk(row, which, newest_first=True)
        records = records_of(row, walk.take(_PART_OF_FILE, place))
        yield from records
        place = records[-1].place if len(records) == _PART_OF_FILE else walk.stopped
        if place is None:
            return


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


_MARKS = {"differ": CaseMark.DIFFER, "unsure": CaseMark.UNSURE}


class _Stretch(NamedTuple):
    """Numbers among which all are that match, how much was read for them, and where it goes on; None at the end."""

    numbers: list[int]
    read: int
    goes_on: int | None


class _Walk:
    """From decision to decision of a filter over all versions, in the order of indexes, however few there are among many.

    One index leads from number to number: the one of what is rarest, as far as that is known without counting. What else
    must hold is asked of so many numbers at once, and of so many in all.
    """

    def __init__(self, row: Deployment, which: CaseFilter, *, newest_first: bool) -> None:
        self.row, self.which, self.newest_first = row, which, newest_first
        by_content = which.region is not None
        self.is_labelled = which.show == "wrong" or bool(which.label)
        others = by_content or self.is_labelled or which.deleted or which.key
        self.scans = bool(which.group) and not others and which.show not in (*_MARKS, "unsettled")
        self.left, self.part = _MOST_READ, _PART
        if by_content:
            self.left, self.part = _MOST_CONTENTS, _PART_OF_CONTENTS
        elif self.scans:
            self.left, self.part = _MOST_SCANNED, _PART_SCANNED
        self.keyed: dict[int, list[int]] | None = None
        self.actions = _ACTIONS.get(which.show, ())
        if by_content:  # no other content is kept
            self.actions = [one for one in (ASK, AUDIT) if one in (self.actions or (ASK, AUDIT))]
        self.stopped: CasePlace | None = None

    def take(self, most: int, after: CasePlace | None) -> list[tuple[Policy, Receipt]]:
        """Return what comes next after a place; `stopped` is where too much had to be read."""
        rest: CasePlace | None = None
        if self.which.key:
            self.keyed = _numbers_of_key(self.row, self.which.key)
        elif self.which.show == "unsettled":
            self.keyed, rest = _next_unsettled(self.row, after, newest_first=self.newest_first)
        found: list[tuple[Policy, Receipt]] = []
        for policy in self._policies(after):
            at = after.seq if after is not None and policy.number == after.version else None
            found += [(policy, it) for it in self._matching(policy, at, most - len(found))]
            if len(found) == most or self.stopped is not None:
                return found
        self.stopped = rest
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
        span = _span_of(policy, self.which)
        found: list[Receipt] = []
        while self.left > 0:
            part = self._next(policy, at, most, span)
            found += self._sift(policy, part.numbers)
            self.left -= part.read
            if len(found) >= most or part.goes_on is None:
                return found[:most]
            at = part.goes_on
            self.stopped = CasePlace(policy.number, at) if self.left <= 0 else None
        return found

    def _next(self, policy: Policy, at: int | None, most: int, span: range) -> _Stretch:
        """Return the next numbers after one, by an index in their order."""
        if at is not None:
            beyond = range(at) if self.newest_first else range(at + 1, policy.decided)
            span = range(max(span.start, beyond.start), min(span.stop, beyond.stop))
        if self.scans:
            return self._scan(policy, span)
        is_sifted = bool(self.which.region or self.is_labelled or self.which.answer)
        is_sifted = is_sifted or bool(self.which.deleted or self.which.key or self.which.group)
        size = min(self.part, self.left) if is_sifted else most
        if self.keyed is not None:
            held = [one for one in self.keyed[policy.pk] if one in span]
            numbers = sorted(held, reverse=self.newest_first)[:size]
        else:
            order = "-seq" if self.newest_first else "seq"
            streams = (
                rows.filter(seq__gte=span.start, seq__lt=span.stop)
                .order_by(order)
                .values_list("seq", flat=True)[:size]
                for rows in self._streams(policy)
            )
            numbers = sorted(set(chain(*streams)), reverse=self.newest_first)[:size]
        goes_on = numbers[-1] if len(numbers) == size else None
        return _Stretch(numbers, len(numbers) if is_sifted else 0, goes_on)

    def _streams(self, policy: Policy) -> list[QuerySet[Any]]:
        """Return rows of which each index of a few columns and then the number holds those that may match."""
        which = self.which
        if which.deleted:
            return [DeletedContent.objects.filter(policy=policy)]
        if which.show in _MARKS:
            return [CaseMark.objects.filter(policy=policy, kind=_MARKS[which.show])]
        if self.is_labelled:
            return [self._labels(policy).filter(wrong__in=(side,)) for side in self._sides]
        receipts = Receipt.objects.filter(policy=policy)
        if which.answer:
            return [receipts.filter(prediction=one) for one in self._predictions(policy)]
        return [receipts.filter(action=one) for one in self.actions] or [receipts]

    @property
    def _sides(self) -> Sequence[bool]:
        """Whether the model was wrong, as far as that follows from the filter.

        They are given as values: SQLite finds no index for what is only true.
        """
        which = self.which
        if which.show == "wrong":
            return (True,)
        return (which.label != which.answer,) if which.label and which.answer else (False, True)

    def _labels(self, policy: Policy) -> QuerySet[Label]:
        rows = Label.objects.filter(policy=policy, counts=True)
        return rows.filter(label=self.which.label) if self.which.label else rows

    def _predictions(self, policy: Policy) -> list[int]:
        classes = document_of(policy).model["classes"]
        return [place for place, one in enumerate(classes) if one == self.which.answer]

    def _receipts(self, policy: Policy) -> QuerySet[Receipt]:
        """Return the receipts of which all holds that a receipt tells."""
        rows = Receipt.objects.filter(policy=policy)
        if self.actions:
            rows = rows.filter(action__in=self.actions)
        if self.which.answer:
            rows = rows.filter(prediction__in=self._predictions(policy))
        return rows.filter(group=self.which.group) if self.which.group else rows

    def _scan(self, policy: Policy, span: range) -> _Stretch:
        """Return the numbers of a group among the next ones: no index has groups, which few classifiers have."""
        size = min(self.part, self.left)
        first = max(span.start, span.stop - size) if self.newest_first else span.start
        near = range(first, min(span.stop, first + size))
        rows = self._receipts(policy).filter(seq__gte=near.start, seq__lt=near.stop)
        numbers = sorted(rows.values_list("seq", flat=True), reverse=self.newest_first)
        is_last = len(near) < size or near == span
        end = near.start if self.newest_first else near.stop - 1
        return _Stretch(numbers, size, None if is_last else end)

    def _sift(self, policy: Policy, numbers: list[int]) -> list[Receipt]:
        """Return the receipts among some numbers for which all of the filter holds, in their order."""
        which, held = self.which, set(numbers)
        if held and self.is_labelled:
            labels = self._labels(policy).filter(wrong__in=self._sides, seq__in=numbers)
            held &= set(labels.values_list("seq", flat=True))
        if held and which.deleted:
            gone = DeletedContent.objects.filter(policy=policy, seq__in=list(held))
            held = set(gone.values_list("seq", flat=True))
        if held and which.show in _MARKS:
            marks = CaseMark.objects.filter(policy=policy, kind=_MARKS[which.show])
            held = set(marks.filter(seq__in=list(held)).values_list("seq", flat=True))
        if not held:
            return []
        rows = self._receipts(policy).filter(seq__in=list(held))
        found = sorted(rows, key=lambda it: it.seq, reverse=self.newest_first)
        if which.show == "unsettled" and which.key:
            waiting = unsettled_cases(self.row).filter(key__in=[it.key for it in found])
            keys = set(waiting.exclude(key="").values_list("key", flat=True))
            found = [it for it in found if it.key in keys]
        if which.region is None:
            return found
        kept = cases_of(self.row, [it.key for it in found]).filter(content__isnull=False)
        contents = dict(kept.values_list("key", "content"))
        return [it for it in found if it.key in contents and _covers(which.region, it, contents)]


def _decision_at(row: Deployment, place: CasePlace) -> Iterable[tuple[datetime, str]]:
    rows = Receipt.objects.filter(policy__deployment=row, policy__number=place.version)
    return list(rows.filter(seq=place.seq).values_list("at", "key"))


def _next_unsettled(
    row: Deployment, after: CasePlace | None, *, newest_first: bool
) -> tuple[dict[int, list[int]], CasePlace | None]:
    """Return the decisions that wait for the owner nearest to a place, by version, and where the rest begins.

    A case is opened when it is decided, and those of a batch have ids in its order: so the order of both is the same.
    """
    rows = unsettled_cases(row)
    side = "lt" if newest_first else "gt"
    for at, key in _decision_at(row, after) if after is not None else ():
        same = Q(opened=at, **{f"pk__{side}": it.pk for it in cases_of(row, [key])})
        rows = rows.filter(Q(**{f"opened__{side}": at}) | same)
    order = ("-opened", "-pk") if newest_first else ("opened", "pk")
    streams = (  # each in the order of an index
        rows.filter(purpose=purpose).order_by(*order).values_list("opened", "pk", "key")
        for purpose in ("asked", "audit")
    )
    nearest = sorted(chain(*(it[:_MOST_UNSETTLED] for it in streams)), reverse=newest_first)
    keys = [key for _, _, key in nearest[:_MOST_UNSETTLED]]
    decided = Receipt.objects.filter(deployment=row, key__in=keys).order_by("policy__number", "seq")
    found: dict[int, list[int]] = {}
    places_found = list(decided.values_list("policy", "policy__number", "seq"))
    for policy, _, seq in places_found:
        found.setdefault(policy, []).append(seq)
    if len(keys) < _MOST_UNSETTLED:
        return found, None
    _, version, seq = places_found[0 if newest_first else -1]
    return found, CasePlace(version, seq)


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
