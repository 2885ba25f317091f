"""The state of many classifiers in one line each, from a few counts and events: no life is replayed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from django.db.models import F, FilteredRelation, Max, OuterRef, Q, Subquery, Sum
from django.utils import timezone

from askpoint.live.ask_rules import rules_of
from askpoint.live.events import EVENTS, Event, event_kind
from askpoint.reports.live.classifier_state import ClassifierFacts, classifier_state_line
from askpoint.reports.live.events import event_text
from askpoint.reports.state_line import StateLine
from askpoint.reports.words import plural, work_time
from askpoint.server.deployments.cases import count_waiting
from askpoint.server.deployments.day_counts import (
    Band,
    DayCounts,
    WindowCounts,
    band_of,
    cases_a_day,
    days_of,
    last_week,
    window_of,
)
from askpoint.server.deployments.models import Deployment, Event as EventRow, Policy
from askpoint.server.deployments.policy_state import document_of

__all__ = [
    "ClassifierRow",
    "HistoryLine",
    "classifier_rows",
    "fleet_line",
    "history_lines",
    "history_of",
    "newer_version",
    "state_line_of",
]

_WORST_FIRST = ("closed", "waiting", "empty", "learning", "shadow", "answering", "archived")
_NEEDS_SOMEBODY = ("closed", "waiting")
_MOST = 50
_DAY = timedelta(days=1)
_WEEK = 7  # days


_FIRST = 1  # version
_MOVES = ["opened", "threshold"]


@dataclass(frozen=True)
class HistoryLine:
    """Something that a version of a classifier did.

    Parameters
    ----------
    at : datetime
        When.
    version : int
        Which.
    text : str
        In words, with its numbers.
    brief : str
        In a sentence.
    is_bad : bool
        Whether it ended answers.
    """

    at: datetime
    version: int
    text: str
    brief: str
    is_bad: bool


@dataclass(frozen=True)
class ClassifierRow:
    """A classifier on the home page.

    Parameters
    ----------
    deployment, state, last : Deployment, StateLine, HistoryLine or None
        Which, its state, and what happened last.
    proposed : int or None
        The version that waits for an owner.
    owned : bool
        Whether the reader is an owner.
    week : WindowCounts
        The last seven days.
    band : Band or None
        Mistakes of these days beside what was agreed; None where nothing was decided alone.
    waiting : int
        Cases that wait for a label.
    incident : int or None
        The one that lasts.
    alone_before : float or None
        Share decided alone in the week before that one began; None where it is not known.
    per_day : float
        Cases that come a day.
    """

    deployment: Deployment
    state: StateLine
    last: HistoryLine | None
    proposed: int | None
    owned: bool
    week: WindowCounts
    band: Band | None
    waiting: int
    incident: int | None
    alone_before: float | None = None
    per_day: float = 0.0

    @property
    def outgrows(self) -> bool:
        """Whether every case goes to review, and more come than reviewers label."""
        capacity = self.deployment.capacity
        return self.state.kind == "learning" and capacity is not None and self.per_day > capacity

    @property
    def needs_somebody(self) -> bool:
        """Whether an owner must act."""
        return self.state.kind in _NEEDS_SOMEBODY

    @property
    def queue(self) -> str:
        """What waits: in hours of reviewers once it is known how long a label takes, in cases before."""
        return self._work(self.waiting)

    @property
    def capacity(self) -> str:
        """What reviewers do a day, in the same unit; empty where nobody stated it."""
        return "" if self.deployment.capacity is None else self._work(self.deployment.capacity)

    def _work(self, n_cases: int) -> str:
        seconds = self.deployment.label_seconds
        return plural(n_cases, "case", "cases") if seconds is None else work_time(n_cases * seconds)


class _OpenIncident(NamedTuple):
    """An incident that lasts: its number, when and after how many decisions it began, and of which policy."""

    number: int
    at: datetime
    seq: int
    policy_id: int


@dataclass(frozen=True)
class _Versions:
    """The version of a classifier in use, cases that all decided, the newest that waits for an owner, and the incident that lasts."""

    policy: Policy | None = None
    decided: int = 0
    newest: int | None = None
    incident: _OpenIncident | None = None


@dataclass(frozen=True)
class _Events:
    """By classifier its last event, and of the version in use the last that began or ended answers, or moved the threshold."""

    last: dict[str, EventRow]
    switched: dict[str, EventRow]
    moved: dict[str, EventRow]


def classifier_rows(
    deployments: Iterable[Deployment], owned: Collection[str]
) -> list[ClassifierRow]:
    """Return the rows of the home page, those that need an owner first; `owned` by their ids."""
    rows = list(deployments)
    versions = _read_versions(rows)
    events = _read_events(rows, versions)
    waiting = count_waiting(rows)
    today = timezone.now().astimezone(UTC).date()
    spans = {
        name: _week_before(one.incident)
        for name, one in versions.items()
        if one.incident is not None
    }
    days = _days_by_classifier(rows, today - (_WEEK - 1) * _DAY, spans)
    made = []
    for row in rows:
        lately, version = last_week(row, days[row.pk], today), versions[row.pk]
        week, incident = window_of(lately), version.incident
        policy, last, band = version.policy, events.last.get(row.pk), None
        if policy is not None and week.answered:
            band = band_of(week, document_of(policy).terms.answer_below)
        made.append(
            ClassifierRow(
                deployment=row,
                state=classifier_state_line(_facts(row, version, events)),
                last=None if last is None else _history_line(last),
                proposed=version.newest,
                owned=row.pk in owned,
                week=week,
                band=band,
                waiting=waiting.get(row.pk, 0),
                incident=None if incident is None else incident.number,
                alone_before=_share_before(row, policy, incident, days[row.pk]),
                per_day=cases_a_day(lately, today),
            )
        )
    return sorted(
        made, key=lambda one: (_WORST_FIRST.index(one.state.kind), one.deployment.title.casefold())
    )


def fleet_line(rows: Sequence[ClassifierRow]) -> str:
    """Return how many of them need somebody, in a sentence."""
    rows = [row for row in rows if row.state.kind != "archived"]
    needing = sum(row.needs_somebody for row in rows)
    proposed = sum(row.owned and row.proposed is not None for row in rows)
    outgrown = sum(row.owned and row.outgrows for row in rows)
    said = "None needs you."
    if needing:
        verb = "needs" if needing == 1 else "need"
        said = f"{needing:,} of {len(rows):,} {verb} you. Worst first."
    if proposed:
        said += f" {proposed:,} {'has' if proposed == 1 else 'have'} a new version to read."
    if outgrown:
        said += f" {outgrown:,} {'has' if outgrown == 1 else 'have'} too few reviewers."
    return said


def state_line_of(row: Deployment) -> StateLine:
    """Return the state of one classifier."""
    versions = _read_versions([row])
    return classifier_state_line(_facts(row, versions[row.pk], _read_events([row], versions)))


def newer_version(row: Deployment) -> int | None:
    """Return the newest version that waits for an owner; None where there is none."""
    return _read_versions([row])[row.pk].newest


def history_of(row: Deployment, most: int = _MOST) -> list[HistoryLine]:
    """Return what the policies of all versions did, the newest first."""
    events = EventRow.objects.filter(policy__deployment=row).select_related("policy")
    return history_lines(events.order_by("-pk")[:most])


def history_lines(events: Iterable[EventRow]) -> list[HistoryLine]:
    """Return events, read with their policies, in words."""
    return [_history_line(event) for event in events]


def _history_line(row: EventRow) -> HistoryLine:
    record = event_kind(row.kind)
    text = event_text(Event(row.seq, row.kind, row.numbers))
    text = text[:1].upper() + text[1:]
    is_bad = record.answers is False or bool(record.watch)
    return HistoryLine(row.at, row.policy.number, text, record.because or text, is_bad)


def _days_by_classifier(
    rows: Sequence[Deployment], since: date, spans: Mapping[str, tuple[date, date]]
) -> dict[str, list[DayCounts]]:
    days: dict[str, list[DayCounts]] = {row.pk: [] for row in rows}
    for one in days_of(rows, since, spans):
        days[one.classifier].append(one)
    return days


def _week_before(incident: _OpenIncident) -> tuple[date, date]:
    began = incident.at.astimezone(UTC).date()
    return began - _WEEK * _DAY, began


def _share_before(
    row: Deployment,
    policy: Policy | None,
    incident: _OpenIncident | None,
    days: Sequence[DayCounts],
) -> float | None:
    """The share decided alone in the seven days before the day on which an incident began.

    Of a version that closed on its first day the cases before that count: their number is the incident's.
    """
    if incident is None or policy is None or incident.policy_id != policy.pk:
        return None
    first, began = _week_before(incident)
    days = [one for one in days if one.version == policy.number and first <= one.date <= began]
    before = [one for one in days if one.date < began and not one.held]
    decided = sum(one.decided for one in before)
    if decided:
        return sum(one.answered for one in before) / decided
    if policy.adopted is None or policy.adopted.astimezone(UTC).date() < first:
        return None
    held = sum(one.decided for one in days if one.held)
    if held and row.kept_closed is not None:  # nobody knows how many of them came before
        return None
    answered = sum(one.answered for one in days if not one.held)
    decided = incident.seq - document_of(policy).state.decided - held
    return answered / decided if 0 < decided >= answered else None


def _facts(row: Deployment, version: _Versions, events: _Events) -> ClassifierFacts:
    policy = version.policy
    if policy is None:
        return ClassifierFacts(
            adopted=None,
            decided=version.decided,
            mode=row.mode,
            rollout=row.rollout,
            threshold=None,
            archived=row.archived,
            deleted=row.deleted,
            removed_on=row.removed_on,
        )
    document = document_of(policy)
    switch, move = events.switched.get(row.pk), events.moved.get(row.pk)
    threshold = document.state.threshold if move is None else move.numbers.get("threshold")
    return ClassifierFacts(
        adopted=policy.adopted,
        decided=version.decided,
        mode=row.mode,
        rollout=row.rollout,
        threshold=threshold,
        by_group=document.group_scale is not None,
        switched=None if switch is None else (switch.kind, switch.at),
        kept_closed=row.kept_closed,
        archived=row.archived,
        deleted=row.deleted,
        removed_on=row.removed_on,
        asks_where=" or ".join(rule.name for rule in rules_of(document.model)),
    )


def _read_versions(rows: Sequence[Deployment]) -> dict[str, _Versions]:
    """Return the versions of classifiers and their open incidents, in one query."""
    same = Policy.objects.filter(deployment=OuterRef("deployment")).order_by()
    newer = same.filter(adopted=None, number__gt=OuterRef("deployment__adopted"))
    of_all = same.values("deployment").annotate(of_all=Sum("decided")).values("of_all")
    shown = Q(number=F("deployment__adopted")) | Q(number=_FIRST, deployment__adopted=0)
    lasting = Q(deployment__incidents__ended=None)
    found = Policy.objects.annotate(
        of_all=Subquery(of_all),
        newest=Subquery(newer.order_by("-number").values("number")[:1]),
        incident=FilteredRelation("deployment__incidents", condition=lasting),
        **{f"incident_{name}": F(f"incident__{name}") for name in _OpenIncident._fields},
    )
    made = {row.pk: _Versions() for row in rows}
    for policy in found.filter(shown, deployment__in=rows).order_by("incident_number"):
        incident = _OpenIncident(
            *(getattr(policy, f"incident_{name}") for name in _OpenIncident._fields)
        )
        made[policy.deployment_id] = _Versions(
            policy=None if policy.adopted is None else policy,
            decided=policy.of_all,
            newest=policy.newest,
            incident=None if incident.number is None else incident,
        )
    return made


def _read_events(rows: Sequence[Deployment], versions: Mapping[str, _Versions]) -> _Events:
    """Return the events that classifiers are told by, in one query."""
    begins_or_ends = [
        kind
        for kind, record in EVENTS.items()
        if record.answers is not None and kind != "threshold"
    ]
    in_use = [one.policy.pk for one in versions.values() if one.policy is not None]
    of_policy = EventRow.objects.filter(policy=OuterRef("pk")).order_by("-n").values("pk")

    def newest(**kinds: Sequence[str]) -> Subquery:
        return Subquery(of_policy.filter(**kinds)[:1])  # by the index of their numbers

    every = Policy.objects.order_by().filter(deployment__in=rows).values("deployment")
    used = Policy.objects.order_by().filter(pk__in=in_use)
    told = (
        every.annotate(event=Max(newest())).values("event"),
        used.annotate(event=newest(kind__in=begins_or_ends)).values("event"),
        used.annotate(event=newest(kind__in=_MOVES)).values("event"),
    )
    found = EventRow.objects.filter(pk__in=told[0].union(*told[1:])).select_related("policy")
    made = _Events({}, {}, {})
    for event in found.defer("policy__document", "policy__told").order_by("pk"):
        name = event.policy.deployment_id
        made.last[name] = event
        policy = versions[name].policy
        if policy is not None and policy.pk == event.policy_id:
            if event.kind in begins_or_ends:
                made.switched[name] = event
            if event.kind in _MOVES:
                made.moved[name] = event
    return made
