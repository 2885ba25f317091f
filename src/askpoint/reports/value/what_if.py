"""The price of a mistake and people's capacity as numbers to turn, and what people's time buys, on the page."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from askpoint.answers.value.tomorrow import Tomorrow
from askpoint.reports.document import Picture, WhatIf
from askpoint.reports.value.tomorrow import cases_text, chance_text, cost_text
from askpoint.reports.words import amount, count, expected_number
from askpoint.value.posterior.recommendation import Recommendation

if TYPE_CHECKING:
    from askpoint.answers.value.workload import Workload

__all__ = ["capacity_slider", "price_slider", "review_curve"]

_STOPS = (
    *(1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0, 15.0, 20.0, 25.0, 30.0, 40.0, 50.0, 60.0),
    *(80.0, 100.0, 150.0, 200.0, 300.0, 400.0, 600.0, 800.0, 1000.0),
)
_CAPACITIES = (
    *(0, 5, 10, 15, 20, 30, 40, 50, 60, 80, 100, 120, 150, 180, 200, 250, 300, 350, 400, 450, 500),
    *(550, 600, 650, 700, 750, 800, 850, 900, 950, 1000),
)

_SHARES = [i / 25 for i in range(26)]


def price_slider(
    tomorrow: Tomorrow, printed: Callable[[float], str], checks: float | None = None
) -> WhatIf:
    """Return the price of a mistake as a number to turn, above what it does to the cost.

    It begins at the price that was stated, or at `checks`; thresholds are written by `printed`.
    """
    stated = None if tomorrow.best.checks is None else round(tomorrow.best.checks, 2)
    own = stated if checks is None else checks
    prices = sorted({*_STOPS, *(one for one in (stated, own) if one is not None)})

    @functools.cache
    def recommendations() -> tuple[Recommendation, ...]:
        return tuple(tomorrow.at_price(checks) for checks in prices)

    @functools.cache
    def stops() -> tuple[tuple[str, ...], ...]:
        return tuple(
            (
                f"{amount(checks)} check{'s' * (checks != 1)}",
                printed(each.threshold),
                cases_text(each.asked),
                cases_text(each.mistakes),
                "" if each.cost_per_1000 is None else cost_text(each.cost_per_1000),
                "decided" if each.decided else "not yet",
            )
            for checks, each in zip(prices, recommendations(), strict=True)
        )

    def costs() -> list[tuple[float, float, float]]:
        return [
            (0, 0, 0) if each.cost_per_1000 is None else each.cost_per_1000
            for each in recommendations()
        ]

    def draw(ax: Any) -> object:
        from askpoint.displays.expected import ExpectedCostDisplay  # only pages need matplotlib

        mean, low, high = zip(*costs(), strict=True)
        wrong = tomorrow.answer_all.mistakes.mean
        never = [1000 * checks * wrong for checks in prices]
        always = [tomorrow.always_at_price(checks) for checks in prices]
        return ExpectedCostDisplay(prices, mean, low, high, never, own, always).plot(ax)

    return WhatIf(
        "What if a mistake cost more, or less",
        "If one mistake were worth",
        ("threshold", "to review of 1,000", "mistakes", "cost, checks", "verdict"),
        stops,
        prices.index(20.0 if own is None else own),
        Picture(
            "What the next 1,000 cases cost at the best threshold for each price, compared with reviewing "
            "all and none.",
            "A curve that rises with the price of a mistake, below the lines of reviewing all and "
            "none; the table above has its numbers.",
            draw,
        ),
        lambda: tuple((x, cost[0]) for x, cost in zip(prices, costs(), strict=True)),
    )


def capacity_slider(tomorrow: Tomorrow, printed: Callable[[float], str]) -> WhatIf:
    """Return what people can check as a number to turn."""

    @functools.cache
    def stops() -> tuple[tuple[str, ...], ...]:
        rules = tomorrow.at_capacities([cases / 1000 for cases in _CAPACITIES])
        return tuple(
            (
                f"{count(cases)} of 1,000 cases",
                printed(each.threshold),
                cases_text(each.asked),
                cases_text(each.mistakes),
                "" if each.kept is None else chance_text(each.kept),
            )
            for cases, each in zip(_CAPACITIES, rules, strict=True)
        )

    asked = 1000 * tomorrow.best.asked.mean
    return WhatIf(
        "What if people could check more, or fewer",
        "If people could check",
        ("threshold", "to review of 1,000", "mistakes", "kept with"),
        stops,
        min(range(len(_CAPACITIES)), key=lambda i: abs(_CAPACITIES[i] - asked)),
    )


def review_curve(tomorrow: Tomorrow, workload: Workload | None) -> Picture:
    """Return the curve of all thresholds, with the recommended one marked.

    Its x-axis has hours a period where the volume and the seconds of a check are known, cases a period where only the
    volume is, and else cases of 1,000.
    """
    unit, each = _unit(workload)

    @functools.cache
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
    if workload.hours is None:
        return f"cases a {period} that go to review", number
    return f"people's hours a {period}", workload.hours


def _in_words(tomorrow: Tomorrow, each: float, unit: str) -> str:
    points = (
        f"{expected_number(each * one.asked.mean)} {unit}: {expected_number(1000 * one.mistakes.mean)} mistakes per 1,000 cases"
        for one in (tomorrow.answer_all, tomorrow.best, tomorrow.ask_all)
    )
    return f"A curve that falls the more people look at. {'; '.join(points)}."
