"""What people's time buys, drawn: mistakes against cases that go to review, or against people's hours."""

from __future__ import annotations

from functools import cache
from typing import Any

from askpoint.answers.value.tomorrow import Tomorrow
from askpoint.answers.value.workload import Workload
from askpoint.reports.document import Picture
from askpoint.reports.words import count
from askpoint.value.posterior.recommendation import Recommendation

__all__ = ["review_curve"]

_SHARES = [i / 25 for i in range(26)]


def review_curve(tomorrow: Tomorrow, workload: Workload | None) -> Picture:
    """Return the curve of all thresholds, with the recommended one marked.

    Its x-axis has hours a period where the volume and the seconds of a check are known, cases a period where only the
    volume is, and else cases of 1,000.
    """
    unit, each = _unit(workload)

    @cache
    def rules() -> tuple[Recommendation, ...]:
        found = [*tomorrow.at_capacities(_SHARES), tomorrow.best]
        return tuple(sorted(found, key=lambda one: one.asked.mean))

    def draw(ax: Any) -> object:
        from askpoint.displays.review_curve import ReviewCurveDisplay  # only pages need matplotlib

        mean, low, high = (
            [1000 * part for part in parts]
            for parts in zip(*(one.mistakes for one in rules()), strict=True)
        )
        best = tomorrow.best
        return ReviewCurveDisplay(
            [each * one.asked.mean for one in rules()],
            mean,
            low,
            high,
            (each * best.asked.mean, 1000 * best.mistakes.mean),
            unit,
        ).plot(ax)

    return Picture(
        "What people's time buys. Dot: the threshold above; shaded: 95% of the next 1,000 cases.",
        _in_words(tomorrow, each, unit),
        draw,
        2.6,
    )


def _unit(workload: Workload | None) -> tuple[str, float]:
    """Return what the x-axis counts, and how much of it there would be if every case went to review."""
    if workload is None:
        return "cases of 1,000 that go to review", 1000.0
    number, period = workload.volume.number, workload.volume.period
    if workload.seconds_per_check is None:
        return f"cases a {period} that go to review", number
    return f"people's hours a {period}", number * workload.seconds_per_check / 3600


def _in_words(tomorrow: Tomorrow, each: float, unit: str) -> str:
    points = (
        f"{_number(each * one.asked.mean)} {unit}: {_number(1000 * one.mistakes.mean)} mistakes per 1,000 cases"
        for one in (tomorrow.answer_all, tomorrow.best, tomorrow.ask_all)
    )
    return f"A curve that falls the more people look at. {'; '.join(points)}."


def _number(number: float) -> str:
    return count(number) if number >= 10 else f"{number:.1f}".removesuffix(".0")
