"""A classifier in days and in its owner's unit: four numbers, mistakes by day, people's hours by day."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta

from askpoint.measures.intervals import Interval
from askpoint.reports.live.incident_counts import incident_range_text
from askpoint.reports.state_line import StateLine
from askpoint.reports.words import count, estimate_text, money_text, plural, rough, work_time
from askpoint.server.clock import moment
from askpoint.server.deployments.cases import waiting_cases
from askpoint.server.deployments.day_charts import (
    DayChart,
    MistakeDay,
    WorkDay,
    closed_days,
    draw_mistakes,
    draw_work,
    mistake_days,
)
from askpoint.server.deployments.day_counts import (
    Band,
    DayCounts,
    WindowCounts,
    band_of,
    days_of,
    is_in_shadow,
    window_of,
)
from askpoint.server.deployments.incident_records import IncidentRecord
from askpoint.server.deployments.models import Deployment, Incident, Label, Policy, Receipt
from askpoint.server.deployments.policy_state import document_of
from askpoint.server.deployments.version_diff import owner_prices, price_of_work

__all__ = ["RANGES", "Overview", "Stat", "overview_of"]

RANGES = {"7": "7 days", "28": "28 days", "90": "90 days", "all": "all"}
"""What a reader may choose, and in words."""

_DAY = timedelta(days=1)
_MANY = 20  # labels that are held up by one case; fewer are the usual order of a queue
_WINDOW = 7
_FEWEST = 2  # days, before which there is nothing to draw


@dataclass(frozen=True)
class Stat:
    """A number of the first screen.

    Parameters
    ----------
    name, value, small : str
        What it is, the number with its unit, and between what it lies.
    is_open : bool
        Whether it, or its sign, is not known.
    band : Band or None
        Drawn beside it.
    """

    name: str
    value: str
    small: str
    is_open: bool = False
    band: Band | None = None


@dataclass(frozen=True)
class Overview:
    """What a page tells before its folds.

    Parameters
    ----------
    range : str
        Which of `RANGES`.
    stats : list of Stat
        At most four.
    apart : str
        What the range holds that the numbers leave out; else empty.
    counted : str
        How many wrong answers an open incident let out, and why the mistake budget counts more; else empty.
    mistakes, work : list of DayChart
        Empty where there is nothing to draw.
    points, days : list
        The numbers of both charts.
    work_unit : str
        Hours, or labels where nobody knows how long one takes.
    """

    range: str
    stats: list[Stat]
    apart: str
    counted: str = ""
    mistakes: list[DayChart] = field(default_factory=list)
    work: list[DayChart] = field(default_factory=list)
    points: list[MistakeDay] = field(default_factory=list)
    days: list[WorkDay] = field(default_factory=list)
    work_unit: str = ""


@dataclass(frozen=True)
class _Asked:
    """What stands beside the counts of the days."""

    row: Deployment
    policy: Policy
    state: StateLine
    record: IncidentRecord | None
    now: datetime
    first: date
    seconds: float | None

    @property
    def days(self) -> int:
        """How many the range holds."""
        return (self.now.date() - self.first).days + 1

    @property
    def limit(self) -> float:
        """Share of mistakes among the answers that was agreed."""
        return document_of(self.policy).terms.answer_below


def overview_of(
    row: Deployment, state: StateLine, incident: Incident | None, days: str = "28"
) -> Overview | None:
    """Return the numbers and charts of a classifier; None while no version is in use."""
    policy = Policy.objects.filter(deployment=row, number=row.adopted).first()
    if policy is None:
        return None
    now = moment(row).astimezone(UTC)
    wanted = date.min if days == "all" else now.date() - (int(days) - 1) * _DAY
    every = days_of([row], None if days == "all" else wanted - (_WINDOW - 1) * _DAY)
    shadow = is_in_shadow(row)
    mine = [one for one in every if one.held == shadow]
    begun = max(wanted, min((one.date for one in mine), default=now.date()))
    record = None if incident is None or state.kind != "closed" else IncidentRecord(incident)
    question = _Asked(row, policy, state, record, now, begun, row.label_seconds)
    inside = [one for one in mine if one.date >= begun]
    window = window_of(inside)
    stats = list(_stats(question, window, every))[:4]
    others = sum(one.decided for one in every if one.held != shadow and one.date >= wanted)
    counted = "" if record is None else record.count_text
    made = Overview(days, stats, _apart(others, shadow=shadow), counted)
    if not window.decided or question.days < _FEWEST:
        return made
    return _with_charts(made, question, mine, window)


def _apart(n: int, *, shadow: bool) -> str:
    if not n:
        return ""
    cases = plural(n, "decision", "decisions")
    if shadow:
        return f"Not counted above: {cases} that were acted on, before it went into shadow."
    return f"Not counted above: {cases} in shadow, on which nobody acted."


def _with_charts(
    made: Overview, question: _Asked, mine: Sequence[DayCounts], window: WindowCounts
) -> Overview:
    row, first, last = question.row, question.first, question.now.date()
    begin = datetime.combine(first, time(), UTC)

    def since(at: datetime) -> float:
        return (at - begin) / _DAY

    incidents = Incident.objects.filter(deployment=row).values_list("at", "ended")
    lasted = incidents.exclude(ended__lt=begin).order_by("-number")[:100]
    spans = [(since(at), None if ended is None else since(ended)) for at, ended in lasted]
    versions = row.policies.filter(adopted__gte=begin).values_list("adopted", "number")
    points = mistake_days(mine, first, last)
    factor, unit = (1.0, "labels") if question.seconds is None else (question.seconds, "hours")
    if unit == "hours":
        factor /= 3600
    came = {one.date: 0.0 for one in mine if one.date >= first}
    for one in mine:
        if one.date >= first:
            came[one.date] += factor * one.labelled
    work = [WorkDay(when, n) for when, n in sorted(came.items())]
    capacity = None if row.capacity is None else row.capacity * factor
    return Overview(
        range=made.range,
        stats=made.stats,
        apart=made.apart,
        counted=made.counted,
        mistakes=draw_mistakes(
            points,
            limit=1000 * question.limit * (window.coverage or 0.0) or None,
            closed=closed_days(spans, question.days),
            versions=[(since(at), f"version {number}") for at, number in versions],
            first=first,
            last=last,
        ),
        work=draw_work(work, capacity, first, last),
        points=points,
        days=work,
        work_unit=unit,
    )


def _stats(question: _Asked, window: WindowCounts, every: Sequence[DayCounts]) -> Iterator[Stat]:
    kind = question.state.kind
    if question.record is not None:
        yield _cost_of_incident(question.record)
    elif kind in ("answering", "waiting") and window.decided:
        yield from _saving(question, window)
    if kind == "learning":
        labels = sum(one.labelled for one in every)
        yield Stat("Labels so far", count(labels), f"in {_days(question)}")
    elif window.decided and kind != "closed":
        name = "Would decide alone" if kind == "shadow" else "Decided alone"
        coverage = rough(window.coverage or 0.0)
        small = f"{count(window.answered)} of {plural(window.decided, 'case', 'cases')} in {_days(question)}"
        yield Stat(name, coverage, small)
    if kind != "learning":
        yield _mistakes(question, window)
    yield _queue(question)
    if question.record is not None:
        since = question.record.incident.at.astimezone(UTC).date()
        labels = sum(one.labelled for one in every if one.date >= since)
        yield Stat("Labelled since", count(labels), f"from {since.day} {since:%B} on")
    elif kind == "learning" and question.row.capacity is not None:
        per_day = sum(one.labelled for one in every) / max(1, question.days)
        yield _work_a_day(question, per_day, question.row.capacity)


def _work_a_day(question: _Asked, labels: float, capacity: int) -> Stat:
    """What reviewers do a day beside what they can: in hours once it is known how long a label takes."""
    can = _capacity_text(question, capacity)
    if question.seconds is None:
        return Stat("Labelled a day", estimate_text(labels), can)
    return Stat("Review time a day", work_time(question.seconds * labels), can)


def _capacity_text(question: _Asked, capacity: int) -> str:
    if question.seconds is None:
        return f"people do {count(capacity)} cases a day"
    return f"people have {work_time(question.seconds * capacity)} a day"


def _days(question: _Asked) -> str:
    return "one day" if question.days == 1 else f"{question.days} days"


def _cost_of_incident(record: IncidentRecord) -> Stat:
    began = record.began
    if began is None:
        return Stat(
            "Wrong decisions that went out",
            "not known",
            "no audited decision was wrong",
        )
    if record.cost is not None:
        money, ends = record.cost
        unit = record.incident.deployment.unit
        return Stat("This incident costs", money_text(money, unit), f"{_between(ends)} {unit}")
    small = f"{incident_range_text(began.out)}, since the incident began"
    return Stat(
        "Wrong decisions that went out", f"about {estimate_text(began.out.estimate)}", small
    )


def _between(ends: Interval | tuple[float, float]) -> str:
    lower, upper = ends
    return f"{estimate_text(lower)} to {estimate_text(upper)}"


def _saving(question: _Asked, window: WindowCounts) -> Iterator[Stat]:
    prices = None if question.row.mistake is None else owner_prices(question.row, question.policy)
    known = window.mistakes.estimate
    if prices is None or not prices.check:
        return
    freed = prices.check * window.answered - prices.of_audit * window.audited
    freed -= price_of_work(question.row, question.policy) * window.bought
    most, least = (freed - prices.mistake * end for end in window.mistakes.interval)
    unit = question.row.unit
    name = f"Saved in {_days(question)}"
    if known is None:
        yield Stat(
            name, "not known yet", f"{plural(window.audited, 'audit', 'audits')} without a label"
        )
        return
    middle = freed - prices.mistake * known
    open_sign = least < 0 < most
    if open_sign:
        small = f"between {estimate_text(-least)} lost and {estimate_text(most)} saved"
    elif most <= 0:
        name = name.replace("Saved", "Lost")
        small = _between((-most, -least))
    else:
        small = _between((least, most))
    if middle < 0 and open_sign:
        name = name.replace("Saved", "Lost")
    yield Stat(name, money_text(abs(middle), unit), small, is_open=open_sign)


def _mistakes(question: _Asked, window: WindowCounts) -> Stat:
    name = "Mistakes per 1,000 cases"
    if question.state.kind == "shadow":
        name = "Would-be mistakes per 1,000"
    name = f"{name}, {_days(question)}"
    if not window.decided:
        return Stat(name, "not known yet", "no case came in this time", is_open=True)
    if not window.answered:
        return Stat(name, "none", "it decided nothing alone")
    known, (lower, upper) = window.estimate_per_1000, window.band_per_1000
    limit = 1000 * question.limit * (window.coverage or 0.0)
    words = f"{estimate_text(lower)} to {estimate_text(upper)}, agreed up to {estimate_text(limit)}"
    return Stat(
        name,
        "not known yet" if known is None else estimate_text(known),
        words,
        is_open=known is None,
        band=band_of(window, question.limit),
    )


def _queue(question: _Asked) -> Stat:
    waiting = waiting_cases(question.row)
    n = waiting.count()
    if question.row.archived is not None:
        return Stat("Waiting for review", "nothing", "archived: no case goes to review")
    if not n:
        return Stat("Waiting for review", "nothing", "every case that was sent has its label")
    parts = []
    if question.seconds is not None:
        value = work_time(question.seconds * n)
        parts.append(plural(n, "case", "cases"))
        if question.row.hour is not None:
            cost = question.row.hour * question.seconds * n / 3600
            parts.append(f"about {money_text(cost, question.row.unit)}")
    else:
        value = plural(n, "case", "cases")
    oldest = waiting.order_by("opened", "id").first()
    if oldest is not None:
        parts.append(f"the oldest {_age(question.now - oldest.opened)}")
        if (later := _held_up_by(question, oldest.key)) >= _MANY:
            parts.append(f"{later:,} later labels count for alarms only once that case has a label")
    if question.row.capacity is not None:
        parts.append(_capacity_text(question, question.row.capacity))
    return Stat("Waiting for review", value, ", ".join(parts))


def _held_up_by(question: _Asked, key: str) -> int:
    """Return how many labels wait until a case has its own: they count in the order of the decisions."""
    case = Receipt.objects.filter(deployment=question.row, policy=question.policy, key=key).first()
    if case is None:
        return 0
    late = case.seq + document_of(question.policy).terms.max_label_delay
    labels = Label.objects.filter(policy=question.policy, counts=True)
    return labels.filter(seq__gt=case.seq, seq__lte=late).count()


def _age(passed: timedelta) -> str:
    days = passed / _DAY
    return work_time(max(1.0, passed.total_seconds())) if days < 2 else f"{count(days)} days"
