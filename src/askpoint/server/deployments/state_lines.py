"""The state of many classifiers in one line each, from a few counts and events: no life is replayed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from django.db.models import F, Max, Q, Sum
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
from askpoint.server.deployments.models import Deployment, Event as EventRow, Incident, Policy
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


def classifier_rows(
    deployments: Iterable[Deployment], owned: Collection[str]
) -> list[ClassifierRow]:
    """Return the rows of the home page, those that need an owner first; `owned` by their ids."""
    rows = list(deployments)
    policies = _policies_in_use(rows)
    versions = _count_versions(rows)
    lines, last = _state_lines(rows, policies, versions), _last_events(rows)
    waiting, incidents = count_waiting(rows), _open_incidents(rows)
    today = timezone.now().astimezone(UTC).date()
    spans = {name: _week_before(incident) for name, incident in incidents.items()}
    days = _days_by_classifier(rows, today - (_WEEK - 1) * _DAY, spans)
    made = []
    for row in rows:
        lately, policy = last_week(row, days[row.pk], today), policies.get(row.pk)
        week, incident = window_of(lately), incidents.get(row.pk)
        band = None
        if policy is not None and week.answered:
            band = band_of(week, document_of(policy).terms.answer_below)
        made.append(
            ClassifierRow(
                deployment=row,
                state=lines[row.pk],
                last=last.get(row.pk),
                proposed=versions.get(row.pk, (0, None))[1],
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
    return _state_lines([row], _policies_in_use([row]), _count_versions([row]))[row.pk]


def newer_version(row: Deployment) -> int | None:
    """Return the newest version that waits for an owner; None where there is none."""
    return _count_versions([row]).get(row.pk, (0, None))[1]


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


def _policies_in_use(rows: Sequence[Deployment]) -> dict[str, Policy]:
    in_use = Policy.objects.filter(deployment__in=rows, number=F("deployment__adopted"))
    return {policy.deployment_id: policy for policy in in_use}


def _days_by_classifier(
    rows: Sequence[Deployment], since: date, spans: Mapping[str, tuple[date, date]]
) -> dict[str, list[DayCounts]]:
    days: dict[str, list[DayCounts]] = {row.pk: [] for row in rows}
    for one in days_of(rows, since, spans):
        days[one.classifier].append(one)
    return days


def _open_incidents(rows: Sequence[Deployment]) -> dict[str, Incident]:
    lasting = Incident.objects.filter(deployment__in=rows, ended=None)
    return {one.deployment_id: one for one in lasting.order_by("number")}


def _week_before(incident: Incident) -> tuple[date, date]:
    began = incident.at.astimezone(UTC).date()
    return began - _WEEK * _DAY, began


def _share_before(
    row: Deployment,
    policy: Policy | None,
    incident: Incident | None,
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


def _state_lines(
    rows: Sequence[Deployment],
    policies: Mapping[str, Policy],
    versions: Mapping[str, tuple[int, int | None]],
) -> dict[str, StateLine]:
    switched, moved = _switches(list(policies.values()))
    return {
        row.pk: classifier_state_line(
            _facts(row, policies.get(row.pk), versions.get(row.pk, (0, None))[0], switched, moved)
        )
        for row in rows
    }


def _facts(
    row: Deployment,
    policy: Policy | None,
    decided: int,
    switched: Mapping[int, EventRow],
    moved: Mapping[int, EventRow],
) -> ClassifierFacts:
    if policy is None:
        return ClassifierFacts(
            adopted=None,
            decided=decided,
            mode=row.mode,
            rollout=row.rollout,
            threshold=None,
            archived=row.archived,
            deleted=row.deleted,
            removed_on=row.removed_on,
        )
    document = document_of(policy)
    switch, move = switched.get(policy.pk), moved.get(policy.pk)
    threshold = document.state.threshold if move is None else move.numbers.get("threshold")
    return ClassifierFacts(
        adopted=policy.adopted,
        decided=decided,
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


def _switches(policies: Sequence[Policy]) -> tuple[dict[int, EventRow], dict[int, EventRow]]:
    """The last event of each policy that began or ended answers, and the last that moved its threshold."""
    ends_or_begins = [
        kind
        for kind, record in EVENTS.items()
        if record.answers is not None and kind != "threshold"
    ]
    return _last_of(policies, ends_or_begins), _last_of(policies, ["opened", "threshold"])


def _last_of(policies: Sequence[Policy], kinds: Sequence[str]) -> dict[int, EventRow]:
    newest = (
        EventRow.objects.filter(policy__in=policies, kind__in=kinds)
        .values("policy")
        .annotate(newest=Max("pk"))
        .values("newest")
        .order_by()
    )
    return {event.policy_id: event for event in EventRow.objects.filter(pk__in=newest)}


def _last_events(rows: Sequence[Deployment]) -> dict[str, HistoryLine]:
    newest = (
        EventRow.objects.filter(policy__deployment__in=rows)
        .values("policy__deployment")
        .annotate(newest=Max("pk"))
        .values("newest")
        .order_by()
    )
    found = EventRow.objects.filter(pk__in=newest).select_related("policy")
    return {event.policy.deployment_id: _history_line(event) for event in found}


def _count_versions(rows: Sequence[Deployment]) -> dict[str, tuple[int, int | None]]:
    """Cases that all versions of each decided, and the newest version that waits for an owner."""
    newer = Q(adopted=None, number__gt=F("deployment__adopted"))
    counted = Policy.objects.filter(deployment__in=rows).values("deployment").order_by()
    counted = counted.annotate(of_all=Sum("decided"), newest=Max("number", filter=newer))
    return {
        name: (decided, newest)
        for name, decided, newest in counted.values_list("deployment", "of_all", "newest")
    }
