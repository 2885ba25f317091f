"""Decisions, audits and labels day by day: counted as they come, so that no page reads receipts for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import groupby

from django.db.models import F, Q

from askpoint.live.blocks import LabelBlock
from askpoint.live.ladder_calls import checks_bought
from askpoint.live.mistake_window import WindowAudits, WindowMistakes, mistakes_in_window
from askpoint.reports.words import estimate_text
from askpoint.server.deployments.models import Day, Deployment, Policy, Receipt
from askpoint.server.deployments.policy_state import document_of
from askpoint.server.deployments.rows import ASK, AUDIT, NewReceipt

__all__ = [
    "Band",
    "DayCounts",
    "WindowCounts",
    "band_of",
    "cases_a_day",
    "count_decisions",
    "count_labels",
    "days_of",
    "is_in_shadow",
    "last_week",
    "window_of",
]

_WEEK = timedelta(days=7)


@dataclass(frozen=True)
class DayCounts:
    """What a version decided on a day, in shadow or not."""

    classifier: str
    version: int
    date: date
    held: bool
    rate: float
    decided: int
    answered: int
    audited: int
    checked: int
    seen: float
    labelled: int
    bought: float = 0.0


@dataclass(frozen=True)
class Band:
    """A number between its ends and what was agreed, as places from 0 to 200.

    Parameters
    ----------
    words : str
        The same in words.
    left, right : float
        Its ends.
    here : float or None
        The number; None where it is not known.
    limit : float
        What was agreed.
    """

    words: str
    left: float
    right: float
    here: float | None
    limit: float


@dataclass(frozen=True)
class WindowCounts:
    """Some days in one.

    Parameters
    ----------
    decided, answered, audited, labelled : int
        Cases that came, those decided alone, those of them that were drawn for audits, and labels that came.
    mistakes : WindowMistakes
        Wrong among those decided alone.
    bought : float
        Calls of a ladder's rungs, in checks.
    """

    decided: int
    answered: int
    audited: int
    labelled: int
    mistakes: WindowMistakes
    bought: float = 0.0

    @property
    def coverage(self) -> float | None:
        """Share decided alone; None where no case came."""
        return self.answered / self.decided if self.decided else None

    @property
    def estimate_per_1000(self) -> float | None:
        """Mistakes for 1,000 cases; None where they are not known yet."""
        known = self.mistakes.estimate
        return None if known is None or not self.decided else 1000 * known / self.decided

    @property
    def band_per_1000(self) -> tuple[float, float]:
        """The band of that number."""
        lower, upper = self.mistakes.interval
        cases = max(1, self.decided)
        return 1000 * lower / cases, 1000 * upper / cases


def count_decisions(policy: Policy, rows: Sequence[NewReceipt], now: datetime) -> None:
    """Count new decisions, in their transaction; whoever decides holds the lock of the deployment."""
    for held in sorted({row.held for row in rows}):
        same = [row for row in rows if row.held == held]
        _add(
            policy,
            now.astimezone(UTC).date(),
            held=held,
            decided=len(same),
            answered=sum(row.action != ASK for row in same),
            audited=sum(row.action == AUDIT for row in same),
            bought=checks_bought(document_of(policy).model, Counter(row.group for row in same)),
        )


def count_labels(policy: Policy, block: LabelBlock, now: datetime) -> None:
    """Count labels of audits on the day of their decision, and all that count on the day when they came."""
    counting = {
        int(seq): bool(wrong)
        for seq, wrong, counts in zip(block.seq, block.wrong, block.counts, strict=True)
        if counts
    }
    rate = document_of(policy).terms.rate
    columns = ("seq", "at", "action", "propensity", "held")
    rows = Receipt.objects.filter(policy=policy, seq__in=counting).values_list(*columns)
    checked: Counter[tuple[date, bool]] = Counter()
    came: Counter[bool] = Counter()
    seen: dict[tuple[date, bool], float] = {}
    for seq, at, action, propensity, held in rows:
        came[held] += 1
        if action != AUDIT:
            continue
        day = at.astimezone(UTC).date(), held
        checked[day] += 1
        seen[day] = seen.get(day, 0.0) + counting[seq] * rate / propensity
    for (when, held), n in sorted(checked.items()):
        _add(policy, when, held=held, checked=n, seen=seen[when, held])
    for held, n in sorted(came.items()):
        _add(policy, now.astimezone(UTC).date(), held=held, labelled=n)


def _add(policy: Policy, when: date, *, held: bool, **more: float) -> None:
    which = {"policy": policy, "date": when, "held": held}
    if not Day.objects.filter(**which).update(**{name: F(name) + n for name, n in more.items()}):
        Day.objects.create(**which, rate=document_of(policy).terms.rate, **more)


def days_of(
    rows: Iterable[Deployment],
    since: date | None = None,
    spans: Mapping[str, tuple[date, date]] | None = None,
) -> list[DayCounts]:
    """Return the days of classifiers from a date on, all versions, by date and version; in one query.

    `spans` names classifiers of which older days are wanted, too, from the first to the last.
    """
    found = Day.objects.filter(policy__deployment__in=list(rows))
    if since is not None:
        wanted = Q(date__gte=since)
        for classifier, span in (spans or {}).items():
            wanted |= Q(policy__deployment=classifier, date__range=span)
        found = found.filter(wanted)
    columns: tuple[str, ...] = ("policy__deployment", "policy__number", "date", "held", "rate")
    columns += ("decided", "answered", "audited", "checked", "seen", "labelled", "bought")
    ordered = found.order_by("policy__deployment", "date", "policy__number", "held")
    return [DayCounts(*row) for row in ordered.values_list(*columns)]


def window_of(days: Iterable[DayCounts]) -> WindowCounts:
    """Return days of one classifier as one window, whose band begins anew at its first day."""
    rows = sorted(days, key=lambda one: (one.version, one.date))
    parts = []
    for _, same in groupby(rows, key=lambda one: one.version):
        part = list(same)
        parts.append(
            WindowAudits(
                answers=sum(one.answered for one in part),
                audited=sum(one.audited for one in part),
                labelled=sum(one.checked for one in part),
                seen=sum(one.seen for one in part),
                rate=part[0].rate,
            )
        )
    return WindowCounts(
        sum(one.decided for one in rows),
        sum(one.answered for one in rows),
        sum(one.audited for one in rows),
        sum(one.labelled for one in rows),
        mistakes_in_window(parts),
        sum(one.bought for one in rows),
    )


def is_in_shadow(row: Deployment) -> bool:
    """Tell whether a classifier says only what it would decide: what is kept closed by hand is acted on."""
    return row.mode == "shadow" and row.kept_closed is None


def last_week(row: Deployment, days: Iterable[DayCounts], today: date) -> list[DayCounts]:
    """Return the last seven days of what a classifier acts on; in shadow of what it would have decided."""
    shadow = is_in_shadow(row)
    return [one for one in days if one.date > today - _WEEK and one.held == shadow]


def cases_a_day(days: Iterable[DayCounts], today: date) -> float:
    """Return how many cases come a day: by whole days, or by the first one as far as it went."""
    rows = list(days)
    whole = [one for one in rows if one.date < today]
    if not whole:
        return float(sum(one.decided for one in rows))
    passed = (today - min(one.date for one in whole)).days
    return sum(one.decided for one in whole) / passed


def band_of(window: WindowCounts, limit: float) -> Band:
    """Return mistakes for 1,000 cases beside what was agreed: `limit`, a share of the answers."""
    known, (lower, upper) = window.estimate_per_1000, window.band_per_1000
    agreed = 1000 * limit * (window.coverage or 0.0)
    top = max(upper, 1.1 * agreed, 0.001)

    def place(value: float) -> float:
        return 5 + 190 * min(value, top) / top

    return Band(
        f"{estimate_text(lower)} to {estimate_text(upper)}, agreed up to {estimate_text(agreed)}",
        place(lower),
        place(upper),
        None if known is None else place(known),
        place(agreed),
    )
