"""Charts of days as shapes: mistakes of the seven days up to each, and the work of people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from askpoint.reports.words import amount, estimate_text
from askpoint.server.deployments.day_counts import DayCounts, WindowCounts, window_of

__all__ = [
    "DayChart",
    "MistakeDay",
    "WorkDay",
    "closed_days",
    "draw_mistakes",
    "draw_work",
    "mistake_days",
]

_WINDOW = 7  # days
_MOST_POINTS = 120
_SHAPES = (("wide", 1000, 240), ("tall", 358, 214))
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 6, 24, 26
_LETTER = 7  # units, at most, of 12 that a letter is high


@dataclass(frozen=True)
class MistakeDay:
    """The seven days up to one, or as many of them as there were."""

    date: date
    window: WindowCounts


@dataclass(frozen=True)
class WorkDay:
    """What came to people on a day, and what they labelled, in the unit of the chart."""

    date: date
    labelled: float


@dataclass(frozen=True, eq=False)
class DayChart:
    """Shapes of a chart at one width, in units of which one is a pixel there.

    Parameters
    ----------
    shape : {"wide", "tall"}
        For a desk or for a phone.
    width, height : int
        Of the drawing.
    grid : list of (y, label)
        Lines across.
    ends : list of (x, anchor, label)
        First and last day.
    band, line : str
        Points of a polygon and of a polyline; empty where there is none.
    limit : float or None
        Height of what was agreed.
    limit_label : str
        Written on it.
    closed : list of (x, width)
        When it was closed.
    versions : list of (x, label)
        When another version came.
    marks : list of (x, anchor, label)
        What is written above these two, where there is room.
    bars : list of (x, y, width, height)
        One a day.
    """

    shape: str
    width: int
    height: int
    grid: list[tuple[float, str]]
    ends: list[tuple[float, str, str]]
    band: str = ""
    line: str = ""
    limit: float | None = None
    limit_label: str = ""
    closed: list[tuple[float, float]] = field(default_factory=list)
    versions: list[tuple[float, str]] = field(default_factory=list)
    marks: list[tuple[float, str, str]] = field(default_factory=list)
    bars: list[tuple[float, float, float, float]] = field(default_factory=list)


def mistake_days(days: Sequence[DayCounts], first: date, last: date) -> list[MistakeDay]:
    """Return the window up to each day, of at most 120 days that lie evenly between these."""
    n = (last - first).days + 1
    step = -(-n // _MOST_POINTS)
    shown = [last - timedelta(days=back) for back in range(0, n, step)][::-1]
    found = []
    for day in shown:
        begin = day - timedelta(days=_WINDOW - 1)
        window = window_of(one for one in days if begin <= one.date <= day)
        if window.decided:
            found.append(MistakeDay(day, window))
    return found


def draw_mistakes(
    points: Sequence[MistakeDay],
    *,
    limit: float | None,
    closed: Iterable[tuple[float, float]],
    versions: Iterable[tuple[float, str]],
    first: date,
    last: date,
) -> list[DayChart]:
    """Return the chart of mistakes for 1,000 cases; `closed` and `versions` in days since the first."""
    tops = [limit or 0.0, *(point.window.estimate_per_1000 or 0.0 for point in points)]
    most = sorted(point.window.band_per_1000[1] for point in points)
    middle = most[len(most) // 2] if most else 0.0
    top = _round_up(max(*tops, min(most[-1] if most else 0.0, 3 * middle), 1.0) * 1.05)
    shades, ticks = list(closed), list(versions)
    return [
        _draw_mistakes(
            shape, points, top=top, limit=limit, closed=shades, versions=ticks, days=(first, last)
        )
        for shape in _SHAPES
    ]


def _draw_mistakes(
    shape: tuple[str, int, int],
    points: Sequence[MistakeDay],
    *,
    top: float,
    limit: float | None,
    closed: list[tuple[float, float]],
    versions: list[tuple[float, str]],
    days: tuple[date, date],
) -> DayChart:
    first, last = days
    place = _DayAxes(*shape, days=(last - first).days + 1, top=top)
    upper, lower, middle = [], [], []
    for point in points:
        x = place.x((point.date - first).days + 0.5)
        low, high = point.window.band_per_1000
        upper.append(f"{x:.1f},{place.y(high):.1f}")
        lower.append(f"{x:.1f},{place.y(low):.1f}")
        if (known := point.window.estimate_per_1000) is not None:
            middle.append(f"{x:.1f},{place.y(known):.1f}")
    shut = [(place.x(begin), place.x(end)) for begin, end in closed]
    ticks = [(place.x(at), label) for at, label in versions]
    return DayChart(
        *shape,
        place.grid(),
        place.ends(first, last),
        band=" ".join([*upper, *lower[::-1]]) if len(points) > 1 else "",
        line=" ".join(middle) if len(middle) > 1 else "",
        limit=None if limit is None else place.y(limit),
        limit_label="" if limit is None else f"agreed: {estimate_text(limit)}",
        closed=[(begin, max(1.0, end - begin)) for begin, end in shut],
        versions=ticks,
        marks=place.marks([*((end, "closed") for _, end in shut[::-1]), *ticks[::-1]]),
    )


def draw_work(
    days: Sequence[WorkDay], capacity: float | None, first: date, last: date
) -> list[DayChart]:
    """Return the chart of people's work, a bar for each day."""
    top = _round_up(max([capacity or 0.0, *(one.labelled for one in days), 0.001]) * 1.05)
    charts = []
    n = (last - first).days + 1
    for shape in _SHAPES:
        place = _DayAxes(*shape, days=n, top=top)
        wide = place.x(1) - place.x(0)
        bars = []
        for one in days:
            y = place.y(one.labelled)
            left = place.x((one.date - first).days) + 0.15 * wide
            bars.append((left, y, 0.7 * wide, place.y(0) - y))
        charts.append(
            DayChart(
                *shape,
                place.grid(),
                place.ends(first, last),
                limit=None if capacity is None else place.y(capacity),
                limit_label="" if capacity is None else f"reviewers have: {amount(capacity)}",
                bars=bars,
            )
        )
    return charts


@dataclass(frozen=True)
class _DayAxes:
    """From days and numbers to units of a drawing."""

    shape: str
    width: int
    height: int
    days: int
    top: float

    def x(self, day: float) -> float:
        return _LEFT + min(max(day, 0), self.days) / self.days * (self.width - _LEFT - _RIGHT)

    def y(self, value: float) -> float:
        tall = self.height - _TOP - _BOTTOM
        return _TOP + tall * (1 - min(value, self.top) / self.top)

    def grid(self) -> list[tuple[float, str]]:
        return [(self.y(self.top * i / 4), amount(self.top * i / 4)) for i in range(5)]

    def ends(self, first: date, last: date) -> list[tuple[float, str, str]]:
        ends = [(self.x(0), "start", _day(first))]
        if last > first:
            ends.append((self.x(self.days), "end", _day(last)))
        return ends

    def marks(self, wanted: Iterable[tuple[float, str]]) -> list[tuple[float, str, str]]:
        """Return the labels that fit beside those before them."""
        kept: list[tuple[float, str, str]] = []
        taken: list[tuple[float, float]] = []
        for x, label in wanted:
            wide = _LETTER * len(label)
            anchor, left = ("end", x - wide) if x + wide > self.width else ("start", x)
            if all(left > end or left + wide < begin for begin, end in taken):
                taken.append((left, left + wide))
                kept.append((x, anchor, label))
        return kept


def _day(when: date) -> str:
    return f"{when.day} {when:%b}"


def _round_up(value: float) -> float:
    """Return the next number above that divides into four."""
    scale = 1.0
    while scale * 40 < value:
        scale *= 10
    while scale * 4 >= value:
        scale /= 10
    steps = (4, 6, 8, 10, 12, 16, 20, 24, 32, 40)
    return next(scale * one for one in steps if scale * one >= value)


def closed_days(
    spans: Iterable[tuple[float, float | None]], days: int
) -> list[tuple[float, float]]:
    """Return the parts of these spans that lie among the days; what has not ended lasts."""
    cut = [
        (max(0.0, begin), float(days) if end is None else min(end, days)) for begin, end in spans
    ]
    return [(begin, end) for begin, end in cut if begin < end]
